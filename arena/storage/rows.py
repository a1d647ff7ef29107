"""Between rows of the database and records."""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Iterator, Sequence

from arena.referee.faults import Fault, Forfeits, SeatFault, ended_by, read_endings
from arena.storage.chain import ChainLink
from arena.storage.database import Row
from arena.storage.records import (
    AttemptRecord,
    BotRecord,
    FixtureRecord,
    MatchReport,
    SeatTimes,
    TournamentRecord,
)

_LEVEL = 1
"""Of zlib: takes two thirds of the time of the default, for replays a fifth larger."""

TOURNAMENT_COLUMNS = "name, config, game, options, players, seed, seed_text, salt, created"
BOT_COLUMNS = 'name, version, "group"'
FIXTURE_COLUMNS = '"index", match, block, round, "table", deal, seating, bots'
REPORT_COLUMNS = "scores, ranks, ended, faults, times, moves"

REPORT_WIDTH = 6
_FIXTURE_WIDTH = 8
_FIXTURE_TYPES = (int, str, int, int, int, int, int, str)
_TOURNAMENT_TYPES = (str, str, str, str, int, bytes, str, bytes, str)
_FAULT_TYPES = (int, int, str, str, bool)
_ATTEMPT_TYPES = (str, int, str, str)


def tournament_row(tournament: TournamentRecord) -> Row:
    """Return the row of TOURNAMENT_COLUMNS."""
    return (
        tournament.name,
        tournament.config,
        tournament.game,
        _json(dict(tournament.options)),
        tournament.players,
        tournament.seed,
        tournament.seed_text,
        tournament.salt,
        tournament.created,
    )


def tournament_record(row: Row, bots: list[Row]) -> TournamentRecord:
    """Return the record of TOURNAMENT_COLUMNS and of the bots' BOT_COLUMNS."""
    _check_types(row, _TOURNAMENT_TYPES)
    for bot in bots:
        _check_types(bot, (str, str, str))
    name, config, game, options, players, seed, seed_text, salt, created = row
    return TournamentRecord(
        name=name,
        config=config,
        game=game,
        options=dict(json.loads(options)),
        players=players,
        seed=bytes(seed),
        seed_text=seed_text,
        salt=bytes(salt),
        bots=tuple(BotRecord(*bot) for bot in bots),
        created=created,
    )


def fixture_row(fixture: FixtureRecord) -> Row:
    """Return the row of FIXTURE_COLUMNS."""
    return (
        fixture.index,
        fixture.match,
        fixture.block,
        fixture.round,
        fixture.table,
        fixture.deal,
        fixture.seating,
        _json(fixture.bots),
    )


def fixture_record(row: Row) -> FixtureRecord:
    """Return the record of a row that starts with FIXTURE_COLUMNS."""
    _check_types(row[:_FIXTURE_WIDTH], _FIXTURE_TYPES)
    index, match, block, round_, table, deal, seating, bots = row[:_FIXTURE_WIDTH]
    return FixtureRecord(index, match, block, round_, table, deal, seating, _names(bots))


def report_row(report: MatchReport) -> Row:
    """Return the row of REPORT_COLUMNS, without the replay."""
    return (
        _json(report.scores),
        _json(report.ranks),
        _json([*map(ended_by, report.forfeits)]),
        _json([(f.seat, f.move, f.fault.value, f.detail, f.forfeited) for f in report.faults]),
        _json([(t.decisions, t.used_s, t.slowest_s, t.delay_s) for t in report.times]),
        report.moves,
    )


def report_record(match: str, row: Row) -> MatchReport:
    """Return the record of REPORT_COLUMNS, without the replay."""
    scores, ranks, ended, faults, times, moves = row
    _check_types((moves,), (int,))
    forfeits = _forfeits(ended)
    by_seat = len(forfeits)
    return MatchReport(
        match=match,
        scores=_numbers(json.loads(scores), by_seat),
        ranks=_numbers(json.loads(ranks), by_seat),
        forfeits=forfeits,
        faults=tuple(map(_fault, json.loads(faults))),
        times=tuple(_times(json.loads(times), by_seat)),
        moves=moves,
        replay="",
    )


def attempt_record(row: Row) -> AttemptRecord:
    """Return the record of match, number, owner, started, ended, void_reason, isolation."""
    _check_types(row[:4], _ATTEMPT_TYPES)
    for text in row[4:]:
        _check_types((text,), (str if text is not None else type(None),))
    return AttemptRecord(*row)


def chain_link(row: Row) -> ChainLink:
    """Return the link of place, match, result, replay, link."""
    _check_types(row, (int, str, str, str, str))
    return ChainLink(*row)


def pack(replay: str) -> bytes:
    """Return a replay as it is stored."""
    return zlib.compress(replay.encode(), _LEVEL)


def unpack(stored: object) -> str:
    """Return a stored replay; raises zlib.error, ValueError or TypeError if it is damaged."""
    if not isinstance(stored, bytes | memoryview):
        raise TypeError(f"{type(stored).__name__}, not bytes")
    reader = zlib.decompressobj()
    text = reader.decompress(stored)
    if not reader.eof or reader.unused_data:
        raise ValueError("it is cut off, or something follows it")
    return text.decode()


def storable(text: str) -> str:
    """Return the text without what databases refuse in one: NUL and halves of characters."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()


@functools.lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    """Return texts by seat; the same few come again and again."""
    names = tuple(json.loads(text))
    _check_types(names, (str,) * len(names))
    return names


@functools.lru_cache(maxsize=4096)
def _forfeits(text: str) -> Forfeits:
    """Return how the seats ended; likewise."""
    return read_endings(ended := json.loads(text), len(ended))


def _fault(fields: Row) -> SeatFault:
    _check_types(fields, _FAULT_TYPES)
    seat, move, fault, detail, forfeited = fields
    return SeatFault(seat, move, Fault(fault), detail, forfeited)


def _times(seats: list[Row], by_seat: int) -> Iterator[SeatTimes]:
    if len(seats) != by_seat:
        raise ValueError("there must be times for each seat")
    for decisions, *times in seats:
        yield SeatTimes(*_numbers([decisions]), *map(_seconds, times))


def _numbers(values: list[int], size: int | None = None) -> tuple[int, ...]:
    _check_types(values, (int,) * (len(values) if size is None else size))
    return tuple(values)


def _seconds(value: object) -> float:
    if type(value) not in (int, float):
        raise TypeError(f"{value!r} is not a number of seconds")
    return value  # type: ignore[return-value]


def _check_types(values: Sequence[object], types: tuple[type, ...]) -> None:
    """Raise TypeError unless the values are of these types: SQLite keeps any value in any column.

    PostgreSQL's blobs come as memory views or bytes, depending on how they travel.
    """
    found = tuple(map(type, values))
    if found != types and tuple(bytes if t is memoryview else t for t in found) != types:
        raise TypeError(f"{[t.__name__ for t in found]}, not {[t.__name__ for t in types]}")


_json = json.JSONEncoder(separators=(",", ":")).encode
