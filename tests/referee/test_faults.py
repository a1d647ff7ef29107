from __future__ import annotations

from itertools import product

import pytest

from arena.referee.faults import Fault, ended_by, rank_with_forfeits, read_endings


def test_every_fault_has_a_name_of_its_own():
    """Faults are told apart by these names, in replays and outcomes."""
    assert [fault.value for fault in Fault] == [
        "timeout",
        "illegal_move",
        "protocol_error",
        "flood",
        "crash",
        "out_of_memory",
        "disconnect",
        "no_start",
        "out_of_processes",
        "out_of_disk",
    ]


def test_how_a_seat_ended():
    """A seat ended normally, or forfeited by a fault."""
    assert ended_by(None) == "normal"
    assert ended_by(Fault.OUT_OF_MEMORY) == "forfeit:out_of_memory"
    forfeits = (None, *Fault)
    assert read_endings([*map(ended_by, forfeits)], len(forfeits)) == forfeits


@pytest.mark.parametrize(
    ("ranks", "forfeited", "expected"),
    [
        ((1, 2, 3), (), (1, 2, 3)),
        ((1, 1, 3), (), (1, 1, 3)),
        ((1, 2, 3), (0,), (3, 1, 2)),
        ((1, 2, 3), (2,), (1, 2, 3)),
        ((1, 2, 3, 4), (1, 2), (1, 3, 3, 2)),
        ((1, 1, 3, 4), (0,), (4, 1, 2, 3)),
        ((1, 2, 2, 4), (0,), (4, 1, 1, 3)),
        ((2, 1, 2, 4), (1, 3), (1, 3, 1, 3)),
        ((1, 2, 3), (0, 1, 2), (1, 1, 1)),
    ],
)
def test_forfeited_seats_share_the_rank_after_all_others(ranks, forfeited, expected):
    """The other seats are ranked among themselves, those that forfeited behind them."""
    forfeits = tuple(Fault.CRASH if s in forfeited else None for s in range(len(ranks)))

    assert rank_with_forfeits(ranks, forfeits) == expected


def test_ranks_with_forfeits_are_always_ranks():
    """Whoever forfeits, ranks count from 1 and ties share: 1, 1, 3."""
    for ranks in {(1, 2, 3, 4), (1, 1, 3, 4), (1, 2, 2, 4), (1, 1, 1, 1), (4, 1, 2, 2)}:
        for forfeits in product((None, Fault.TIMEOUT, Fault.CRASH), repeat=4):
            made = rank_with_forfeits(ranks, forfeits)
            ordered = sorted(made)
            assert all(rank == ordered.index(rank) + 1 for rank in made)
            kept = [s for s in range(4) if forfeits[s] is None]
            assert all(
                (made[a] < made[b]) == (ranks[a] < ranks[b]) for a in kept for b in kept if a != b
            )
            assert all(made[s] == len(kept) + 1 for s in range(4) if s not in kept)
