"""Documents of matches depend on nothing that their readers may not know."""

from __future__ import annotations

from random import Random

import pytest
from highcard.rules import HighCard

from arena.games.byzanz import Byzanz
from arena.games.game import Outcome, Seat
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, Forfeits
from arena.referee.follow import FollowedMove
from arena.referee.replay import Entrant, Header
from arena.testing.trial import Trial
from arena.testing.twin_worlds import FIRST, SECOND, Conduct, plan_twins
from arena.web.replay import pack_document, replay_document
from arena.web.steps import EVERYTHING, PUBLIC, views_of

TABLES = [
    *((game, seats) for game in (Byzanz(), Schwarzmarkt()) for seats in game.table_sizes),
    (HighCard(), 3),
]
NAMES = [f"{game.name}-{seats}p" for game, seats in TABLES]


class FollowedWorld:
    """One world of a plan, told like a replay; what only others may know differs by world."""

    def __init__(self, plan, world):
        self._plan, self._world = plan, world
        self._rng = Random(world)
        self.game = plan.game_in(world)
        self.state = self.game.start(None, None)
        seats = range(plan.trial.seats)
        self.header = Header(
            arena="0",
            game=self.game.name,
            options={},
            match="m1",
            deal=f"deal-{world}",
            seed=bytes([world] * 32),
            relabel=(),
            seats=[Entrant(f"bot-{seat}", "1") for seat in seats],
            setup={"secret": world},
        )
        self.outcome: Outcome | None = None
        self.forfeits: Forfeits = ()

    def __iter__(self):
        watcher = self._plan.watcher
        for number, step in enumerate(self._plan.steps, start=2):
            seat, legal = self.state.to_act, len(self.state.legal_moves())
            is_own = seat == watcher
            events = self.state.apply(step.moves[self._world])
            fault = Fault.TIMEOUT if step.conduct is not Conduct.MOVE and legal > 1 else None
            ms = 5.0 if is_own else self._rng.random() * 100
            note = "mine" if is_own else "x" * self._rng.randrange(9)
            yield FollowedMove(
                number, seat, step.moves[self._world], legal, fault, ms, note, events, self.state
            )
        self.outcome = Outcome((0,) * self._plan.trial.seats, (1,) * self._plan.trial.seats)
        self.forfeits = (None,) * self._plan.trial.seats


def documents(plan):
    view = PUBLIC if plan.watcher is None else str(plan.watcher)
    return [
        replay_document(FollowedWorld(plan, world), views=[view], control=TimeControl(0.01, 1.0))
        for world in (FIRST, SECOND)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES, ids=NAMES)
def test_a_document_does_not_depend_on_what_its_reader_cannot_see(game, seats):
    """Two worlds that look the same to a seat or the public give it the same bytes."""
    differing = 0
    for watcher in (Seat(0), Seat(seats - 1), None):
        plan = plan_twins(Trial(game, seats, 1), watcher, 1 if watcher == 0 else None)
        differing += plan.differing
        first, second = documents(plan)
        assert first == second
        assert pack_document(first) == pack_document(second)
        assert len(first["steps"]) == len(plan.steps) + 1
        own = [step for step in first["steps"] if "decision" in step]
        assert {step["seat"] for step in own} == ({watcher} - {None})
    assert differing


def test_the_whole_document_does_depend_on_it():
    """The comparison can fail: in the view of everything the same two worlds differ."""
    plan = plan_twins(Trial(Byzanz(), 4, 1), Seat(0), 1)
    views = [EVERYTHING, *views_of(4)[1:]]
    first, second = (replay_document(FollowedWorld(plan, w), views=views) for w in (FIRST, SECOND))

    assert first["steps"] != second["steps"]
