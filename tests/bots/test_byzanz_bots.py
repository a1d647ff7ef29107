from random import Random

import pytest

from arena.bots.bot import RandomBot
from arena.bots.byzanz_greedy import ByzanzGreedy
from arena.bots.byzanz_planner import ByzanzPlanner
from arena.bots.byzanz_values import best_sales, hand_worth, rounds_left, settle
from arena.games.byzanz.cards import CARD_BY_NAME, KINDS, TRADER
from arena.games.byzanz.game import Byzanz
from arena.games.byzanz.moves import DISCARDS, DONE, GIVES, PASS, TAKES, Bid, Sell
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.byzanz.rules import ByzanzState
from arena.games.counts import contains, count, pack, size
from arena.games.game import Seat
from arena.games.ledger import EMPTY
from tests.bots.matches import check_match

GAME = Byzanz()
BOTS = [ByzanzGreedy, ByzanzPlanner]

each_bot = pytest.mark.parametrize("bot_class", BOTS, ids=lambda bot: bot.name)
each_size = pytest.mark.parametrize("seats", GAME.table_sizes)


def cards(text):
    return pack(CARD_BY_NAME[name] for name in text.split())


def check_play(seed, classes):
    """Play a match to its end, by the rules; return the moves made and the outcome."""
    state = GAME.deal(seed, len(classes))
    bots = [bot(GAME, Random(seed + bytes([seat]))) for seat, bot in enumerate(classes)]
    return check_match(state, bots), state.outcome()


def decide(bot_class, phase, hand, **fields):
    """Ask the bot in seat 0 of a table for four, everything else as at the start of round 2."""
    state = ByzanzState([cards(hand), 0, 0, 0], 0, [CARD_BY_NAME["wood-1"]] * 70, opened=False)
    state.round = 2
    state.phase = phase
    state.to_act = Seat(0)
    state.known = [EMPTY] * 4
    for name, value in fields.items():
        setattr(state, name, value)
    bot = bot_class(GAME, Random(1))
    return bot.decide(state.observe(Seat(0)), state.legal_moves())


class TestMatches:
    @each_bot
    @each_size
    def test_only_legal_moves_are_made(self, bot_class, seats):
        """In whole matches against random play every move is one of those offered."""
        for deal in range(3):
            check_play(b"legal%d" % deal, [bot_class, *[RandomBot] * (seats - 2), bot_class])

    @each_bot
    def test_the_same_seed_plays_the_same_moves(self, bot_class):
        """A match of the bots with themselves repeats move by move."""
        assert check_play(b"again", [bot_class] * 4) == check_play(b"again", [bot_class] * 4)

    @each_size
    def test_greedy_beats_random(self, seats):
        """One greedy seat among random ones comes first."""
        _, outcome = check_play(b"strength", [ByzanzGreedy] + [RandomBot] * (seats - 1))

        assert outcome.ranks[0] == 1

    @pytest.mark.slow
    def test_planner_beats_greedy(self):
        """Over a few deals with the seats exchanged the planner makes clearly more points."""
        lead = 0
        for deal in range(4):
            for planner in range(2):
                classes = [BOTS[(seat + planner) % 2] for seat in range(4)]
                _, outcome = check_play(b"lead%d" % deal, classes)
                for points, bot in zip(outcome.scores, classes, strict=True):
                    lead += points if bot is ByzanzPlanner else -points

        assert lead > 40


