"""A match in virtual time, with everything about it that a test may want to look at."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from highcard.rules import HighCard

from arena.games.game import AnyGame, AnyState, Event, Seat, seen_by
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy, SeatFault
from arena.referee.fixture import Fixture
from arena.referee.follow import FollowedMove, FollowedReplay
from arena.referee.match import Conditions, Match, PlayedMatch
from arena.referee.player import Player
from arena.referee.replay import Entrant
from arena.testing import ScriptedPlayer, VirtualClock, VirtualLoop
from tests.recorded import seed_of

CONTROL = TimeControl(1.0, 10.0)

QUESTIONS = 4
"""So often each seat of the toy game is asked: for one card to bury and three to play."""


def fixture_of(game: AnyGame, seats: int = 3, number: int = 1) -> Fixture:
    entrants = [Entrant(f"bot-{seat}", "1") for seat in range(seats)]
    return Fixture(game, f"m{number}", f"d{number}", seed_of(number), entrants)


class Table:
    """Players of the toy game, or another, at a table in virtual time."""

    def __init__(
        self,
        players: Sequence[Player],
        control: TimeControl = CONTROL,
        *,
        max_faults: int = 3,
        lag_s: float = 0.0,
        game: AnyGame | None = None,
        number: int = 1,
    ) -> None:
        self.game = game or HighCard()
        self.loop = VirtualLoop()
        self.clock = VirtualClock(self.loop, lag_s)
        self.log: list[Event] = []
        self.on_fault: list[SeatFault] = []
        self.ends: list[tuple[PlayedMatch, int]] = []  # with the timers left at that moment
        conditions = Conditions(
            control=control,
            policy=FaultPolicy(max_faults),
            clock=self.clock,
            on_events=self._log,
            on_fault=self.on_fault.append,
            on_end=lambda played: self.ends.append((played, len(self.clock.timers))),
        )
        fixture = fixture_of(self.game, len(players), number)
        self.match = Match(fixture, players, conditions)

    def play(self) -> PlayedMatch:
        """Play to the end and on until nothing is due any more; the match must have ended once."""
        self.run()
        assert len(self.ends) == 1
        played, timers = self.ends[0]
        assert played is self.match.played
        assert timers == 0
        assert list(played.faults) == self.on_fault
        return played

    def run(self) -> None:
        """Play until nothing is due any more, wherever that is."""
        self.loop.call_soon(self.match.begin)
        try:
            self.loop.run_until_idle()
        finally:
            self.loop.close()

    def seen(self, seat: int) -> list[Event]:
        """Return all that happened, as a seat may know it."""
        shown = (seen_by(event, Seat(seat)) for event in self.log)
        return [event for event in shown if event is not None]

    def _log(self, _state: AnyState, events: Sequence[Event]) -> None:
        assert not self.ends, "events after the end"
        self.log += events


def faults_of(played: PlayedMatch, seat: int) -> list[str]:
    return [fault.fault.value for fault in played.faults if fault.seat == seat]


def move_lines(played: PlayedMatch, seat: int | None = None) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in played.replay.splitlines()]
    return [
        line for line in lines if line["type"] == "move" and (seat is None or line["seat"] == seat)
    ]


def follow(played: PlayedMatch) -> list[FollowedMove]:
    """Return the moves of the replay, which must be accepted, with the outcome that was told."""
    replay = FollowedReplay(played.replay.encode(), lambda _name: played.fixture.game)
    moves = list(replay)
    assert replay.outcome == played.outcome
    assert replay.forfeits == played.forfeits
    return moves


def without_times(replay: str) -> str:
    return re.sub(r'"ms":[0-9.e-]+', "", replay)


def others(count: int = 2) -> list[ScriptedPlayer]:
    """Return players who do nothing wrong."""
    return [ScriptedPlayer() for _ in range(count)]


def assert_told_everything(table: Table, players: Sequence[ScriptedPlayer]) -> None:
    """Each seat was told every event it may see and every fault, once and in order."""
    notices = [(recorded.seat, recorded.fault) for recorded in table.on_fault]
    for seat, player in enumerate(players):
        assert player.events == table.seen(seat)
        assert [(told.seat, told.fault) for told in player.faults] == notices
        assert len(player.endings) == 1
