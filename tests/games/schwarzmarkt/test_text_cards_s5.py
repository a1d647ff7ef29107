"""S5: every text card: when it may be played, what it does, who sees it, where it goes."""

import pytest

from arena.games.counts import count, pack, size
from arena.games.game import seen_by
from arena.games.schwarzmarkt.events import (
    Foraged,
    GoodDrawn,
    GoodFound,
    PileSearched,
    PileShuffled,
    ProtectionPaid,
)
from arena.games.schwarzmarkt.moves import Find, Play
from arena.games.schwarzmarkt.observation import OpenCard, SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    ANNA,
    BASIC,
    BERT,
    CARL,
    DORA,
    PRINTED,
    StackedChance,
    card,
    check_refused,
    do,
    goods,
    hand,
    legal,
    market_names,
    names_of,
    of_type,
    position,
    whole_inventory,
)


def plays_of(state, name):
    return [move for move in legal(state) if move.startswith(f"play {name}")]


def lies_under_the_pile(state, name):
    return market_names(state, state.black_market_pile[-1:]) == [name]


# old_debt


def test_old_debt_may_be_played_on_players_who_hold_goods():
    """S5 old_debt: the target is another player who holds goods."""
    state = position(seats=4, start=1, cards={1: "old_debt"}, goods={2: ""})

    assert plays_of(state, "old_debt") == ["play old_debt 0", "play old_debt 3"]
    check_refused(state, "play old_debt 1", "S5")
    check_refused(state, "play old_debt 2", "S5")


def test_old_debt_needs_another_player_with_goods():
    """S5 old_debt: if nobody else holds goods it may not be played."""
    state = position(cards={0: "old_debt"}, goods={1: "", 2: ""})

    assert plays_of(state, "old_debt") == []
    check_refused(state, "play old_debt 1", "S5")


def test_old_debt_may_be_played_with_an_empty_hand():
    """S5 old_debt: the player's own goods do not matter."""
    state = position(cards={0: "old_debt"}, goods={0: ""}, draws="sugar")

    do(state, "play old_debt 2")

    assert hand(state, 0) == "sugar"


def test_old_debt_takes_one_card_drawn_at_random_from_the_whole_hand():
    """S5 old_debt: one card of the target's hand goes to the player's, whatever chance says."""
    state = position(
        cards={0: "old_debt"},
        goods={0: "flour-9", 1: "potatoes sugar-2"},
        draws="sugar",
    )

    events = do(state, "play old_debt 1")

    assert state.chance.log == ["pick old_debt of 3"]
    assert hand(state, 1) == "potatoes sugar"
    assert hand(state, 0) == "sugar" + " flour" * 9
    assert of_type(events, GoodDrawn) == [GoodDrawn(ANNA, BERT, 2)]


def test_only_the_two_see_the_card_of_old_debt():
    """S5 old_debt: the others see that a card changed hands, not which."""
    state = position(seats=4, cards={0: "old_debt"}, draws="sugar", goods={1: "sugar-9"})

    (event,) = of_type(do(state, "play old_debt 1"), GoodDrawn)

    assert seen_by(event, ANNA) == seen_by(event, BERT) == GoodDrawn(ANNA, BERT, 2)
    for other in (CARL, DORA, None):
        assert seen_by(event, other) == GoodDrawn(ANNA, BERT, None)


def test_old_debt_goes_under_the_pile_when_done():
    """S5 old_debt, S3.4: it acts at once, and the next start player is the left neighbour."""
    state = position(cards={0: "old_debt"})

    do(state, "play old_debt 1")

    assert lies_under_the_pile(state, "old_debt")
    assert (state.start, state.phase) == (1, SchwarzmarktPhase.PLAY)


def test_old_debt_on_a_seat_that_is_not_at_the_table_is_refused():
    """S5 old_debt: the target sits at this table."""
    state = position(cards={0: "old_debt"})

    check_refused(state, "play old_debt 4", "S5")
    check_refused(state, Play(card("old_debt")), "S5")


