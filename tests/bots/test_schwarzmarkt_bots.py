from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from arena.bots.bot import Bot, RandomBot
from arena.bots.schwarzmarkt_greedy import SchwarzmarktGreedy
from arena.bots.schwarzmarkt_planner import SchwarzmarktPlanner
from arena.bots.schwarzmarkt_values import expected_holdings, expected_wealth, lead
from arena.games.counts import UNIT, Counts, count, pack, size
from arena.games.game import Move, Seat
from arena.games.ledger import Tier
from arena.games.registry import get_game
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS, Effect
from arena.games.schwarzmarkt.moves import HOLD, Find, Play, Return, Step, Trade
from arena.games.schwarzmarkt.observation import OpenCard, SchwarzmarktPhase
from arena.games.schwarzmarkt.rules import SchwarzmarktState
from arena.games.shuffle import SeededChance
from tests.bots.matches import SHORT_TRACK, check_match

POTATOES, BUTTER, SUGAR, COFFEE, FLOUR = range(len(GOODS))
GAME = Schwarzmarkt()
UNEVEN = Schwarzmarkt({"deck": "uneven"})
BOTS: tuple[type[Bot], ...] = (SchwarzmarktGreedy, SchwarzmarktPlanner)


def check_play(
    classes: Sequence[type[Bot]], seed: int, game: Schwarzmarkt = GAME
) -> tuple[tuple[int, ...], list[Move]]:
    """Play a match to its end, by the rules; return the scores and the moves."""
    state = game.deal(seed.to_bytes(4, "big"), len(classes))
    bots = [bot(game, Random(seed + seat)) for seat, bot in enumerate(classes)]
    moves = check_match(state, bots)
    return state.outcome().scores, moves


def exchange(
    goods: Sequence[Counts], demand: Counts, price: int, luxury: Sequence[int] | None = None
) -> SchwarzmarktState:
    """Return a state in round 2 where seat 0 is to trade or step; the pile has all other goods."""
    state = GAME.start(GAME.setup(b"bots", len(goods)), SeededChance(b"bots"))
    state.goods = list(goods)
    rest = GAME.material.deck - sum(goods)
    state.goods_pile = [good for good in range(len(GOODS)) for _ in range(count(rest, good))]
    state.phase = SchwarzmarktPhase.EXCHANGE
    state.game_round = 2
    state.offer = 0
    state.demand = demand
    state.marker = GAME.material.prices.index(price)
    state.luxury = list(luxury or [0] * len(goods))
    return state


def answer(bot: type[Bot], state: SchwarzmarktState) -> Move:
    assert state.to_act is not None
    legal = state.legal_moves()
    return bot(GAME, Random(1)).decide(state.observe(state.to_act), legal)


def goods(*cards: int) -> Counts:
    return pack(cards)


