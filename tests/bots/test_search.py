from __future__ import annotations

from random import Random

import pytest

from arena.bots.search import MOST_ITERATIONS, Budget, Confidence, search
from arena.errors import InputError

MANY = Budget(iterations=2000)


class FakeClock:
    """A clock that only moves when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Luck:
    """A toy game: a move of value v pays v plus the luck of the world, the same for all moves."""

    def __init__(self, noise: float = 0.0) -> None:
        self.rng = Random(3)
        self.noise = noise
        self.worlds = 0
        self.played: list[tuple[float, float]] = []

    def sample(self) -> float:
        self.worlds += 1
        return 100.0 * self.rng.random()

    def play_out(self, world: float, move: float) -> float:
        self.played.append((world, move))
        return world + move + self.noise * (self.rng.random() - 0.5)


def test_the_best_move_wins_although_luck_outweighs_it():
    """Luck that is common to all candidates cancels out, however large."""
    toy = Luck(noise=1.0)

    assert search([0.0, 0.3, 0.8, 0.5], toy.sample, toy.play_out, MANY) == 0.8


def test_all_candidates_are_tried_in_the_same_worlds():
    """The first worlds are played with every candidate."""
    toy = Luck(noise=1.0)
    search([0.0, 0.1, 0.2], toy.sample, toy.play_out, Budget(iterations=9))

    worlds = [world for world, _ in toy.played]
    assert worlds[0] == worlds[1] == worlds[2]
    assert [move for _, move in toy.played] == [0.0, 0.1, 0.2] * 3


def test_without_a_clear_advantage_the_first_candidate_is_kept():
    """Moves that differ by noise alone do not replace the one to fall back on."""
    kept = 0
    for seed in range(40):
        toy = Luck(noise=1.0)
        toy.rng.seed(seed)
        confidence = Confidence(drop=4.0, switch=2.0)
        kept += (
            search(
                [0.0, 1e-9], toy.sample, toy.play_out, Budget(iterations=40), confidence=confidence
            )
            == 0.0
        )

    assert kept >= 35


def test_one_world_proves_nothing():
    """A budget too small for a comparison leaves the first candidate, and still tries it."""
    toy = Luck()

    assert search([0.0, 5.0], toy.sample, toy.play_out, Budget(iterations=1)) == 0.0
    assert toy.worlds == 1


def test_a_single_candidate_costs_nothing():
    """Where there is no choice nothing is sampled."""
    toy = Luck()

    assert search([7.0], toy.sample, toy.play_out, MANY) == 7.0
    assert toy.worlds == 0


def test_hopeless_candidates_drop_out():
    """The search ends as soon as one candidate is clearly ahead of all."""
    toy = Luck(noise=0.1)

    assert search([0.0, 9.0, 1.0], toy.sample, toy.play_out, MANY) == 9.0
    assert toy.worlds == Confidence().warm_up


def test_of_equal_candidates_only_the_first_stays():
    """Candidates that do the same in every world are not told apart by more worlds."""
    toy = Luck()

    assert search([2.0, 2.0], toy.sample, toy.play_out, MANY) == 2.0
    assert toy.worlds == Confidence().warm_up


@pytest.mark.parametrize("iterations", [1, 7, 30, 101])
def test_a_budget_of_iterations_is_kept(iterations):
    """Never more playouts than allowed, but for the first world."""
    toy = Luck(noise=50.0)
    search([0.0, 0.1, 0.2], toy.sample, toy.play_out, Budget(iterations=iterations))

    assert len(toy.played) <= max(3, iterations)
    assert len(toy.played) > iterations - 3


def test_a_budget_of_seconds_is_kept():
    """The search stops before a world that would probably end too late."""
    clock = FakeClock()
    toy = Luck(noise=50.0)

    def play_out(world: float, move: float) -> float:
        clock.now += 0.01
        return toy.play_out(world, move)

    search([0.0, 0.1], toy.sample, play_out, Budget(seconds=0.5), clock=clock)

    assert 100.4 < clock.now <= 100.5


def test_time_that_is_up_at_once_leaves_the_first_candidate():
    """Even if the first world takes longer than allowed the search ends after it."""
    clock = FakeClock()
    toy = Luck()

    def play_out(world: float, move: float) -> float:
        clock.now += 60.0
        return toy.play_out(world, move)

    assert search([0.0, 5.0], toy.sample, play_out, Budget(seconds=0.1), clock=clock) == 0.0
    assert toy.worlds == 1


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({}, "either iterations or seconds"),
        ({"iterations": 5, "seconds": 1.0}, "either iterations or seconds"),
        ({"iterations": 0}, "iterations must be 1 to"),
        ({"iterations": MOST_ITERATIONS + 1}, "iterations must be 1 to"),
        ({"seconds": 0.0}, "seconds must be above 0"),
        ({"seconds": float("nan")}, "seconds must be above 0"),
        ({"seconds": 1e9}, "at most 3600"),
    ],
)
def test_an_impossible_budget_is_refused(limits, reason):
    """A budget has exactly one limit, and a sensible one."""
    with pytest.raises(InputError, match=reason):
        Budget(**limits)
