"""The document of a replay: a whole match, in the views that its reader may have."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from arena.games.game import AnyGame, AnyState, Event, Json, Move, Outcome, Seat, seen_by
from arena.inert import inert
from arena.referee.clock import SeatClock, TimeControl
from arena.referee.faults import Forfeits, ended_by
from arena.referee.follow import FollowedMove
from arena.referee.replay import Header, encode
from arena.web import FORMAT
from arena.web.drawings import drawing_address, has_rules
from arena.web.steps import (
    EVERYTHING,
    PUBLIC,
    Decision,
    Made,
    StepWriter,
    View,
    seat_names,
    seat_of,
    views_of,
)


class Followed(Protocol):
    """A match that is followed from its start, such as a `FollowedReplay`."""

    game: AnyGame
    header: Header
    state: AnyState  # now
    outcome: Outcome | None  # set at the end
    forfeits: Forfeits

    def __iter__(self) -> Iterator[FollowedMove]:
        """Yield the moves as the match goes on."""
        ...


def replay_document(
    replay: Followed,
    *,
    views: Sequence[View] | None = None,
    tournament: str | None = None,
    control: TimeControl | None = None,
    download: str | None = None,
    file: bytes | None = None,
) -> dict[str, Json]:
    """Return the document of a match in these views (all if None), which must end.

    `control` is the match's clock, if it is known. The replay file is at the address `download`, or
    is `file` and goes into the document. Raises ReplayError.
    """
    writer = ReplayWriter(replay, views or views_of(len(replay.header.seats)), control)
    steps = [writer.begin(), *map(writer.write, replay)]
    inside: dict[str, Json] = {}
    if file is not None and (views is None or EVERYTHING in views):
        inside["file"] = file.decode("utf-8", "replace")
    assert replay.outcome is not None
    outcome = replay.outcome
    return {
        **writer.document(steps, tournament),
        **inside,
        "outcome": outcome_of(outcome.scores, outcome.ranks, replay.forfeits),
        "download": download,
    }


def head(game: AnyGame, seats: Sequence[tuple[str, str]], views: Sequence[View]) -> dict[str, Json]:
    """Return what every document of a match begins with; `seats` are bots with their versions."""
    players = len(seats)
    fields = game.notations.fields(game.observation_type)
    return {
        "format": FORMAT,
        "views": [*views],
        "game": {
            "name": game.name,
            "title": game.title,
            "options": dict(game.options),
            "drawing": drawing_address(game),
            "rules": has_rules(game),
            "material": {
                "own": game.own,
                "inferred": game.inferred,
                "kinds": game.kinds,
                "names": {what: [*names] for what, names in game.names.items()},
                **game.material_to_json(players),
            },
        },
        "seats": [{"bot": inert(bot), "version": inert(version)} for bot, version in seats],
        "graphs": [
            {"field": field, "title": title}
            for field, title in game.graphs.items()
            if field in fields
        ],
    }


def clock_of(control: TimeControl | None) -> Json:
    """Return the times of a match in milliseconds, if they are known."""
    if control is None:
        return None
    move_s = control.move_time_s
    return {
        "move_ms": None if move_s is None else round(move_s * 1000),
        "bank_ms": round(control.bank_s * 1000),
    }


def outcome_of(scores: Sequence[int], ranks: Sequence[int], forfeits: Forfeits) -> Json:
    """Return how a match ended."""
    return {"scores": [*scores], "ranks": [*ranks], "ended": [*map(ended_by, forfeits)]}


def pack_document(document: Mapping[str, Json]) -> bytes:
    """Return a document as compressed JSON, the same bytes for the same document."""
    return gzip.compress(encode(document).encode(), 6, mtime=0)


class ReplayWriter:
    """Writes the steps of a match that is followed, one move at a time."""

    def __init__(
        self, replay: Followed, views: Sequence[View], control: TimeControl | None = None
    ) -> None:
        """Begin with the state of the match now, before its first move."""
        self._game, self._header, self._state = replay.game, replay.header, replay.state
        self._views = tuple(views)
        self._sides = [view for view in views if view != EVERYTHING]
        self._sides.sort(key=lambda view: view != PUBLIC)  # what the public sees is shared by all
        self._seats = [(view, seat_of(view)) for view in self._sides]
        self._control = control
        seats = self._header.seats
        self._clocks = [SeatClock(control) for _ in seats] if control else None
        self._legal: Sequence[Move] = ()
        self._asked: object = None
        self._writer = StepWriter(self._game, seat_names([entrant.bot for entrant in seats]))

    def begin(self) -> dict[str, Json]:
        """Return the step before the first move."""
        return self._write(self._game.opening(self._state), None)

    def write(self, move: FollowedMove) -> dict[str, Json]:
        """Return the step that a move has made."""
        self._state = move.state
        ms = _number(move.ms)
        bank_ms = None
        if self._clocks is not None:
            clock = self._clocks[move.seat]
            if ms is not None and move.legal > 1:
                clock.charge(ms / 1000)
            bank_ms = round(clock.bank_s * 1000, 3)
        decision = None
        if str(move.seat) in self._sides and self._asked is not None:
            note = move.note if isinstance(move.note, str) else ""
            decision = Decision(move.seat, self._asked, self._legal, move.move, ms, bank_ms, note)
        public = self._game.public_move(move.move)
        return self._write(move.events, Made(move.seat, public, move.fault, decision))

    def tell(self, move: FollowedMove) -> dict[str, Json]:
        """Return the step that a move has made, for those who have followed since the document."""
        return self._writer.tell(self.write(move))

    def document(self, steps: Sequence[Json], tournament: str | None) -> dict[str, Json]:
        """Return the document of the match with these steps, as if it were not over."""
        header, writer = self._header, self._writer
        writer.tell({})  # what stands in the document need not be told again
        bots = [(seat.bot, seat.version) for seat in header.seats]
        document = head(self._game, bots, self._views)
        if EVERYTHING in self._views:
            document["seed"] = None if header.seed is None else header.seed.hex()
            document["deal"] = inert(header.deal)
        return {
            **document,
            "match": inert(header.match),
            "tournament": tournament,
            "clock": clock_of(self._control),
            "moves": [*writer.moves],
            "lines": [*writer.lines],
            "marks": [*writer.marks],
            "steps": [*steps],
            "outcome": None,
            "download": None,
        }

    def _write(self, events: Sequence[Event], made: Made | None) -> dict[str, Json]:
        state = self._state
        seen = {view: state.observe(seat) for view, seat in self._seats}
        happened = {view: _seen(events, seat) for view, seat in self._seats}
        if EVERYTHING in self._views:
            happened[EVERYTHING] = [*events]
        self._legal, self._asked = state.legal_moves(), seen.get(str(state.to_act))
        return self._writer.write(seen, happened, made)


def _seen(events: Iterable[Event], seat: Seat | None) -> list[Event]:
    found = (seen_by(event, seat) for event in events)
    return [event for event in found if event is not None]


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None  # type: ignore[return-value] # mypy does not follow it
