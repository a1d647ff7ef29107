"""What each seat may see: what is in an observation, what is hidden, and what is remembered."""

import pytest

from arena.games.counts import contains, pack, size
from arena.games.ledger import EMPTY, Tier, certain
from arena.games.schwarzmarkt.observation import Observation, OpenCard, SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    BASIC,
    BERT,
    card,
    do,
    goods,
    goods_list,
    position,
)

PRIVATE = {"seat", "goods", "cards", "pile_known", "hands_known"}
PUBLIC = [field for field in Observation._fields if field not in PRIVATE]
EVERYBODY = (None, 0, 1, 2)


def known_hand(state, seat, owner):
    """Return the goods the seat is sure to find in another hand."""
    return certain(state.observe(seat).hands_known[owner])


def known_pile(state, seat):
    """Return the goods the seat is sure to find in the pile."""
    return certain(state.observe(seat).pile_known)


# What is in


def test_an_observation_says_all_that_is_public():
    """Public: prices, marker, demand, traded goods, open cards, sizes, luxury, cards seen."""
    state = position(
        start=1,
        to_act=0,
        offer="potatoes-2,butter-2",
        price=9,
        traded={2: "butter"},
        goods={0: "sugar-3", 1: "flour-9", 2: "potatoes-8"},
        open_cards=["raid:1", "slow_trade"],
        luxury=[1, 2, 3],
        cards_dealt_with=17,
        idle_rounds=2,
    )

    seen = state.observe(None)

    assert seen.to_act == 0
    assert seen.phase is SchwarzmarktPhase.EXCHANGE
    assert (seen.game_round, seen.start, seen.marker) == (1, 1, 4)
    assert seen.offer == card("potatoes-2,butter-2")
    assert seen.resolving is None
    assert seen.demand == goods("potatoes-2 butter")
    assert seen.traded == tuple(goods_list("butter"))
    assert seen.traders == (False, False, True)
    assert seen.open_cards == (OpenCard(card("raid"), BERT), OpenCard(card("slow_trade"), None))
    assert seen.hand_sizes == (3, 9, 8)
    assert seen.luxury == (1, 2, 3)
    assert seen.goods_pile_size == 60 - 3 - 9 - 8 - 1
    assert seen.black_market_pile_size == 30 - 9 - 3
    assert seen.seen_cards == pack([card("raid"), card("slow_trade"), seen.offer])
    assert (seen.cards_dealt_with, seen.idle_rounds) == (17, 2)


def test_a_seat_sees_its_own_goods_and_cards():
    """Private to a seat: its goods and its black-market cards; the public has none."""
    state = BASIC.deal(b"own hand", 4)

    for seat in range(4):
        seen = state.observe(seat)
        assert (seen.seat, seen.goods, seen.cards) == (seat, state.goods[seat], state.cards[seat])
    public = state.observe(None)
    assert (public.seat, public.goods, public.cards) == (None, 0, 0)


def test_everybody_agrees_on_what_is_public():
    """All seats and the public see the same of every public field, all through a match."""
    state = BASIC.deal(b"public fields", 3)
    while state.to_act is not None:
        views = [state.observe(seat) for seat in EVERYBODY]
        for field in PUBLIC:
            assert len({getattr(view, field) for view in views}) == 1, field
        state.apply(state.legal_moves()[-1])
    assert state.observe(None).phase is SchwarzmarktPhase.OVER


def test_an_observation_does_not_depend_on_what_the_seat_cannot_see():
    """Other hands and the order of the piles leave a seat's observation as it is."""
    state = position(goods={0: "potatoes-9", 1: "butter-9", 2: "sugar-9"})
    other = position(goods={0: "potatoes-9", 1: "flour-5 sugar-4", 2: "coffee-9"})
    other.goods_pile.reverse()
    other.black_market_pile.reverse()
    other.cards[1], other.cards[2] = other.cards[2], other.cards[1]

    for seat in (0, None):
        assert other.observe(seat) == state.observe(seat)
    assert other.observe(1) != state.observe(1)


def test_cards_are_seen_when_played_or_buried_and_not_when_drawn():
    """Public: which black-market cards have been seen, each type once."""
    state = position(
        cards={0: "scarce_goods", 1: "new_goods new_goods protection", 2: "scarce_goods"},
        market_top="old_debt foraging",
    )

    do(state, "play scarce_goods", "bury protection", "play scarce_goods")

    assert state.observe(0).seen_cards == pack([card("scarce_goods"), card("protection")])