@pytest.mark.parametrize("game", [GAME, UNEVEN, SHORT_TRACK], ids=["basic", "uneven", "short"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_bots_make_only_legal_moves(game, seats):
    """Greedy and planner answer every decision of a match with a legal move, whoever else plays."""
    for seed in range(3):  # each begins once
        classes: list[type[Bot]] = [RandomBot, *BOTS]
        players = [classes[(seat + seed) % 3] for seat in range(seats)]
        check_play(players, seed, game)


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_plays_the_same_moves(bot):
    """Two matches from one seed are equal move by move."""
    assert check_play([bot] * 3, 7) == check_play([bot] * 3, 7)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_refuses_another_game(bot):
    """A bot made for Schwarzmarkt does not sit down to anything else."""
    with pytest.raises(TypeError, match="byzanz"):
        bot(get_game("byzanz"), Random(1))


@pytest.mark.parametrize(
    ("stronger", "weaker"), [(SchwarzmarktGreedy, RandomBot), (SchwarzmarktPlanner, BOTS[0])]
)
def test_each_bot_earns_more_than_the_one_below(stronger, weaker):
    """Over a few deals in all seatings, one stronger bot earns far more than two weaker ones."""
    own, others = 0, 0
    for seed in range(4):
        for seat in range(3):
            players = [weaker] * 3
            players[seat] = stronger
            scores, _ = check_play(players, seed)
            own += scores[seat]
            others += sum(scores) - scores[seat]

    assert own > 1.2 * others / 2


@pytest.mark.parametrize("bot", BOTS)
def test_on_the_last_space_all_wanted_goods_are_traded(bot):
    """The last chance at the best price is taken with every card that is wanted (S4.3)."""
    hand = goods(POTATOES, POTATOES, BUTTER, SUGAR)
    state = exchange([hand, goods(FLOUR), goods(FLOUR)], goods(POTATOES, POTATOES, BUTTER), 50)

    assert answer(bot, state) == Trade(goods(POTATOES, POTATOES, BUTTER))


@pytest.mark.parametrize("bot", BOTS)
def test_a_decent_price_is_taken_when_the_rivals_can_supply_the_demand_too(bot):
    """With long hands on both sides, waiting would leave the demand to the others."""
    hand = goods(*[POTATOES] * 2, *[SUGAR] * 3)
    rivals = [goods(*[POTATOES] * 5, *[SUGAR] * 4)] * 2
    state = exchange([hand, *rivals], goods(POTATOES, POTATOES, POTATOES), 15)

    assert answer(bot, state) == Trade(goods(POTATOES, POTATOES))


@pytest.mark.parametrize("bot", BOTS)
def test_a_low_price_is_left_alone(bot):
    """At the first price nobody sells."""
    hand = goods(*[POTATOES] * 2, *[SUGAR] * 3)
    state = exchange([hand, hand, hand], goods(POTATOES, POTATOES, BUTTER), 1)

    assert isinstance(answer(bot, state), Step)


def test_planner_waits_when_nobody_else_can_supply_the_demand():
    """If all other potatoes are known to lie in the pile, the price may rise undisturbed."""
    hand = goods(POTATOES, POTATOES, SUGAR, SUGAR)
    rival = goods(BUTTER, *[COFFEE] * 4, *[FLOUR] * 4)
    state = exchange([hand, rival, rival], goods(POTATOES, POTATOES), 15)
    assert isinstance(answer(SchwarzmarktPlanner, state), Trade)

    state.pile_known[0] = (Tier(10 * UNIT[POTATOES], 0),)
    assert isinstance(answer(SchwarzmarktPlanner, state), Step)


def test_planner_waits_when_the_only_rivals_are_raided():
    """A rival who may not trade in this exchange round is no reason to hurry (S5)."""
    hand = goods(POTATOES, POTATOES, SUGAR, SUGAR)
    rival = goods(*[POTATOES] * 5, *[FLOUR] * 4)
    state = exchange([hand, rival, rival], goods(POTATOES, POTATOES), 15)
    assert isinstance(answer(SchwarzmarktPlanner, state), Trade)

    raid = GAME.material.card_by_name["raid"]
    state.open_cards = (OpenCard(raid, Seat(1)), OpenCard(raid, Seat(2)))
    assert isinstance(answer(SchwarzmarktPlanner, state), Step)


def test_planner_trades_its_last_cards_when_that_wins_the_match():
    """Ahead in the last round, even a poor price is good enough to end it (S4.4, S6.3)."""
    rival = goods(*[POTATOES] * 3, *[BUTTER] * 3)
    hand = goods(POTATOES, BUTTER)
    state = exchange([hand, rival, rival], goods(POTATOES, BUTTER, SUGAR), 5, [100, 90, 80])

    assert answer(SchwarzmarktPlanner, state) == Trade(hand)


def test_planner_does_not_end_a_match_that_it_would_lose():
    """Behind in the last round, it keeps its last card while the price can still rise."""
    rival = goods(*[SUGAR] * 3, *[COFFEE] * 3)
    state = exchange([goods(POTATOES), rival, rival], goods(POTATOES, BUTTER), 7, [100, 110, 115])

    assert isinstance(answer(SchwarzmarktPlanner, state), Step)


@pytest.mark.parametrize("bot", BOTS)
def test_protection_money_is_taken_from_the_richest(bot):
    """Of equal hands, the leader is the one to weaken."""
    state = GAME.deal(b"protection", 4)
    assert isinstance(state, SchwarzmarktState)
    state.luxury = [20, 10, 60, 30]
    card = GAME.material.card_by_name["protection"]
    state.cards[0] = 3 * UNIT[card]

    assert answer(bot, state) == Play(card, Seat(2))


@pytest.mark.parametrize("bot", BOTS)
def test_the_offer_that_wants_the_own_goods_is_played(bot):
    """Of two offers the one that fits the hand is opened."""
    state = GAME.deal(b"offers", 3)
    assert isinstance(state, SchwarzmarktState)
    fitting = GAME.material.card_by_name["offer:coffee-3"]
    other = GAME.material.card_by_name["offer:flour-3"]
    state.goods[0] = goods(*[COFFEE] * 3, *[BUTTER] * 3, *[SUGAR] * 3)
    state.cards[0] = UNIT[fitting] + 2 * UNIT[other]

    assert answer(bot, state) == Play(fitting)


@pytest.mark.parametrize("bot", BOTS)
def test_what_is_held_in_plenty_is_returned_and_what_is_missing_is_found(bot):
    """A sixth card of a good is of little use, the first card of one is welcome (S5, S6.1)."""
    state = GAME.deal(b"useful", 3)
    assert isinstance(state, SchwarzmarktState)
    state.goods[0] = goods(*[COFFEE] * 6, BUTTER, SUGAR, FLOUR, FLOUR)
    state.cards[0] = 3 * UNIT[GAME.material.card_by_name["scarce_goods"]]
    state.phase = SchwarzmarktPhase.RETURN
    assert answer(bot, state) == Return(COFFEE)

    state.phase = SchwarzmarktPhase.FIND
    assert answer(bot, state) == Find(POTATOES)


def test_expected_holdings_fill_every_hand():
    """Known cards count fully, and the expected numbers add up to the size of each hand."""
    state = GAME.deal(b"holdings", 4)
    assert isinstance(state, SchwarzmarktState)
    state.hands_known[0, 2] = (Tier(goods(FLOUR, FLOUR), 0),)
    seen = state.observe(Seat(0))

    holdings = expected_holdings(GAME.material, seen)

    assert [sum(hand) for hand in holdings] == pytest.approx([9.0] * 4)
    assert holdings[2][FLOUR] > 2
    assert holdings[0] == [count(seen.goods, good) for good in range(len(GOODS))]


def test_expected_wealth_counts_goods_only_as_far_as_they_can_be_sold():
    """A longer hand is worth more, an empty one nothing, and equal seats lead by nothing."""
    wealth = expected_wealth(GAME.material, [10, 10, 10], [0, 2, 5])

    assert wealth[0] == 10
    assert wealth[0] < wealth[1] < wealth[2]
    assert lead([30.0, 30.0, 30.0], 1) == 0


def test_holding_on_the_last_space_needs_no_thought():
    """A single legal move is made without a valuation."""
    state = exchange([goods(FLOUR), goods(FLOUR), goods(FLOUR)], goods(POTATOES), 50)

    assert state.legal_moves() == [HOLD]
    assert all(answer(bot, state) == HOLD for bot in BOTS)


def test_scarce_goods_leave_one_trade_each():
    """Under scarce_goods the planner trades a single card on the last space (S5)."""
    hand = goods(POTATOES, POTATOES, BUTTER)
    state = exchange([hand, hand, hand], goods(POTATOES, POTATOES), 50)
    card = next(
        number
        for number, card in enumerate(GAME.material.cards)
        if card.effect is Effect.SCARCE_GOODS
    )
    state.open_cards = (OpenCard(card, None),)

    move = answer(SchwarzmarktPlanner, state)

    assert isinstance(move, Trade)
    assert size(move.goods) == 1
