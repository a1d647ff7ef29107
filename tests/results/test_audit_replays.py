from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from highcard.rules import HighCard

from arena.engines.report import make_report
from arena.errors import ReplayError
from arena.games.game import Seat
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import Match
from arena.referee.player import Player
from arena.results.audit.replay import Expected, check_replay
from arena.schedule.deals import make_fixture
from arena.storage.records import BotRecord, FixtureRecord, MatchReport, StoredMatch
from arena.testing import (
    AbsentPlayer,
    CrashingPlayer,
    FailingPlayer,
    IllegalPlayer,
    LatePlayer,
    ScriptedPlayer,
    SilentPlayer,
)
from tests.simulated_tournament import tournament_of
from tests.virtual_table import Table

FIXTURE = FixtureRecord(7, "3-2", 3, 2, 1, 2, 1, ("a", "b", "c"))
VERSIONS = {"a": "1", "b": "2", "c": "3"}


pytestmark = pytest.mark.usefixtures("high_card")  # its matches are short


def expected() -> Expected:
    tournament = tournament_of(FIXTURE.bots, 3)
    bots = tuple(BotRecord(name, version) for name, version in VERSIONS.items())
    tournament = replace(tournament, game="highcard", bots=bots)
    return Expected(tournament, HighCard(), VERSIONS)


def play(players: Sequence[Player], max_faults: int = 3) -> tuple[bytes, StoredMatch]:
    """Play the fixture in virtual time; return the replay and what would be stored."""
    table = Table(players, max_faults=max_faults)
    fixture = make_fixture(HighCard(), bytes(32), FIXTURE, VERSIONS)
    table.match = Match(fixture, players, table.match.conditions)
    report = make_report(table.play())
    assert isinstance(report, MatchReport)
    return report.replay.encode(), StoredMatch(FIXTURE, report)


class Unstarted(ScriptedPlayer):
    """Never there: fails before the first move."""

    def start(self, match: Match, seat: Seat) -> None:
        super().start(match, seat)
        match.forfeit(seat, Fault.NO_START, "never ready")


class Fleeing(IllegalPlayer):
    """Goes away for good while its first fault is being settled."""

    def withdraw(self, question: Any) -> None:
        super().withdraw(question)
        assert self.match is not None
        assert self.seat is not None
        self.match.forfeit(self.seat, Fault.DISCONNECT, "gone")


TROUBLE: dict[str, Callable[[], Player]] = {
    "none": ScriptedPlayer,
    "one illegal move": lambda: IllegalPlayer(at=(2,)),
    "too many illegal moves": IllegalPlayer,
    "silent": SilentPlayer,
    "late now and then": lambda: LatePlayer(at=(1, 3)),
    "nonsense": lambda: FailingPlayer(at=(1, 2)),
    "never there": Unstarted,
    "crash over a question": lambda: CrashingPlayer(at=(2,)),
    "crash out of turn": lambda: CrashingPlayer(after_s=0.0),
    "away for good": lambda: AbsentPlayer(at=(3,)),
    "fleeing": lambda: Fleeing(at=(1,)),
}


@pytest.mark.parametrize("max_faults", [1, 2, 3])
@pytest.mark.parametrize("other", ["none", "crash out of turn", "too many illegal moves"])
@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize("seat", [0, 2])
def test_whatever_was_really_played_is_right(trouble, other, seat, max_faults):
    """No way to misbehave makes a replay and its listing contradict each other."""
    players = [ScriptedPlayer() for _ in FIXTURE.bots]
    players[1] = TROUBLE[other]()  # type: ignore[call-overload]
    players[seat] = TROUBLE[trouble]()  # type: ignore[call-overload]
    data, match = play(players, max_faults)

    check_replay(data, match, expected())


class TestContradictions:
    @pytest.fixture
    def sound(self):
        """A match with faults of two seats."""
        return play([IllegalPlayer(at=(2,)), CrashingPlayer(at=(2,)), ScriptedPlayer()])

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"scores": (9, 9, 9)}, "scores "),
            ({"ranks": (1, 1, 1)}, "ranks "),
            ({"forfeits": (None,) * 3}, "ended "),
            ({"moves": 99}, "it has 15 moves, but 99 are listed"),
            ({"faults": ()}, "illegal_move of seat 0, but none is listed"),
        ],
    )
    def test_the_listing(self, sound, changes, problem):
        """What is listed otherwise than it was recorded is told."""
        data, match = sound
        other = StoredMatch(match.fixture, replace(match.report, **changes))
        with pytest.raises(ReplayError, match=problem):
            check_replay(data, other, expected())

    @pytest.mark.parametrize(
        "changes",
        [{"move": 1}, {"move": 99}, {"fault": Fault.FLOOD}, {"seat": 2}, {"forfeited": True}],
    )
    @pytest.mark.parametrize("number", [0, 1])
    def test_a_fault(self, sound, number, changes):
        """Seat, move, kind and consequence of a fault must be those recorded."""
        data, match = sound
        faults = list(match.report.faults)
        if all(getattr(faults[number], name) == value for name, value in changes.items()):
            changes = {"forfeited": False}
        faults[number] = replace(faults[number], **changes)
        other = StoredMatch(match.fixture, replace(match.report, faults=tuple(faults)))
        with pytest.raises(ReplayError):
            check_replay(data, other, expected())

    def test_a_fault_too_many(self, sound):
        """A fault that nobody recorded is told."""
        data, match = sound
        extra = SeatFault(2, 6, Fault.TIMEOUT, "", False)
        report = replace(match.report, faults=(*match.report.faults, extra))
        with pytest.raises(ReplayError, match="timeout"):
            check_replay(data, StoredMatch(match.fixture, report), expected())

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"match": "3-3"}, "match must be '3-3', not '3-2'"),
            ({"deal": 3}, "deal must be '3', not '2'"),
            ({"bots": ("b", "a", "c")}, "seats must be"),
            ({"seating": 0}, "relabel is not the renaming of this seating"),
        ],
    )
    def test_the_fixture(self, sound, changes, problem):
        """The replay must be that of the fixture."""
        data, match = sound
        other = StoredMatch(replace(FIXTURE, **changes), match.report)
        with pytest.raises(ReplayError, match=problem) as caught:
            check_replay(data, other, expected())
        assert caught.value.line == 1

    def test_another_version(self, sound):
        """Versions are compared too."""
        data, match = sound
        other = replace(expected(), versions=VERSIONS | {"c": "4"})
        with pytest.raises(ReplayError, match="seats must be"):
            check_replay(data, match, other)

    def test_another_seed(self, sound):
        """The deal's seed must be the one that the master seed makes."""
        data, match = sound
        tournament = replace(expected().tournament, seed=b"\x01" * 32)
        with pytest.raises(ReplayError, match="seed is not the one that the master seed makes"):
            check_replay(data, match, replace(expected(), tournament=tournament))
