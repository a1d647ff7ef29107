"""Between rows of the database and records."""

from __future__ import annotations

import functools
import json
import zlib

from arena.referee.faults import Fault, Forfeits, SeatFault, ended_by, read_endings
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
    name, config, game, options, players, seed, seed_text, salt, created = row
    return TournamentRecord(
        name=name,
        config=config,
        game=game,
        options=json.loads(options),
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
    return MatchReport(
        match=match,
        scores=tuple(json.loads(scores)),
        ranks=tuple(json.loads(ranks)),
        forfeits=_forfeits(ended),
        faults=tuple(
            SeatFault(seat, move, Fault(fault), detail, forfeited)
            for seat, move, fault, detail, forfeited in json.loads(faults)
        ),
        times=tuple(SeatTimes(*seat) for seat in json.loads(times)),
        moves=moves,
        replay="",
    )


def attempt_record(row: Row) -> AttemptRecord:
    """Return the record of match, number, owner, started, ended, void_reason."""
    return AttemptRecord(*row)


def pack(replay: str) -> bytes:
    """Return a replay as it is stored."""
    return zlib.compress(replay.encode(), _LEVEL)


def unpack(stored: bytes) -> str:
    """Return a stored replay; raises zlib.error or UnicodeDecodeError if it is damaged."""
    return zlib.decompress(stored).decode()


def storable(text: str) -> str:
    """Return the text without what databases refuse in one: NUL and halves of characters."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()


@functools.lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    """Return texts by seat; the same few come again and again."""
    return tuple(json.loads(text))


@functools.lru_cache(maxsize=4096)
def _forfeits(text: str) -> Forfeits:
    """Return how the seats ended; likewise."""
    return read_endings(ended := json.loads(text), len(ended))


_json = json.JSONEncoder(separators=(",", ":")).encode