# new_goods


@pytest.mark.parametrize(("owned", "playable"), [(0, False), (4, False), (5, True), (6, True)])
def test_new_goods_needs_5_luxury(owned, playable):
    """S5 new_goods (Ruling), worked example 6: the player owns at least 5."""
    state = position(cards={0: "new_goods"}, luxury=[owned, 9, 9])

    assert plays_of(state, "new_goods") == (["play new_goods"] if playable else [])
    if not playable:
        check_refused(state, "play new_goods", "S5")


def test_new_goods_needs_a_goods_pile():
    """S5 new_goods (Ruling): the goods pile is not empty."""
    state = position(cards={0: "new_goods"}, luxury=[9, 0, 0], rest_of_goods_to=2)

    assert not state.goods_pile
    check_refused(state, "play new_goods", "S5")


def test_new_goods_costs_5_and_shows_the_pile_s_counts_to_the_player():
    """S5 new_goods: the player pays the bank 5, is asked, and sees the counts alone."""
    state = position(cards={0: "new_goods"}, luxury=[7, 1, 0])
    counts = pack(state.goods_pile)

    events = do(state, "play new_goods")

    assert list(state.luxury) == [2, 1, 0]
    assert (state.phase, state.to_act) == (SchwarzmarktPhase.FIND, 0)
    (event,) = of_type(events, PileSearched)
    assert seen_by(event, ANNA) == PileSearched(ANNA, counts)
    for other in (BERT, CARL, None):
        assert seen_by(event, other) == PileSearched(ANNA, None)


def test_new_goods_lies_open_until_the_good_is_named():
    """S5 new_goods, S3.4: while it is being carried out it is in no pile, and no card is lost."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])

    do(state, "play new_goods")

    assert state.observe(None).resolving == card("new_goods")
    assert state.black_market_pile.count(card("new_goods")) == 1
    assert state.inventory() == whole_inventory(BASIC)


def test_any_good_of_the_pile_may_be_found_and_no_other():
    """S5 new_goods: one card of a good named, out of those in the pile."""
    state = position(
        cards={0: "new_goods"},
        luxury=[5, 0, 0],
        goods_top="sugar flour sugar",
        rest_of_goods_to=2,
    )
    do(state, "play new_goods")

    assert legal(state) == ["find sugar", "find flour"]
    check_refused(state, "find potatoes", "S5")
    check_refused(state, Find(7), "S5")


def test_the_good_found_comes_into_the_hand_and_the_pile_is_shuffled():
    """S5 new_goods: the pile loses the card and is shuffled; the card goes under the pile."""
    state = position(
        cards={0: "new_goods"},
        luxury=[5, 0, 0],
        goods={0: "butter"},
        goods_top="sugar flour coffee sugar",
        rest_of_goods_to=2,
    )
    do(state, "play new_goods")

    events = do(state, "find sugar")

    assert hand(state, 0) == "butter sugar"
    assert names_of(state.goods_pile) == "sugar coffee flour"  # what was left, upside down
    assert state.chance.log == ["shuffle goods"]
    assert events == [GoodFound(ANNA, 2), PileShuffled("goods", tuple(state.goods_pile))]
    assert lies_under_the_pile(state, "new_goods")
    assert state.resolving is None
    assert (state.start, state.to_act, state.phase) == (1, 1, SchwarzmarktPhase.PLAY)


def test_only_the_player_knows_the_good_found():
    """S5 new_goods: the good named is private, the new order nobody's."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])
    do(state, "play new_goods")

    found, shuffled = do(state, "find sugar")

    assert seen_by(found, ANNA) == GoodFound(ANNA, 2)
    assert seen_by(found, BERT) == seen_by(found, None) == GoodFound(ANNA, None)
    for seat in (ANNA, BERT, CARL, None):
        assert seen_by(shuffled, seat) == PileShuffled("goods", None)


