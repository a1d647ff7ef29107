"""Sampling what a seat cannot see: the sample looks the same to the seat and loses no card."""

from itertools import islice
from random import Random

import pytest

from arena.games.byzanz import Byzanz
from arena.games.counts import contains, count, intersect, pack, size
from arena.games.ledger import Tier, certain
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    BASIC,
    UNEVEN,
    do,
    dump,
    goods,
    legal,
    position,
    whole_inventory,
)


def eventful_match(game, seats, seed):
    """Yield the states of a match that prefers text cards, so that much is known."""
    rng = Random(seed)
    state = game.deal(b"eventful %d" % seed, seats)
    while state.to_act is not None:
        yield state
        moves = state.legal_moves()
        texts = [move for move in moves if "offer" not in game.move_to_text(move)]
        state.apply(rng.choice(texts or moves))
    yield state


@pytest.mark.parametrize(("game", "seats"), [(BASIC, 3), (BASIC, 5), (UNEVEN, 4)])
def test_a_sample_looks_the_same_to_its_seat(game, seats):
    """The sampled state has every card of the game and the same observation."""
    rng = Random(1)
    for number, state in enumerate(eventful_match(game, seats, 1)):
        for seat in (None, *range(seats)):
            seen = state.observe(seat)
            if (number + (seat or 0)) % 3 == 0:
                sampled = game.determinize(seen, rng)
                assert sampled.observe(seat) == seen
                assert sampled.inventory() == whole_inventory(game)
                if seat is not None and seat == state.to_act:
                    assert sampled.legal_moves() == state.legal_moves()


@pytest.mark.parametrize(("game", "seats"), [(BASIC, 3), (BASIC, 5), (UNEVEN, 4)])
def test_a_sample_respects_what_the_seat_knows(game, seats):
    """Cards known to be somewhere are there, doubtful ones as many as must be."""
    rng = Random(2)
    known = 0
    for state in eventful_match(game, seats, 2):
        seat = rng.randrange(seats)
        seen = state.observe(seat)
        sampled = game.determinize(seen, rng)
        places = [*zip(seen.hands_known, sampled.goods, strict=True)]
        for ledger, held in [*places, (seen.pile_known, pack(sampled.goods_pile))]:
            assert contains(held, certain(ledger))
            known += size(certain(ledger))
            for tier in ledger:
                assert size(intersect(held, tier.cards)) >= size(tier.cards) - tier.unseen
    assert known


def test_samples_differ_with_the_randomness_alone():
    """Equal randomness samples alike, other randomness otherwise."""
    seen = BASIC.deal(b"samples", 3).observe(1)

    one, same, other = (BASIC.determinize(seen, Random(seed)) for seed in (1, 1, 2))

    assert dump(one) == dump(same)
    assert one.goods != other.goods
    assert one.goods_pile != other.goods_pile
    assert one.cards != other.cards
    assert one.black_market_pile != other.black_market_pile
    assert one.chance.seed != other.chance.seed


def test_every_hidden_good_may_be_in_another_hand():
    """What the seat cannot see is sampled, not copied: each good turns up and is missing."""
    state = position(goods={0: "potatoes-9", 1: "sugar-9", 2: "coffee-9"})
    seen = state.observe(0)

    numbers = {
        count(BASIC.determinize(seen, Random(seed)).goods[1], good)
        for seed in range(60)
        for good in (1, 2, 3, 4)
    }

    assert {0, 1, 2, 3} <= numbers


def test_the_public_knows_no_hand_at_all():
    """A sample for the public deals every hand anew."""
    state = position(goods={0: "potatoes-9"})

    sampled = BASIC.determinize(state.observe(None), Random(1))

    assert sampled.goods[0] != state.goods[0]
    assert [size(hand) for hand in sampled.goods] == [9, 9, 9]


