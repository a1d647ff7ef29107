from __future__ import annotations

import pytest
from highcard.rules import HighCard

from arena.games.byzanz.bids import AuctionMoves
from arena.games.byzanz.rules import ByzanzState
from arena.games.game import State
from arena.games.packed import PackedMoves
from arena.games.registry import get_game
from arena.games.schwarzmarkt.rules import SchwarzmarktState

MATCHES = [
    get_game("byzanz").deal(bytes(32), 3),
    get_game("schwarzmarkt").deal(bytes(32), 3),
    HighCard().deal(bytes(32), 3),
]


class NoMoves(PackedMoves):
    first, number, last = (), 0, ()

    def sums(self):
        return (), (), (), (), 0

    def packed_at(self, place):
        raise IndexError(place)

    def unpacked(self, counts):
        raise ValueError(counts)


@pytest.mark.parametrize("kind", [ByzanzState, SchwarzmarktState])
def test_a_match_is_of_its_own_game_only(kind):
    """A state that was found to be a State is not therefore one of every game, compiled or not."""
    assert all(isinstance(match, State) for match in MATCHES)

    assert sum(isinstance(match, kind) for match in MATCHES) == 1
    assert not issubclass(type(MATCHES[2]), kind)


def test_moves_are_of_their_own_kind_only():
    """The same holds for what lists moves."""
    assert isinstance(NoMoves(), PackedMoves)

    assert not isinstance(NoMoves(), AuctionMoves)
    assert isinstance(AuctionMoves(0, 1, ()), AuctionMoves)