@pytest.mark.parametrize("player", [0, 1, 2])
def test_the_search_of_the_pile_is_public_but_not_what_it_shows(player):
    """new_goods: everybody sees the card being carried out, the player alone the counts."""
    state = position(start=player, cards={player: "new_goods"}, luxury=[5, 5, 5])

    do(state, "play new_goods")

    assert {state.observe(seat).resolving for seat in EVERYBODY} == {card("new_goods")}
    for seat in EVERYBODY:
        shown = pack(state.goods_pile) if seat == player else 0
        assert known_pile(state, seat) == shown


# What is remembered of hands


def test_nothing_is_known_at_the_start():
    """At the start nobody knows a card in another hand or in the pile."""
    state = BASIC.deal(b"nothing known", 3)

    for seat in EVERYBODY:
        assert state.observe(seat).hands_known == (EMPTY, EMPTY, EMPTY)
        assert state.observe(seat).pile_known == EMPTY


def debt_position(**details):
    """Seat 0 has just drawn sugar from seat 1 by old_debt."""
    state = position(
        cards={0: "old_debt", **details.pop("cards", {})},
        goods={0: "flour-8", 1: "sugar-9", **details.pop("goods", {})},
        draws="sugar",
        **details,
    )
    do(state, "play old_debt 1")
    return state


def test_the_victim_of_old_debt_knows_the_card_in_the_other_hand():
    """old_debt: the loser remembers what the player got; nobody else learns anything."""
    state = debt_position()

    assert known_hand(state, 1, 0) == goods("sugar")
    for seat in (0, 2, None):
        assert state.observe(seat).hands_known == (EMPTY, EMPTY, EMPTY)
    assert state.observe(1).hands_known[1:] == (EMPTY, EMPTY)


def test_the_knowledge_of_old_debt_ends_when_the_card_is_traded():
    """old_debt: a card seen to leave the hand is no longer known to be in it."""
    state = debt_position(cards={1: "sugar-3"})
    do(state, "play sugar-3", "step 1", "step 1")
    assert known_hand(state, 1, 0) == goods("sugar")

    do(state, "trade sugar")

    assert state.observe(1).hands_known[0] == EMPTY


def test_a_trade_of_other_goods_leaves_the_knowledge():
    """old_debt: the card is still there after the owner traded something else."""
    state = debt_position(cards={1: "flour-3"})

    do(state, "play flour-3", "step 1", "step 1", "trade flour")

    assert known_hand(state, 1, 0) == goods("sugar")


def test_foraging_makes_the_knowledge_of_one_card_void():
    """old_debt, foraging: the owner may have laid the card aside, so it is known no more."""
    state = debt_position(cards={1: "slow_trade", 2: "scarce_goods", 0: "old_debt foraging"})

    do(state, "play slow_trade", "play scarce_goods", "play foraging flour")

    assert state.observe(1).hands_known[0] == EMPTY


def test_foraging_makes_the_knowledge_of_several_cards_doubtful():
    """old_debt, foraging: of two cards known one may be gone after one was laid aside."""
    state = position(cards={0: "foraging"}, goods={0: "sugar-2 flour"})
    state.hands_known = {(1, 0): (Tier(goods("sugar-2"), 0),)}

    do(state, "play foraging flour")

    assert state.observe(1).hands_known[0] == (Tier(goods("sugar-2"), 1),)
    assert known_hand(state, 1, 0) == 0


def test_the_drawer_of_old_debt_knows_what_left_the_hand():
    """old_debt: a card known to be in the hand and drawn from it is known no more."""
    state = position(cards={0: "old_debt"}, goods={1: "sugar coffee"}, draws="sugar")
    state.hands_known = {(0, 1): (Tier(goods("sugar coffee"), 0),)}

    do(state, "play old_debt 1")

    assert known_hand(state, 0, 1) == goods("coffee")


def test_old_debt_makes_what_a_third_seat_knows_doubtful():
    """old_debt: a third seat does not know which card left a hand it knew a part of."""
    state = position(cards={0: "old_debt"}, goods={1: "sugar coffee flour"}, draws="flour")
    state.hands_known = {(2, 1): (Tier(goods("sugar coffee"), 0),)}

    do(state, "play old_debt 1")

    assert state.observe(2).hands_known[1] == (Tier(goods("sugar coffee"), 1),)


