"""The file `matches.jsonl`: one line a match, in canonical order, nothing of time in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.errors import FormatError, ReplayError, ResultsError
from arena.games.fields import read_int, read_list, read_name, read_object, read_text
from arena.games.game import AnyGame, Json
from arena.games.shuffle import deal_seed
from arena.referee.faults import FAULTS, SeatFault, ended_by, read_endings
from arena.referee.replay import read_lines
from arena.schedule.deals import seating_labels
from arena.storage.records import (
    FixtureRecord,
    MatchReport,
    StoredMatch,
    TournamentRecord,
)

MATCHES_FILE = "matches.jsonl"

_FIELDS = (
    "block",
    "deal",
    "ended",
    "faults",
    "index",
    "match",
    "moves",
    "options",
    "ranks",
    "rated",
    "relabel",
    "round",
    "scores",
    "seating",
    "seating_number",
    "seed",
    "table",
)
_FAULT_FIELDS = ("seat", "move", "fault", "detail", "forfeited")

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def write_line(fields: Mapping[str, Json]) -> bytes:
    """Return a line without its end; halves of pairs are escaped, as JSON does."""
    return _encode(fields).encode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One line, read. Only its shape has been checked."""

    number: int  # of the line, from 1
    match: StoredMatch  # without times
    versions: tuple[str, ...]  # of the bots, by seat
    options: Mapping[str, Json]
    seed: str | None  # of the deal; None: not released yet
    relabel: tuple[str, ...] | None  # likewise
    is_rated: bool


class MatchLines:
    """What the lines of one tournament say. Equal matches, equal lines."""

    def __init__(self, tournament: TournamentRecord, game: AnyGame) -> None:
        """Remember what all lines have in common."""
        self._master = tournament.seed
        self._game = game
        self._options = dict(game.options)
        self._seats = {
            bot.name: {"bot": bot.name, "version": bot.version} for bot in tournament.bots
        }
        self._seeds: dict[int, bytes] = {}
        self._relabels: dict[tuple[int, int], list[str]] = {}

    def fields(
        self, match: StoredMatch, *, is_rated: bool, is_released: bool
    ) -> Mapping[str, Json]:
        """Return the line of a match; while its deal is not released, without seed and labels."""
        fixture, report = match.fixture, match.report
        return {
            "match": fixture.match,
            "index": fixture.index,
            "round": fixture.round,
            "table": fixture.table,
            "block": fixture.block,
            "deal": fixture.deal,
            "seating_number": fixture.seating,
            "seating": [self._seats[bot] for bot in fixture.bots],
            "options": self._options,
            "seed": self._seed(fixture.deal).hex() if is_released else None,
            "relabel": self._relabel(fixture) if is_released else None,
            "scores": [*report.scores],
            "ranks": [*report.ranks],
            "ended": [*map(ended_by, report.forfeits)],
            "moves": report.moves,
            "faults": [fault.to_json() for fault in report.faults],
            "rated": is_rated,
        }

    def _seed(self, deal: int) -> bytes:
        if deal not in self._seeds:
            self._seeds[deal] = deal_seed(self._master, deal)
        return self._seeds[deal]

    def _relabel(self, fixture: FixtureRecord) -> list[str]:
        key = (fixture.deal, fixture.seating)
        if key not in self._relabels:
            labels = seating_labels(self._game, self._seed(fixture.deal), fixture.seating)
            self._relabels[key] = [self._game.kinds[kind] for kind in labels]
        return self._relabels[key]


def read_match_lines(data: bytes, path: Path) -> Iterator[MatchLine]:
    """Yield the lines of a file; raises ResultsError that names file and line."""
    try:
        for number, value in read_lines(data):
            try:
                yield _read_line(number, value)
            except FormatError as error:
                raise ResultsError(path, str(error), number) from None
    except ReplayError as error:
        raise ResultsError(path, error.reason, error.line) from None


def _read_line(number: int, value: dict[str, object]) -> MatchLine:
    fields = read_object(value, "the line", _FIELDS)
    seating = [
        read_object(seat, f"seating[{index}]", ("bot", "version"))
        for index, seat in enumerate(read_list(fields["seating"], "seating"))
    ]
    integers = ("index", "block", "round", "table", "deal", "seating_number")
    index, block, round_, table, deal, turn = (read_int(fields[name], name) for name in integers)
    fixture = FixtureRecord(
        index=index,
        match=read_text(fields["match"], "match"),
        block=block,
        round=round_,
        table=table,
        deal=deal,
        seating=turn,
        bots=tuple(read_text(seat["bot"], "bot") for seat in seating),
    )
    options = fields["options"]
    if not isinstance(options, dict):
        raise FormatError("options must be an object")
    if not isinstance(fields["rated"], bool):
        raise FormatError("rated must be true or false")
    return MatchLine(
        number=number,
        match=StoredMatch(fixture, _read_report(fields, len(seating))),
        versions=tuple(read_text(seat["version"], "version") for seat in seating),
        options=options,
        seed=None if fields["seed"] is None else read_text(fields["seed"], "seed"),
        relabel=None if fields["relabel"] is None else _read_texts(fields, "relabel"),
        is_rated=fields["rated"],
    )


def _read_report(fields: Mapping[str, object], seats: int) -> MatchReport:
    report = MatchReport(
        match=read_text(fields["match"], "match"),
        scores=_read_ints(fields, "scores"),
        ranks=_read_ints(fields, "ranks"),
        forfeits=read_endings(fields["ended"], seats),
        faults=tuple(
            _read_fault(fault, f"faults[{index}]", seats)
            for index, fault in enumerate(read_list(fields["faults"], "faults"))
        ),
        times=(),
        moves=read_int(fields["moves"], "moves"),
        replay="",
    )
    for name, values in (("scores", report.scores), ("ranks", report.ranks)):
        if len(values) != seats:
            raise FormatError(f"{name} must have an entry for each of the {seats} seats")
    if not set(report.ranks) <= set(range(1, seats + 1)):
        raise FormatError(f"ranks must be 1 to {seats}, not {list(report.ranks)}")
    return report


def _read_fault(value: object, what: str, seats: int) -> SeatFault:
    fields = read_object(value, what, _FAULT_FIELDS)
    seat = read_int(fields["seat"], f"{what}.seat")
    fault = read_name(fields["fault"], f"{what}.fault", FAULTS)
    if seat not in range(seats):
        raise FormatError(f"{what}.seat must be 0 to {seats - 1}, not {seat}")
    if not isinstance(fields["forfeited"], bool):
        raise FormatError(f"{what}.forfeited must be true or false")
    return SeatFault(
        seat=seat,
        move=read_int(fields["move"], f"{what}.move"),
        fault=fault,
        detail=read_text(fields["detail"], f"{what}.detail"),
        forfeited=fields["forfeited"],
    )


def _read_ints(fields: Mapping[str, object], name: str) -> tuple[int, ...]:
    return tuple(read_int(value, name) for value in read_list(fields[name], name))


def _read_texts(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    return tuple(read_text(value, name) for value in read_list(fields[name], name))
