from __future__ import annotations

import json
from itertools import combinations_with_replacement
from random import Random

import pytest

from arena.errors import IllegalMoveError
from arena.games.byzanz import cards
from arena.games.byzanz.bids import AuctionMoves, count_bids
from arena.games.byzanz.moves import BIDS, DISCARDS, DONE, GIVES, PASS, TAKES, Bid, Sell
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import pack, submultisets, unpack
from arena.games.game import Move
from arena.games.packed import list_sums
from tests.games.byzanz.positions import GAME, assert_refused, deal, dump, legal, position

HAND = "2*cloth-1 cloth-3 wine-2 2*trader"


def at(phase, hand=HAND):
    """Return seat 0 of three at a decision of that phase."""
    lot = "2*wood-1 grain-4 3*trader" if phase in {ByzanzPhase.AUCTION, ByzanzPhase.GIVE} else ""
    return position(
        [hand, "4*?", "4*?"],
        phase=phase,
        lot=lot,
        market="2*spice-1 trader cloth-2" if phase is ByzanzPhase.TAKE else "",
        offers=(2, 6, 4) if phase is ByzanzPhase.TAKE else (),
        round_number=8 if phase is ByzanzPhase.FINAL else 3,
    )


DECISIONS = [
    ByzanzPhase.AUCTION,
    ByzanzPhase.GIVE,
    ByzanzPhase.TAKE,
    ByzanzPhase.LIMIT,
    ByzanzPhase.FINAL,
]

SALES = [
    "sell cloth-1 trader trader",
    "sell cloth-1 cloth-1 trader",
    "sell cloth-3 trader trader",
    "sell cloth-1 cloth-3 trader",
    "sell cloth-1 cloth-1 cloth-3",
    "sell wine-2 trader trader",
]


class TestOrder:
    def test_an_auction_lists_pass_then_bids_then_sales(self):
        """B3.5, B5.3: a pass comes first and sales last, each different move once."""
        lines = legal(at(ByzanzPhase.AUCTION))
        bids = lines[1:-6]

        assert lines[0] == "pass"
        assert sorted(lines[-6:]) == sorted(SALES)
        assert sorted(bids) == sorted(
            [
                "bid cloth-1",
                "bid cloth-1 cloth-1",
                "bid wine-2",
                "bid cloth-3",
                "bid cloth-1 wine-2",
                "bid cloth-1 cloth-1 wine-2",
                "bid cloth-1 cloth-3",
                "bid cloth-1 cloth-1 cloth-3",
                "bid cloth-3 wine-2",
                "bid cloth-1 cloth-3 wine-2",
                "bid cloth-1 cloth-1 cloth-3 wine-2",
            ]
        )

    @pytest.mark.parametrize(
        ("phase", "own"),
        [
            (ByzanzPhase.GIVE, ["give wood-1", "give grain-4", "give trader"]),
            (ByzanzPhase.TAKE, ["take cloth", "take spice", "take trader"]),
            (
                ByzanzPhase.LIMIT,
                ["discard cloth-1", "discard cloth-3", "discard wine-2", "discard trader"],
            ),
            (ByzanzPhase.FINAL, ["done"]),
        ],
    )
    def test_other_decisions_list_their_own_moves_then_sales(self, phase, own):
        """B5.3: a decision's own moves come first, in the order of cards, then the sales."""
        lines = legal(at(phase))

        assert lines[: len(own)] == own
        assert sorted(lines[len(own) :]) == sorted(SALES)

    @pytest.mark.parametrize("phase", DECISIONS)
    def test_the_order_is_fixed(self, phase):
        """The order of moves depends on the position alone, not on how often it is asked for."""
        state = at(phase)
        first = legal(state)
        at(phase, "trader 2*olives-1 3*cloth-1 wine-2").legal_moves()

        assert legal(state) == legal(at(phase)) == first

    def test_three_traders_are_the_last_sale(self):
        """B5.1: of a hand of four traders one sale of three can be made, listed last."""
        state = position(["4*trader cloth-1 olives-2", "", ""], phase=ByzanzPhase.FINAL)

        assert legal(state) == [
            "done",
            "sell cloth-1 trader trader",
            "sell olives-2 trader trader",
            "sell trader trader trader",
        ]


def universe(state) -> list[Move]:
    """Return moves of all types: every give, take, discard and sale, and a great many bids."""
    pairs = [pack(two) for two in combinations_with_replacement(range(25), 2)]
    triples = [pack(three) for three in combinations_with_replacement(range(25), 3)]
    bids = {pack([card]) for card in range(25)} | set(pairs)
    bids |= {cards for hand in state.hands for cards in submultisets(hand)}
    sells = [pack([card] * number) for card in range(25) for number in (1, 2, 4)]
    moves = [PASS, DONE, *GIVES, *TAKES, *DISCARDS, *map(Bid, bids), *map(Sell, triples + sells)]
    return list(moves)


