from __future__ import annotations

from random import Random

import pytest

from arena.bots.bot import Bot, RandomBot
from arena.bots.byzanz_searcher import ByzanzSearcher
from arena.bots.catalog import TIERS, bot_class, make_bot
from arena.bots.schwarzmarkt_searcher import SchwarzmarktSearcher
from arena.bots.search import Budget
from arena.errors import InputError, UnknownBotError
from arena.games.byzanz import Byzanz
from arena.games.byzanz.cards import CARD_BY_NAME
from arena.games.byzanz.moves import TAKES
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import Counts, count, pack
from arena.games.game import AnyGame, Seat
from arena.games.registry import get_game
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS
from arena.games.schwarzmarkt.moves import Trade
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from arena.games.shuffle import SeededChance
from tests.bots.matches import SHORT_TRACK, check_match

BYZANZ = Byzanz()
SCHWARZMARKT = Schwarzmarkt()
TINY = Budget(iterations=4)
SEARCHERS = {"byzanz": ByzanzSearcher, "schwarzmarkt": SchwarzmarktSearcher}


def searcher(game: AnyGame, seed: int, budget: Budget = TINY) -> Bot:
    return SEARCHERS[game.name](game, Random(seed), budget)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in (BYZANZ, SCHWARZMARKT) for seats in game.table_sizes],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_a_searcher_makes_only_legal_moves(game, seats):
    """With a tiny budget it answers every decision of a match with a legal move."""
    bots = [
        searcher(game, seat) if seat % 2 else RandomBot(game, Random(seat)) for seat in range(seats)
    ]
    check_match(game.deal(b"match", seats), bots)


def test_a_searcher_plays_with_another_track():
    """Nothing is taken for granted about the track of a card file."""
    check_match(SHORT_TRACK.deal(b"match", 3), [searcher(SHORT_TRACK, seat) for seat in range(3)])


@pytest.mark.slow
@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=lambda game: str(game.name))
def test_the_same_seed_plays_the_same_moves(game):
    """With a budget of iterations two matches from one seed are equal move by move."""
    first, second = (
        check_match(game.deal(b"match", 3), [searcher(game, seat) for seat in range(3)])
        for _ in range(2)
    )

    assert first == second


def goods(**numbers: int) -> Counts:
    return pack(GOODS.index(name) for name, number in numbers.items() for _ in range(number))


def test_the_last_card_is_traded_to_end_a_match_that_is_won():
    """Ahead of everybody with one wanted card left, it sells at any price (S4.4)."""
    hands = [goods(potatoes=1), goods(butter=3, sugar=4), goods(flour=4, coffee=3)]
    state = SCHWARZMARKT.start(SCHWARZMARKT.setup(b"end", 3), SeededChance(b"end"))
    state.goods = list(hands)
    rest = SCHWARZMARKT.material.deck - sum(hands)
    state.goods_pile = [good for good in range(len(GOODS)) for _ in range(count(rest, good))]
    state.phase = SchwarzmarktPhase.EXCHANGE
    state.game_round = 2
    state.offer = 0
    state.demand = goods(potatoes=2)
    state.luxury = [120, 100, 110]
    bot = searcher(SCHWARZMARKT, 1, Budget(iterations=200))

    assert bot.decide(state.observe(Seat(0)), state.legal_moves()) == Trade(goods(potatoes=1))


def cards(*names: str) -> Counts:
    return pack(CARD_BY_NAME[name] for name in names)


def test_the_kind_that_makes_the_winning_sale_is_taken():
    """In the last market it takes the cards that complete its best sale (B4.1, B7)."""
    state = BYZANZ.start(BYZANZ.setup(b"last", 3), SeededChance(b"last"))
    state.round = 8
    state.drawn = len(state.deck)
    state.lot = 0
    state.hands[0] = cards("cloth-4", "cloth-1", "wine-1")
    state.market = cards("cloth-1", "wine-2", "wood-3", "wood-2")
    state.offers = (2, 4, 6)
    state.phase = ByzanzPhase.TAKE
    state.to_act = Seat(0)
    bot = searcher(BYZANZ, 1, Budget(iterations=60))

    assert bot.decide(state.observe(Seat(0)), state.legal_moves()) == TAKES[0]


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=lambda game: str(game.name))
def test_a_clock_limits_each_decision(game):
    """A searcher with seconds asks the clock it was given, and stops when time is up."""
    asked = 0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return float(asked)  # a second passes between any two looks

    bot = SEARCHERS[game.name](game, Random(1), Budget(seconds=4.5), clock)
    state = game.deal(b"clock", 3)
    legal = state.legal_moves()

    assert bot.decide(state.observe(state.to_act), legal) in legal
    assert 2 <= asked <= 6


# How a person names a searcher


def test_every_tier_can_be_named():
    """All tiers exist for both games, the searcher also with a setting."""
    for game in (BYZANZ, SCHWARZMARKT):
        for tier in TIERS:
            assert make_bot(tier, game, b"seed").name == tier
        assert bot_class("searcher:iterations=50", game) is SEARCHERS[game.name]


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("searcher:iterations=50", Budget(iterations=50)),
        ("searcher:seconds=0.5", Budget(seconds=0.5)),
        ("searcher:seconds=2", Budget(seconds=2.0)),
    ],
)
def test_a_searcher_is_named_with_its_budget(name, budget):
    """What follows the colon is the budget for each decision."""
    bot = make_bot(name, BYZANZ, b"seed")

    assert isinstance(bot, ByzanzSearcher)
    assert bot.budget == budget


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("searcher:iterations=0", "iterations must be 1 to"),
        ("searcher:iterations=-5", "a whole number"),
        ("searcher:iterations=1.5", "a whole number"),
        ("searcher:iterations=", "a whole number"),
        (f"searcher:iterations={'9' * 5000}", "iterations must be 1 to"),
        ("searcher:seconds=soon", "seconds must be a number"),
        ("searcher:seconds=0", "seconds must be above 0"),
        ("searcher:seconds=nan", "seconds must be above 0"),
        ("searcher:seconds=inf", "at most"),
        ("searcher:20ms", "searcher:iterations=N or searcher:seconds=N"),
        ("searcher:", "searcher:iterations=N or searcher:seconds=N"),
        ("planner:iterations=5", "planner takes no settings"),
        ("oracle:iterations=5", "unknown bot"),
    ],
)
def test_a_bad_setting_is_refused_with_a_reason(name, reason):
    """A name that cannot be understood says what would be."""
    with pytest.raises(UnknownBotError, match=reason) as caught:
        make_bot(name, get_game("byzanz"), b"seed")

    assert isinstance(caught.value, InputError)