def test_drawing_the_card_back_ends_the_knowledge():
    """old_debt: the victim that draws its own card back knows nothing of the hand any more."""
    state = debt_position(cards={1: "old_debt"})
    state.chance.draws = goods_list("sugar")

    do(state, "play old_debt 0")

    assert state.observe(1).hands_known == (EMPTY, EMPTY, EMPTY)
    assert known_hand(state, 0, 1) == goods("sugar")


def test_two_old_debts_add_up():
    """old_debt: two cards lost to the same hand are both remembered."""
    state = position(
        cards={0: "old_debt old_debt", 1: "slow_trade", 2: "scarce_goods"},
        goods={1: "sugar-4 coffee-5"},
        draws="sugar coffee",
    )

    do(state, "play old_debt 1", "play slow_trade", "play scarce_goods", "play old_debt 1")

    assert known_hand(state, 1, 0) == goods("sugar coffee")


def test_knowledge_of_a_hand_lasts_beyond_the_re_deal():
    """S6.1: goods stay in a hand that is filled up, and so does what is known of it."""
    state = debt_position(cards={1: "butter-3"}, goods={2: "butter"})

    do(state, "play butter-3", "step 1", "trade butter")

    assert state.game_round == 2
    assert known_hand(state, 1, 0) == goods("sugar")


def test_a_return_makes_the_knowledge_doubtful():
    """S6.1: the card known may have been the one returned."""
    state = debt_position(cards={1: "butter-3"}, goods={0: "flour-9", 2: "butter"})
    do(state, "play butter-3", "step 1", "trade butter")
    assert (state.phase, state.to_act) == (SchwarzmarktPhase.RETURN, 0)
    assert known_hand(state, 1, 0) == goods("sugar")

    do(state, "return flour")

    assert state.observe(1).hands_known[0] == EMPTY


def test_each_return_may_have_been_one_of_the_cards_known():
    """S6.1: of three cards known, one return leaves two sure, though not which."""
    state = position(offer="potatoes-3", goods={0: "potatoes", 1: "sugar-3 flour-8", 2: "coffee-9"})
    state.hands_known[2, 1] = (Tier(goods("sugar-3"), 0),)

    do(state, "trade potatoes", "return flour")

    assert state.observe(2).hands_known[1] == (Tier(goods("sugar-3"), 1),)


# What is remembered of the pile


def test_goods_traded_are_known_to_lie_in_the_pile():
    """S3.4: everybody saw the goods traded and knows them to be in the pile."""
    state = position(offer="potatoes-3", goods={0: "potatoes-3 flour"})

    do(state, "trade potatoes potatoes potatoes")

    for seat in EVERYBODY:
        assert known_pile(state, seat) == goods("potatoes-3")


def found_position():
    """Seat 0 has searched a pile of sugar, sugar and flour and taken a sugar."""
    state = position(
        cards={0: "new_goods", 1: "potatoes-3", 2: "foraging"},
        luxury=[5, 0, 0],
        goods={1: "potatoes-3 coffee", 0: "coffee"},
        goods_top="sugar sugar flour",
        rest_of_goods_to=2,
    )
    do(state, "play new_goods", "find sugar")
    return state


def test_the_pile_is_remembered_as_last_seen():
    """new_goods: the player goes on knowing the counts, less the card taken."""
    state = found_position()

    assert known_pile(state, 0) == goods("sugar flour") == pack(state.goods_pile)
    assert state.observe(1).pile_known == EMPTY


def test_goods_added_since_are_remembered_too():
    """new_goods: what was traded since is added to the counts as last seen."""
    state = found_position()

    do(state, "play potatoes-3", "trade potatoes potatoes potatoes")

    assert known_pile(state, 0) == goods("sugar flour potatoes-3")
    assert known_pile(state, 1) == goods("potatoes-3")


def test_goods_taken_unseen_make_the_memory_doubtful():
    """new_goods, foraging: after one card was drawn unseen one of the cards seen may be gone."""
    state = found_position()
    do(state, "play potatoes-3", "trade potatoes potatoes potatoes")

    do(state, "play foraging coffee")

    assert state.observe(0).pile_known == (Tier(goods("sugar flour potatoes-3"), 1),)