@pytest.mark.parametrize("phase", DECISIONS)
def test_exactly_the_legal_moves_are_accepted(phase):
    """Every move listed applies, and every other is refused without changing anything."""
    state = at(phase)
    before = dump(state)
    accepted = set()
    for move in universe(state):
        twin = state.copy()
        try:
            twin.apply(move)
        except IllegalMoveError:
            assert dump(twin) == before
        else:
            accepted.add(move)

    assert accepted == set(state.legal_moves())


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_legal_move_is_listed_once_applies_and_conserves_the_cards(seats):
    """At each decision of a random match the listed moves are different, and all of them apply."""
    rng = Random(seats)
    state = deal(b"legal", seats)
    inventory = state.inventory()
    while state.to_act is not None:
        moves = state.legal_moves()
        written = {json.dumps(GAME.move_to_json(move)) for move in moves}
        assert len(written) == len(moves) > 0
        for move in rng.sample(moves, min(len(moves), 8)):
            twin = state.copy()
            twin.apply(move)
            assert twin.inventory() == inventory
        kinds = sorted({type(move).__name__ for move in moves})
        kind = rng.choice(kinds)
        state.apply(rng.choice([move for move in moves if type(move).__name__ == kind]))


class TestPhases:
    @pytest.mark.parametrize(
        ("line", "home", "rule"),
        [
            ("pass", ByzanzPhase.AUCTION, "B3.4"),
            ("bid wine-2", ByzanzPhase.AUCTION, "B3.4"),
            ("give grain-4", ByzanzPhase.GIVE, "B3.8"),
            ("take spice", ByzanzPhase.TAKE, "B4.1"),
            ("discard wine-2", ByzanzPhase.LIMIT, "B6.1"),
            ("done", ByzanzPhase.FINAL, "B7.1"),
        ],
    )
    def test_a_move_belongs_to_its_phase(self, line, home, rule):
        """B3.4, B3.8, B4.1, B6.1, B7.1: a move is accepted in its own phase and in no other."""
        for phase in DECISIONS:
            if phase is not home:
                assert_refused(at(phase), line, rule)
        assert line in legal(at(home))

    def test_the_refusal_says_what_the_move_belongs_to(self):
        """B3.4: a pass at the market is refused with a reason."""
        with pytest.raises(IllegalMoveError, match=r"^a pass belongs in an auction \(B3\.4\)$"):
            at(ByzanzPhase.TAKE).apply(PASS)

    def test_a_move_of_no_known_type_is_refused(self):
        """B3.4: only the moves of the rules are moves."""

        class Peek(Move):
            __slots__ = ()

        assert_refused(at(ByzanzPhase.AUCTION), Peek(), "B3.4")


class TestDefaultMove:
    @pytest.mark.parametrize(
        ("state", "line"),
        [
            (at(ByzanzPhase.AUCTION), "pass"),
            (at(ByzanzPhase.GIVE), "give wood-1"),
            (at(ByzanzPhase.TAKE), "take spice"),
            (at(ByzanzPhase.LIMIT), "discard cloth-1"),
            (at(ByzanzPhase.FINAL), "done"),
        ],
    )
    def test_each_decision_has_a_harmless_move(self, state, line):
        """The default passes, gives or discards the cheapest goods, takes the most, or is done."""
        assert GAME.move_to_text(state.default_move()) == line
        assert state.default_move() in state.legal_moves()

    def test_the_cheapest_goods_are_those_of_least_value_of_any_kind(self):
        """Goods of value 1 go before dearer ones of a kind that comes first."""
        won = position(["", "", ""], phase=ByzanzPhase.GIVE, lot="3*cloth-3 2*spice-2 olives-1")
        full = position(["3*cloth-3 4*spice-2 grain-1", "", ""], phase=ByzanzPhase.LIMIT)

        assert GAME.move_to_text(won.default_move()) == "give olives-1"
        assert GAME.move_to_text(full.default_move()) == "discard grain-1"

    def test_a_trader_is_given_only_if_there_is_nothing_else(self):
        """A trader counts as dear, although it is worth 0."""
        mixed = position(["", "", ""], phase=ByzanzPhase.GIVE, lot="5*trader wood-4")
        traders = position(["", "", ""], phase=ByzanzPhase.GIVE, lot="6*trader")

        assert GAME.move_to_text(mixed.default_move()) == "give wood-4"
        assert GAME.move_to_text(traders.default_move()) == "give trader"

    def test_a_trader_is_discarded_only_if_there_is_nothing_else(self):
        """Over the limit, too, goods of value 4 go before a trader."""
        mixed = position(["7*trader olives-4", "", ""], phase=ByzanzPhase.LIMIT)
        traders = position(["8*trader", "", ""], phase=ByzanzPhase.LIMIT)

        assert GAME.move_to_text(mixed.default_move()) == "discard olives-4"
        assert GAME.move_to_text(traders.default_move()) == "discard trader"

    def test_most_cards_count_on_the_market_and_the_first_kind_of_equals(self):
        """Of two kinds with as many cards the one first in the order of kinds is taken."""
        state = position(
            ["", "", ""],
            phase=ByzanzPhase.TAKE,
            offers=(2, 4, 6),
            market="wine-4 2*grain-1 2*trader cloth-4",
        )

        assert GAME.move_to_text(state.default_move()) == "take grain"


