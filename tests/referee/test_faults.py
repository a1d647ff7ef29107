from __future__ import annotations

from itertools import product

import pytest

from arena.referee.faults import ENDINGS, FORFEIT, NORMAL, Fault, ended_by, rank_with_forfeits


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
    ]


def test_how_a_seat_ended():
    """A seat ended normally, or forfeited by a fault."""
    assert ended_by(None) == "normal"
    assert ended_by(Fault.OUT_OF_MEMORY) == "forfeit:out_of_memory"
    assert {ended_by(None), *map(ended_by, Fault)} == ENDINGS
    assert len(ENDINGS) == len(Fault) + 1


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
    ended = tuple(FORFEIT + "crash" if s in forfeited else NORMAL for s in range(len(ranks)))

    assert rank_with_forfeits(ranks, ended) == expected


def test_ranks_with_forfeits_are_always_ranks():
    """Whoever forfeits, ranks count from 1 and ties share: 1, 1, 3."""
    for ranks in {(1, 2, 3, 4), (1, 1, 3, 4), (1, 2, 2, 4), (1, 1, 1, 1), (4, 1, 2, 2)}:
        for ended in product((NORMAL, "forfeit:timeout", "forfeit:crash"), repeat=4):
            made = rank_with_forfeits(ranks, ended)
            ordered = sorted(made)
            assert all(rank == ordered.index(rank) + 1 for rank in made)
            kept = [s for s in range(4) if ended[s] == NORMAL]
            assert all(
                (made[a] < made[b]) == (ranks[a] < ranks[b]) for a in kept for b in kept if a != b
            )
            assert all(made[s] == len(kept) + 1 for s in range(4) if s not in kept)