def test_a_find_makes_what_others_know_of_the_pile_doubtful():
    """new_goods: the others do not know which card was taken."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])
    state.pile_known = [(Tier(goods("sugar flour"), 0),)] * 4

    do(state, "play new_goods", "find sugar")

    for seat in (1, 2, None):
        assert state.observe(seat).pile_known == (Tier(goods("sugar flour"), 1),)


def test_a_find_ends_what_others_know_of_one_card():
    """new_goods: a single card known may be the one taken, so nothing is sure any more."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])
    state.pile_known = [(Tier(goods("sugar"), 0),)] * 4

    do(state, "play new_goods", "find flour")

    for seat in (1, 2, None):
        assert state.observe(seat).pile_known == EMPTY


def test_the_forager_knows_what_went_under_the_pile():
    """foraging: the player knows the goods laid aside; the others do not."""
    state = position(cards={0: "foraging"}, goods={0: "sugar-2 flour"})

    do(state, "play foraging sugar flour")

    assert known_pile(state, 0) == goods("sugar flour")
    for seat in (1, 2, None):
        assert state.observe(seat).pile_known == EMPTY


def test_the_forager_knows_what_it_drew():
    """foraging: a card known to be in the pile and drawn is known to be there no more."""
    state = position(cards={0: "foraging"}, goods={0: "sugar-2"}, goods_top="coffee flour")
    state.pile_known = [(Tier(goods("coffee flour"), 0),)] * 4

    do(state, "play foraging sugar")

    assert known_pile(state, 0) == goods("flour sugar")
    assert state.observe(1).pile_known == (Tier(goods("coffee flour"), 1),)


def test_the_returner_knows_what_it_returned():
    """S6.1: a card returned is known to its owner to be in the pile, until cards are dealt."""
    state = position(
        seats=4,
        offer="potatoes-3",
        goods={0: "potatoes", 1: "sugar-6 butter-5", 2: "flour-10", 3: "coffee-9"},
    )
    do(state, "trade potatoes", "return sugar", "return sugar")

    assert (state.phase, state.to_act) == (SchwarzmarktPhase.RETURN, 2)
    assert known_pile(state, 1) == goods("potatoes sugar-2")
    for seat in (0, 2, 3, None):
        assert known_pile(state, seat) == goods("potatoes")


def test_the_re_deal_makes_the_pile_s_memory_doubtful():
    """S6.1: cards dealt to others leave the pile unseen, one's own are seen."""
    state = position(
        offer="potatoes-3",
        goods={0: "potatoes", 1: "sugar-8", 2: "flour-9"},
        goods_top="sugar coffee",
    )
    counts = pack(state.goods_pile)
    state.pile_known = [(Tier(counts, 0),)] * 4

    do(state, "trade potatoes")

    whole = counts + goods("potatoes")
    assert state.observe(0).pile_known == (Tier(whole - state.goods[0], 1),)
    own = state.goods[1] - goods("sugar-8")
    assert state.observe(1).pile_known == (Tier(whole - own, 9),)
    for seat in (2, None):
        assert state.observe(seat).pile_known == (Tier(whole, 10),)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_what_is_remembered_is_true(seats):
    """All that a seat is sure of is there, and of doubtful cards as many as cannot have left."""
    state = BASIC.deal(b"memory", seats)
    doubtful = 0
    turn = 0
    while state.to_act is not None:
        moves = state.legal_moves()
        texts = [move for move in moves if "offer" not in BASIC.move_to_text(move)]
        options = texts or moves
        state.apply(options[turn * 7 % len(options)])
        turn += 1
        for seat in (None, *range(seats)):
            seen = state.observe(seat)
            places = [*zip(seen.hands_known, state.goods, strict=True)]
            for ledger, held in [*places, (seen.pile_known, pack(state.goods_pile))]:
                assert contains(held, certain(ledger))
                for tier in ledger:
                    gone = sum(
                        max(0, tier_count - held_count)
                        for tier_count, held_count in zip(
                            _numbers(tier.cards), _numbers(held), strict=True
                        )
                    )
                    assert gone <= tier.unseen
                    doubtful += tier.unseen > 0
                    assert size(tier.cards) > 0
    assert doubtful


def _numbers(counts):
    return [counts >> (8 * good) & 127 for good in range(5)]