class TestCounting:
    @pytest.mark.parametrize("at_least", [-1, 0, 1, 3, 7, 12, 30])
    def test_bids_and_sales(self, at_least):
        """What is counted of a hand of any size is as many as are listed."""
        rng = Random(at_least)
        deck = unpack(cards.DECK)
        for number in range(14):
            hand = pack(rng.sample(deck, number))
            listed = list_sums(AuctionMoves(hand, at_least, ()).sums())
            assert count_bids(hand, at_least) == len(listed)
            assert cards.count_sales(hand) == len(cards.sales_from(hand))

    def test_the_largest_hand(self):
        """Not even the bids of the whole deck are too many to be counted."""
        assert count_bids(cards.DECK, 1) == (7 * 6 * 4 * 3) ** 6 - 1

    @pytest.mark.parametrize("phase", [phase for phase in ByzanzPhase if phase.name != "OVER"])
    def test_every_phase(self, phase):
        """Counting agrees with listing whatever is to be decided."""
        state = at(phase)

        assert state.count_legal_moves() == len(state.legal_moves())


class TestLaterMoves:
    """The moves of an auction are a sequence that makes each only when it is looked at."""

    @pytest.mark.parametrize("at_least", [-1, 0, 1, 2, 5, 9, 14, 40])
    def test_each_place_has_what_listing_has_there(self, at_least):
        """Hands of any size: found by its place, a move is the one that is listed there."""
        rng = Random(at_least)
        deck = unpack(cards.DECK)
        for number in range(13):
            hand = pack(rng.sample(deck, number))
            moves = AuctionMoves(hand, at_least, cards.sales_from(hand))
            listed = [*moves]

            assert [moves[place] for place in range(len(moves))] == listed
            assert [moves[place] for place in range(-len(moves), 0)] == listed

    def test_a_large_hand(self):
        """Of more than 15 goods too, where there are more handfuls than 16 bits can count."""
        hand = pack(unpack(cards.DECK)[:18])
        moves = AuctionMoves(hand, 6, ())
        places = range(0, len(moves), 97)

        assert [moves[place] for place in places] == [*moves][::97]

    def test_the_order_is_by_value_then_by_the_last_kinds(self):
        """Bids of one value: those without goods of the last three kinds come first."""
        moves = AuctionMoves(pack([0, 0, 1, 4, 12, 16, 21]), 1, ())
        bids = [unpack(handful) for handful in list_sums(moves.sums())]

        assert [sum(map(cards.CARD_VALUE.__getitem__, bid)) for bid in bids] == sorted(
            sum(map(cards.CARD_VALUE.__getitem__, bid)) for bid in bids
        )
        assert bids[:4] == [(0,), (4,), (12,), (16,)]
        assert bids[4:8] == [(0, 0), (1,), (0, 4), (0, 12)]

    def test_it_is_like_a_list(self):
        """It compares with lists, can be sliced and searched, and knows where it ends."""
        moves = at(ByzanzPhase.AUCTION).legal_moves()
        listed = list(moves)

        assert moves == listed
        assert listed == moves
        assert moves == tuple(listed)
        assert moves == at(ByzanzPhase.AUCTION).legal_moves()
        assert moves != listed[:-1]
        assert moves != [*listed[:-1], DONE]
        assert moves != "pass"
        assert moves[1:4] == listed[1:4]
        assert moves[::-1] == listed[::-1]
        assert [moves.index(move) for move in listed] == list(range(len(listed)))
        assert DONE not in moves
        with pytest.raises(ValueError, match="not in list"):
            moves.index(DONE)
        assert repr(moves) == repr(listed)
        for beyond in (len(listed), -len(listed) - 1):
            with pytest.raises(IndexError, match="there is no move"):
                moves[beyond]
        with pytest.raises(TypeError, match="unhashable"):
            hash(moves)

    def test_it_stays_as_it_is_when_the_match_goes_on(self):
        """A question may be looked at after it was settled."""
        state = at(ByzanzPhase.AUCTION)
        moves = state.legal_moves()
        before = list(at(ByzanzPhase.AUCTION).legal_moves())
        state.apply(moves[3])

        assert moves == before

    def test_only_what_is_looked_at_is_made(self):
        """One chosen bid is one bid made."""
        BIDS.clear()
        moves = at(ByzanzPhase.AUCTION).legal_moves()

        assert len(moves) > 10
        assert isinstance(moves[5], Bid)
        assert len(BIDS) == 1


def test_ready_made_bids_are_forgotten_when_there_are_too_many(monkeypatch):
    """The store of bids stays small, and emptying it halfway changes no list of moves."""
    state = at(ByzanzPhase.AUCTION)
    before = legal(state)
    BIDS.clear()
    monkeypatch.setattr(type(BIDS), "MOST", 3)

    assert legal(state) == before
    assert len(BIDS) <= 3
