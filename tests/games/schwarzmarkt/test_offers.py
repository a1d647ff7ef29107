"""The 20 offers: each opens an exchange round for its goods and goes under the pile."""

import pytest

from arena.games.counts import size, unpack
from arena.games.schwarzmarkt.material import GOODS
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    BASIC,
    UNEVEN,
    do,
    goods,
    legal,
    market_names,
    names_of,
    position,
)

OFFERS = [card for card in BASIC.material.cards if card.effect is None]
NAMES = [offer.name for offer in OFFERS]


def held(offer):
    """Return a hand that serves the offer and keeps one card more."""
    wanted = " ".join(GOODS[good] for good in unpack(offer.demand))
    return f"{wanted} {GOODS[unpack(offer.demand)[0]]}"


@pytest.mark.parametrize("game", [BASIC, UNEVEN], ids=["basic", "uneven"])
@pytest.mark.parametrize("offer", OFFERS, ids=NAMES)
def test_an_offer_is_served_whole(game, offer):
    """S3.2, S4.3: an offer wants exactly its goods, and ends when they have all been traded."""
    state = position(game=game, cards={0: offer.name}, goods={0: held(offer)})

    do(state, f"play {offer.name}")
    assert state.observe(None).demand == offer.demand
    assert (state.phase, state.to_act) == (SchwarzmarktPhase.EXCHANGE, 0)
    do(state, f"trade {names_of(unpack(offer.demand))}")

    assert state.luxury[0] == size(offer.demand)
    assert market_names(state, state.black_market_pile[-1:]) == [offer.name]
    assert state.phase is SchwarzmarktPhase.PLAY


@pytest.mark.parametrize("offer", OFFERS, ids=NAMES)
def test_every_part_of_an_offer_may_be_traded(offer):
    """S4.2: the trades are all the ways to give part of the goods wanted, each once."""
    state = position(offer=offer.name, goods={0: held(offer)})
    ways = 1
    for good in set(unpack(offer.demand)):
        ways *= unpack(offer.demand).count(good) + 1

    trades = [move for move in legal(state) if move.startswith("trade")]

    assert len(trades) == len(set(trades)) == ways - 1


def test_an_offer_may_be_played_although_nobody_holds_its_goods():
    """S3.3: an offer has no condition."""
    state = position(goods={0: "butter-9", 1: "sugar-9", 2: "coffee-9"}, cards={0: "flour-3"})

    do(state, "play flour-3")

    assert legal(state) == ["step 1", "step 2", "step 3", "step 4"]
    assert state.demand == goods("flour-3")