def test_a_card_known_through_old_debt_stays_where_it_is():
    """old_debt: every sample of the loser has the card in the other hand."""
    state = position(
        cards={0: "old_debt"}, goods={0: "flour", 1: "sugar-9", 2: "sugar-3"}, draws="sugar"
    )
    do(state, "play old_debt 1")

    for seed in range(20):
        sampled = BASIC.determinize(state.observe(1), Random(seed))
        assert contains(sampled.goods[0], goods("sugar"))


def test_doubtful_cards_stay_as_many_as_must():
    """Of five cards known and two gone unseen, three at least are in every sample."""
    state = position(goods={0: "potatoes-9", 1: "coffee-3 flour-6"})
    state.hands_known = {(0, 1): (Tier(goods("coffee-3 flour-2"), 2),)}

    for seed in range(20):
        sampled = BASIC.determinize(state.observe(0), Random(seed))
        assert size(intersect(sampled.goods[1], goods("coffee-3 flour-2"))) >= 3


def test_a_sample_shows_the_pile_to_the_seat_that_searches_it():
    """new_goods: in another seat's sample the searcher knows the sampled pile."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])
    do(state, "play new_goods")

    sampled = BASIC.determinize(state.observe(1), Random(3))

    assert certain(sampled.observe(0).pile_known) == pack(sampled.goods_pile)
    assert legal(sampled)
    sampled.apply(sampled.legal_moves()[0])
    assert sampled.phase is SchwarzmarktPhase.PLAY


def test_a_sample_of_the_searcher_has_the_pile_it_was_shown():
    """new_goods: the searcher's samples have exactly the pile's counts."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])
    do(state, "play new_goods")

    sampled = BASIC.determinize(state.observe(0), Random(3))

    assert pack(sampled.goods_pile) == pack(state.goods_pile)


def test_nobody_knows_the_order_of_the_pile():
    """Nobody: a pile whose counts are known is sampled in another order each time."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])
    do(state, "play new_goods")

    piles = [BASIC.determinize(state.observe(0), Random(seed)).goods_pile for seed in range(5)]

    assert len({tuple(pile) for pile in piles}) == 5
    assert sorted(piles[0]) not in piles


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_sample_can_be_played_to_the_end(seats):
    """A sampled state is a match like any other."""
    rng = Random(seats)
    state = next(islice(eventful_match(BASIC, seats, 3), 30, None))
    sampled = BASIC.determinize(state.observe(1), rng)

    while sampled.to_act is not None:
        sampled.apply(rng.choice(sampled.legal_moves()))

    assert sampled.inventory() == whole_inventory(BASIC)
    assert len(sampled.outcome().scores) == seats


def test_a_re_dealt_state_keeps_piles_and_chance():
    """`redeal` deals only the other hands anew; piles and future chance stay."""
    rng = Random(4)
    moved = 0
    for state in eventful_match(BASIC, 4, 4):
        before = dump(state)
        other = BASIC.redeal(state, 2, rng)
        assert dump(state) == before
        assert other.observe(2) == state.observe(2)
        assert other.goods_pile == state.goods_pile
        assert other.black_market_pile == state.black_market_pile
        assert dump(other)["chance"] == before["chance"]
        assert other.inventory() == whole_inventory(BASIC)
        moved += other.goods != state.goods
    assert moved


def test_a_re_dealt_state_goes_on_apart():
    """`redeal` returns a state of its own: playing on leaves the first one alone."""
    state = BASIC.deal(b"apart", 3)
    before = dump(state)
    other = BASIC.redeal(state, None, Random(5))

    while other.to_act is not None:
        other.apply(other.default_move())

    assert dump(state) == before
    assert state.observe(None).hand_sizes == (9, 9, 9)


def test_only_a_match_of_schwarzmarkt_is_re_dealt():
    """`redeal` refuses the state of another game."""
    with pytest.raises(TypeError, match="not a match of Schwarzmarkt"):
        BASIC.redeal(Byzanz().deal(b"seed", 3), 0, Random(1))