TAKE_CLOTH, GIVE_WOOD = TAKES[KINDS.index("cloth")], GIVES[CARD_BY_NAME["wood-1"]]
ODD = "cloth-4 cloth-1 cloth-2 wood-1 spice-4 spice-3"
POSITIONS = {
    "over the limit a set is sold, its low cards as fillers": (
        ByzanzPhase.LIMIT,
        "cloth-4 cloth-1 cloth-1 spice-3 spice-2 wine-4 wood-1 grain-2",
        {},
        Sell(cards("cloth-4 cloth-1 cloth-1")),
    ),
    "without a sale a lone 1 is discarded; pairs and high cards stay": (
        ByzanzPhase.LIMIT,
        "cloth-4 cloth-1 spice-3 spice-2 wine-4 wine-2 wood-1 grain-2",
        {},
        DISCARDS[CARD_BY_NAME["wood-1"]],
    ),
    "one card of the kind that completes a set beats two of another": (
        ByzanzPhase.TAKE,
        "cloth-4 cloth-1 spice-1",
        {"market": cards("cloth-1 wine-1 wine-1"), "offers": (2, 3, 4, 5)},
        TAKE_CLOTH,
    ),
    "of a lot won, what completes a set and the trader stay": (
        ByzanzPhase.GIVE,
        "cloth-4 cloth-1",
        {"lot": cards("cloth-2 trader wood-1"), "offers": (0, 5, 4, 0)},
        GIVE_WOOD,
    ),
    "a lot worth having is paid for with the odd cards, not with the set in hand": (
        ByzanzPhase.AUCTION,
        ODD,
        {"lot": cards("spice-4 trader trader spice-3 wine-1"), "hands": [cards(ODD), 0, 0, 0]},
        Bid(cards("wood-1")),
    ),
    "two odd 1s are not worth a high bid": (
        ByzanzPhase.AUCTION,
        "cloth-4 cloth-4 cloth-2 spice-3",
        {
            "lot": cards("wine-1 wood-1"),
            "high": 6,
            "leader": 1,
            "laid": [0, cards("grain-4 grain-2"), 0, 0],
        },
        PASS,
    ),
    "a set waits in the hand for a better top or a better use (B5.3)": (
        ByzanzPhase.TAKE,
        "cloth-1 cloth-1 cloth-1",
        {"market": cards("cloth-4"), "offers": (2, 3, 4, 5)},
        TAKE_CLOTH,
    ),
    "at the end all is sold": (
        ByzanzPhase.FINAL,
        "wine-2 trader trader",
        {},
        Sell(cards("wine-2 trader trader")),
    ),
    "without a sale the seat says done": (ByzanzPhase.FINAL, "wine-2 wine-1", {}, DONE),
}


@each_bot
@pytest.mark.parametrize(("phase", "hand", "fields", "move"), POSITIONS.values(), ids=POSITIONS)
def test_decisions(bot_class, phase, hand, fields, move):
    """Where one move is clearly best both bots make it."""
    assert decide(bot_class, phase, hand, **fields) == move


class TestValues:
    @pytest.mark.parametrize(
        ("hand", "points"),
        [
            ("cloth-4 cloth-1", 0),
            ("cloth-4 cloth-1 cloth-1", 4),
            ("cloth-4 cloth-4 cloth-1 cloth-1 cloth-1 cloth-1", 8),
            ("cloth-4 spice-3 trader trader trader", 5),
            ("cloth-4 cloth-1 spice-3 spice-2 trader trader", 7),
            ("cloth-4 spice-4 trader trader trader trader", 8),
        ],
    )
    def test_best_sales_make_the_most_points(self, hand, points):
        """High cards stand on top, and traders go where they bring most."""
        split = best_sales(cards(hand))

        assert split.points == points
        assert contains(cards(hand), sum(sale.cards for sale in split.sales))

    def test_at_the_end_a_hand_is_worth_its_sales(self):
        """With no market ahead the estimate is exact, for many random hands."""
        rng = Random(7)
        for _ in range(300):
            hand = sum(1 << 8 * rng.choice((*range(TRADER), TRADER, TRADER)) for _ in range(9))
            assert hand_worth(hand, 0) == best_sales(hand).points

    def test_a_card_more_is_never_worth_less(self):
        """Adding any card to a hand does not lower its worth."""
        rng = Random(8)
        for _ in range(300):
            hand = sum(1 << 8 * rng.randrange(TRADER + 1) for _ in range(6))
            more = hand + (1 << 8 * rng.randrange(TRADER + 1))
            assert hand_worth(more, 3) >= hand_worth(hand, 3) - 1e-9

    def test_settling_ends_at_the_limit(self):
        """A hand over the limit sells what it can, the points counted, and keeps the rest."""
        settled = settle(cards("cloth-4 cloth-1 spice-1 wine-1 wood-1 grain-1 olives-1 trader"), 3)

        assert (settled.points, size(settled.hand)) == (4, 5)
        assert count(settled.hand, CARD_BY_NAME["cloth-4"]) == 0

    def test_rounds_left_count_the_market_ahead(self):
        """The last round counts until the seat has taken; the final sales count nothing."""
        seen = GAME.deal(b"rounds", 4).observe(Seat(0))

        assert rounds_left(seen) == 6
        assert rounds_left(seen._replace(round=6, phase=ByzanzPhase.TAKE)) == 1
        assert rounds_left(seen._replace(round=6, phase=ByzanzPhase.LIMIT, takes=1)) == 0
        assert rounds_left(seen._replace(round=6, phase=ByzanzPhase.FINAL)) == 0