def test_finding_the_only_card_is_a_decision_and_empties_the_pile():
    """S5 new_goods: a find of the only good is asked for, and the pile may run out."""
    state = position(
        cards={0: "new_goods"}, luxury=[5, 0, 0], goods_top="coffee", rest_of_goods_to=2
    )
    do(state, "play new_goods")
    assert legal(state) == ["find coffee"]

    do(state, "find coffee")

    assert not state.goods_pile
    assert state.phase is SchwarzmarktPhase.PLAY


def test_while_a_good_is_to_be_named_nothing_else_is_possible():
    """S5 new_goods: the player finds and does nothing else."""
    state = position(cards={0: "new_goods raid"}, luxury=[10, 0, 0], goods={0: "sugar-9"})
    do(state, "play new_goods")

    check_refused(state, "play raid 1", "S3.1")
    check_refused(state, "bury raid", "S3.3")
    check_refused(state, "trade sugar", "S4.2")
    check_refused(state, "step 1", "S4.2")
    check_refused(state, "hold", "S4.3")
    check_refused(state, "return sugar", "S6.1")


# scarce_goods


def test_scarce_goods_is_always_playable_and_stays_open():
    """S5 scarce_goods: it lies open until the next exchange round ends."""
    state = position(cards={0: "scarce_goods"}, goods={0: ""})

    do(state, "play scarce_goods")

    assert state.observe(None).open_cards == (OpenCard(card("scarce_goods"), None),)
    assert (state.start, state.phase) == (1, SchwarzmarktPhase.PLAY)
    assert state.black_market_pile.count(card("scarce_goods")) == 1  # the other copy


def test_worked_example_5():
    """S5 scarce_goods, worked example 5: one card a seat, then all is free again."""
    state = position(
        cards={0: "scarce_goods", 1: "potatoes-3", 2: "potatoes-2,butter-2"},
        goods={0: "flour-9", 1: "potatoes-6 butter-3", 2: "potatoes-3 butter-6"},
    )
    do(state, "play scarce_goods", "play potatoes-3")

    check_refused(state, "trade potatoes potatoes", "S5")
    assert legal(state)[0] == "trade potatoes"
    do(state, "trade potatoes", "step 1", "step 1")
    assert state.to_act == 1
    assert [move for move in legal(state) if move.startswith("trade")] == []
    check_refused(state, "trade potatoes", "S5")
    while state.phase is SchwarzmarktPhase.EXCHANGE:
        do(state, legal(state)[-1])
    assert state.to_act == 2
    do(state, "play potatoes-2,butter-2")
    assert "trade potatoes potatoes butter butter" in legal(state)


def test_scarce_goods_binds_each_player_apart():
    """S5 scarce_goods: a seat may trade its card although another has traded."""
    state = position(
        offer="potatoes-3",
        open_cards=["scarce_goods"],
        goods={0: "potatoes-4", 1: "potatoes-4"},
    )

    do(state, "trade potatoes")

    assert legal(state)[0] == "trade potatoes"


def test_two_open_scarce_goods_act_as_one():
    """S5: with both copies open each player may still trade one card, and both go under."""
    state = position(
        offer="potatoes-3",
        price=50,
        open_cards=["scarce_goods", "scarce_goods"],
        goods={0: "potatoes-4"},
    )
    assert legal(state) == ["trade potatoes", "hold"]

    do(state, "trade potatoes")

    under = market_names(state, state.black_market_pile[-3:])
    assert under == ["scarce_goods", "scarce_goods", "offer:potatoes-3"]


# foraging


@pytest.mark.parametrize("case", ["no goods in hand", "no goods in the pile"])
def test_foraging_needs_goods_in_hand_and_in_the_pile(case):
    """S5 foraging: playable if the player holds goods and the pile is not empty."""
    if case == "no goods in hand":
        state = position(cards={0: "foraging"}, goods={0: ""})
    else:
        state = position(cards={0: "foraging"}, goods={0: "sugar"}, rest_of_goods_to=2)

    assert plays_of(state, "foraging") == []
    check_refused(state, "play foraging sugar", "S5")


def test_foraging_lays_aside_one_to_three_goods_of_choice():
    """S5 foraging: every choice of 1 to 3 goods held, equal cards once."""
    state = position(cards={0: "foraging"}, goods={0: "sugar-4 flour"})

    assert sorted(plays_of(state, "foraging")) == sorted(
        f"play foraging {laid}"
        for laid in [
            "sugar",
            "sugar sugar",
            "sugar sugar sugar",
            "flour",
            "sugar flour",
            "sugar sugar flour",
        ]
    )
    check_refused(state, "play foraging sugar sugar sugar flour", "S5")
    check_refused(state, "play foraging flour flour", "S5")
    check_refused(state, "play foraging coffee", "S5")
    check_refused(state, Play(card("foraging")), "S5")
    check_refused(state, Play(card("foraging"), BERT, goods("sugar")), "S5")


def test_foraging_lays_aside_at_most_as_many_as_the_pile_holds():
    """S5 foraging: with two cards in the pile at most two are laid aside."""
    state = position(
        cards={0: "foraging"},
        goods={0: "sugar-4"},
        goods_top="coffee flour",
        rest_of_goods_to=2,
    )

    assert plays_of(state, "foraging") == ["play foraging sugar", "play foraging sugar sugar"]
    check_refused(state, "play foraging sugar sugar sugar", "S5")


def test_foraging_draws_from_the_top_before_the_laid_goods_go_under():
    """S5 foraging: as many from the top, then the laid ones under the pile in canonical order."""
    state = position(
        cards={0: "foraging"},
        goods={0: "flour sugar potatoes butter"},
        goods_top="coffee coffee butter sugar",
    )
    below = names_of(state.goods_pile[3:])

    events = do(state, "play foraging flour sugar potatoes")

    assert hand(state, 0) == "butter butter coffee coffee"
    assert names_of(state.goods_pile) == f"{below} potatoes sugar flour"
    assert of_type(events, Foraged) == [
        Foraged(ANNA, 3, goods("potatoes sugar flour"), goods("coffee-2 butter"))
    ]


def test_foraging_never_draws_what_was_just_laid_aside():
    """S5 foraging: with one card in the pile, that card and the laid one change places."""
    state = position(
        cards={0: "foraging"}, goods={0: "sugar"}, goods_top="coffee", rest_of_goods_to=2
    )

    do(state, "play foraging sugar")

    assert hand(state, 0) == "coffee"
    assert names_of(state.goods_pile) == "sugar"


def test_foraging_is_hidden_but_for_the_number():
    """S5 foraging: the others learn only how many cards moved."""
    state = position(cards={0: "foraging"}, goods={0: "sugar-9"}, goods_top="coffee-2")

    (event,) = of_type(do(state, "play foraging sugar sugar"), Foraged)

    assert seen_by(event, ANNA) == Foraged(ANNA, 2, goods("sugar-2"), goods("coffee-2"))
    assert seen_by(event, BERT) == seen_by(event, None) == Foraged(ANNA, 2, None, None)


def test_foraging_goes_under_the_pile_when_done():
    """S5 foraging, S3.4: it acts at once and shuffles nothing."""
    state = position(cards={0: "foraging"}, goods={0: "sugar-9"})

    do(state, "play foraging sugar")

    assert lies_under_the_pile(state, "foraging")
    assert state.chance.log == []
    assert (state.start, state.phase) == (1, SchwarzmarktPhase.PLAY)


# protection


def test_protection_is_played_on_players_who_own_luxury_goods():
    """S5 protection: the target is another player who owns something."""
    state = position(seats=4, start=1, cards={1: "protection"}, luxury=[1, 50, 0, 3])

    assert plays_of(state, "protection") == ["play protection 0", "play protection 3"]
    check_refused(state, "play protection 1", "S5")
    check_refused(state, "play protection 2", "S5")


def test_protection_needs_another_owner():
    """S5 protection: the player's own luxury goods do not make it playable."""
    state = position(cards={0: "protection"}, luxury=[50, 0, 0])

    check_refused(state, "play protection 1", "S5")
    assert plays_of(state, "protection") == []


@pytest.mark.parametrize(("owned", "paid"), [(1, 1), (4, 4), (5, 5), (6, 5), (50, 5)])
def test_protection_pays_5_or_all(owned, paid):
    """S5 protection: the target pays 5, or all they own if less, in the open."""
    state = position(cards={0: "protection"}, luxury=[2, owned, 9])

    events = do(state, "play protection 1")

    assert list(state.luxury) == [2 + paid, owned - paid, 9]
    (event,) = of_type(events, ProtectionPaid)
    assert event == seen_by(event, None) == ProtectionPaid(ANNA, BERT, paid)
    assert lies_under_the_pile(state, "protection")
    assert (state.start, state.phase) == (1, SchwarzmarktPhase.PLAY)


# raid


def test_raid_is_always_playable_on_any_other_player():
    """S5 raid: goods and luxury of the target do not matter; oneself cannot be chosen."""
    state = position(start=1, cards={1: "raid"}, goods={0: ""})

    assert plays_of(state, "raid") == ["play raid 0", "play raid 2"]
    check_refused(state, "play raid 1", "S5")
    check_refused(state, "play raid 3", "S5")


def test_the_raided_player_moves_the_marker_but_does_not_trade():
    """S5 raid: in the next exchange round the target has steps only."""
    state = position(
        cards={0: "raid", 1: "potatoes-3"}, goods={1: "potatoes-9", 0: "flour-9", 2: "potatoes-3"}
    )
    do(state, "play raid 1", "play potatoes-3")

    assert state.observe(None).open_cards == (OpenCard(card("raid"), BERT),)
    assert legal(state) == ["step 1", "step 2", "step 3", "step 4"]
    check_refused(state, "trade potatoes", "S5")
    do(state, "step 1")
    assert legal(state)[0] == "trade potatoes"


def test_a_raid_is_over_after_the_next_exchange_round():
    """S5 raid: in the exchange round after the next one the target trades again."""
    state = position(
        offer="potatoes-3",
        price=50,
        open_cards=["raid:1"],
        goods={1: "butter-9"},
        cards={1: "butter-3"},
    )

    do(state, "hold", "play butter-3")

    assert state.to_act == 1
    assert "trade butter" in legal(state)


def test_raids_on_different_players_all_hold():
    """S5: with a card file of two raids, both targets may not trade."""
    content = {**PRINTED, "texts": {**PRINTED["texts"], "raid": 2}}
    state = position(
        game=BASIC.configure({"cards": content}),
        offer="potatoes-3",
        open_cards=["raid:0", "raid:1"],
        goods={0: "potatoes-3 flour", 1: "potatoes-3 flour", 2: "potatoes-3 flour"},
    )

    check_refused(state, "trade potatoes", "S5")
    do(state, "step 1")
    check_refused(state, "trade potatoes", "S5")
    do(state, "step 1")
    assert legal(state)[0] == "trade potatoes"


# slow_trade


def test_slow_trade_makes_every_move_of_the_marker_one_step():
    """S5 slow_trade: where four steps were free, only one is."""
    state = position(cards={0: "slow_trade", 1: "potatoes-3"}, goods={1: "flour-9", 2: "sugar-9"})

    do(state, "play slow_trade", "play potatoes-3")

    assert legal(state) == ["step 1"]
    check_refused(state, "step 2", "S5")
    do(state, "step 1")
    assert legal(state) == ["step 1"]


def test_slow_trade_leaves_trades_alone():
    """S5 slow_trade: goods may be traded as ever, with one step after."""
    state = position(offer="potatoes-3", open_cards=["slow_trade"], goods={0: "potatoes-3 flour"})

    assert legal(state) == [
        "trade potatoes",
        "trade potatoes potatoes",
        "trade potatoes potatoes potatoes",
        "step 1",
    ]
    do(state, "trade potatoes")
    assert state.marker == 1


def test_slow_trade_changes_nothing_on_50():
    """S4.3, S5 slow_trade: on the last space there is no step at all."""
    state = position(offer="potatoes-3", price=50, open_cards=["slow_trade"], goods={0: "flour"})

    assert legal(state) == ["hold"]
    check_refused(state, "step 1", "S4.3")


def test_slow_trade_is_over_after_the_next_exchange_round():
    """S5 slow_trade: the exchange round after the next one has free steps again."""
    state = position(offer="potatoes-3", price=50, open_cards=["slow_trade"], cards={1: "butter-3"})

    do(state, "hold", "play butter-3")

    assert legal(state)[-4:] == ["step 1", "step 2", "step 3", "step 4"]


# Several together


def test_several_open_cards_act_together():
    """S5: raid, scarce_goods and slow_trade all hold in the one exchange round they wait for."""
    state = position(
        seats=4,
        cards={0: "slow_trade", 1: "scarce_goods", 2: "raid", 3: "potatoes-3"},
        goods={3: "potatoes-3 flour", 0: "potatoes-3 flour", 1: "potatoes-3 flour"},
    )

    do(state, "play slow_trade", "play scarce_goods", "play raid 0")
    opened = market_names(state, [entry.card for entry in state.observe(None).open_cards])
    assert opened == ["slow_trade", "scarce_goods", "raid"]
    do(state, "play potatoes-3")

    assert legal(state) == ["trade potatoes", "step 1"]
    do(state, "trade potatoes")
    assert legal(state) == ["step 1"]  # seat 0 is raided
    do(state, "step 1")
    assert legal(state) == ["trade potatoes", "step 1"]


def test_cards_about_the_next_exchange_round_wait_over_other_text_cards():
    """S5: an open card stays open while text cards are played and cards are buried."""
    state = position(
        cards={0: "slow_trade", 1: "old_debt", 2: "new_goods new_goods protection"},
    )

    do(state, "play slow_trade", "play old_debt 2", "bury protection")

    assert market_names(state, [entry.card for entry in state.open_cards]) == ["slow_trade"]
    assert state.start == 0


def test_a_hand_may_grow_beyond_nine():
    """S5: old_debt and new_goods add to a hand without limit while the game round lasts."""
    state = position(cards={0: "old_debt", 1: "new_goods"}, luxury=[0, 5, 0])

    do(state, "play old_debt 2", "play new_goods", "find butter")

    assert [size(held) for held in state.goods] == [10, 10, 8]


@pytest.mark.parametrize(
    "play",
    ["old_debt 1", "scarce_goods", "foraging sugar", "protection 1", "raid 1", "slow_trade"],
)
def test_a_text_card_is_counted_and_seen(play):
    """S3.1, S6.4: every text card played counts as one card and is seen by all."""
    name = play.split()[0]
    state = position(cards={0: name}, goods={0: "sugar-9"}, luxury=[5, 5, 5])

    do(state, f"play {play}")

    assert state.observe(None).cards_dealt_with == 1
    assert count(state.observe(2).seen_cards, card(name)) == 1
    assert state.inventory() == whole_inventory(BASIC)


def test_stacked_chance_refuses_a_draw_that_is_not_there():
    """A constructed draw of a good that is not in the hand shows as a broken test."""
    with pytest.raises(AssertionError):
        StackedChance("sugar").pick("old_debt", [0, 1])
