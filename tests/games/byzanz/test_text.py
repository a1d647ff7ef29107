from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import FormatError
from arena.games.byzanz.events import (
    AuctionWon,
    BidLaid,
    Discarded,
    KindTaken,
    LotTaken,
    LotTurned,
    MarketCleared,
    Passed,
    SalesEnded,
    Sold,
)
from arena.games.byzanz.moves import (
    DONE,
    PASS,
    Bid,
    Discard,
    Done,
    Give,
    Pass,
    Sell,
    Take,
)
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.byzanz.rules import ByzanzState
from arena.games.byzanz.text import list_cards
from arena.games.counts import pack
from arena.games.game import Event, Move, Seat, seen_by
from tests.games.byzanz.positions import GAME, NAMES, cards, ledger, play, position

MOVES = [
    (PASS, {"type": "pass"}, "pass"),
    (
        Bid(cards("wine-1 spice-2")),
        {"type": "bid", "cards": ["spice-2", "wine-1"]},
        "bid spice-2 wine-1",
    ),
    (Give(cards("wood-1").bit_length() // 8), {"type": "give", "card": "wood-1"}, "give wood-1"),
    (Take(3), {"type": "take", "kind": "wood"}, "take wood"),
    (Take(6), {"type": "take", "kind": "trader"}, "take trader"),
    (
        Sell(cards("cloth-4 cloth-1 trader")),
        {"type": "sell", "cards": ["cloth-1", "cloth-4", "trader"]},
        "sell cloth-1 cloth-4 trader",
    ),
    (Discard(24), {"type": "discard", "card": "trader"}, "discard trader"),
    (DONE, {"type": "done"}, "done"),
]


class TestMoves:
    @pytest.mark.parametrize(("move", "value", "line"), MOVES)
    def test_moves_are_written_as_in_the_rules(self, move, value, line):
        """Moves, as text: each move has one JSON form and one line."""
        assert GAME.move_to_json(move) == value
        assert GAME.move_to_text(move) == line

    @pytest.mark.parametrize(("move", "value", "line"), MOVES)
    def test_moves_are_read_as_in_the_rules(self, move, value, line):
        """Moves, as text: what is written is read as the same move."""
        assert GAME.move_from_json(value) == move
        assert GAME.move_from_text(line) == move

    @settings(deadline=None)
    @given(st.lists(st.integers(0, 24), min_size=1, max_size=40), st.sampled_from([Bid, Sell]))
    def test_any_cards_survive_writing_and_reading(self, chosen, kind):
        """Moves, as text: a bid or sale of any cards is read as it was written."""
        move = kind(pack(chosen))

        assert GAME.move_from_json(GAME.move_to_json(move)) == move
        assert GAME.move_from_text(GAME.move_to_text(move)) == move

    def test_the_order_of_cards_carries_no_meaning(self):
        """Moves, as text: the same cards in another order are the same move."""
        assert GAME.move_from_text("bid wine-1 spice-2 wine-1") == GAME.move_from_text(
            "bid wine-1 wine-1 spice-2"
        )
        assert GAME.move_from_json(
            {"cards": ["trader", "cloth-1", "cloth-4"], "type": "sell"}
        ) == Sell(cards("cloth-4 cloth-1 trader"))

    def test_a_line_may_have_spare_blanks(self):
        """A person may type blanks before, between and after the words."""
        assert GAME.move_from_text("  bid   wine-1\twine-1 \n") == Bid(cards("2*wine-1"))

    @pytest.mark.parametrize(
        ("value", "complaint"),
        [
            (None, "must be an object with a 'type'"),
            ([], "must be an object with a 'type'"),
            ("pass", "must be an object with a 'type'"),
            (1, "must be an object with a 'type'"),
            ({}, "must be an object with a 'type'"),
            ({"cards": ["wine-1"]}, "must be an object with a 'type'"),
            ({"type": None}, "type must be a string, not null"),
            ({"type": True}, "type must be a string, not true or false"),
            ({"type": ["pass"]}, "type must be a string, not a list"),
            ({"type": {}}, "type must be a string, not an object"),
            ({"type": ""}, "'' is not a move of Byzanz"),
            ({"type": "Pass"}, "'Pass' is not a move of Byzanz"),
            ({"type": "raise"}, "one of pass, bid, give, take, sell, discard, done"),
            ({"type": "pass", "seat": 0}, "unknown field 'seat'"),
            ({"type": "pass", "cards": None}, "unknown field 'cards'"),
            ({"type": "pass", "cards": []}, "unknown field 'cards'"),
            ({"type": "done", 1: 2}, "unknown field 1"),
            ({"type": "bid"}, "lacks 'cards'"),
            ({"type": "bid", "cards": None}, "cards must be a list, not null"),
            ({"type": "bid", "cards": "wine-1"}, "cards must be a list, not a string"),
            ({"type": "bid", "cards": {"wine-1": 1}}, "cards must be a list, not an object"),
            ({"type": "bid", "cards": []}, "cards must name 1 to 127 cards"),
            ({"type": "bid", "cards": [None]}, r"cards\[0\] must be a string, not null"),
            ({"type": "bid", "cards": ["wine-1", 9]}, r"cards\[1\] must be a string, not a whole"),
            ({"type": "bid", "cards": [["wine-1"]]}, r"cards\[0\] must be a string, not a list"),
            ({"type": "bid", "cards": ["wine-5"]}, r"cards\[0\] 'wine-5' does not exist"),
            ({"type": "bid", "cards": ["Wine-1"]}, r"cards\[0\] 'Wine-1' does not exist"),
            ({"type": "bid", "cards": ["wine"]}, r"cards\[0\] 'wine' does not exist"),
            ({"type": "bid", "cards": ["wine-1 "]}, r"cards\[0\] 'wine-1 ' does not exist"),
            ({"type": "bid", "cards": ["wine-1"], "card": "wine-1"}, "unknown field 'card'"),
            ({"type": "bid", "cards": ["wine-1"], "note": None}, "unknown field 'note'"),
            ({"type": "bid", "card": "wine-1"}, "lacks 'cards'"),
            ({"type": "sell", "cards": []}, "cards must name 1 to 127 cards"),
            ({"type": "sell", "cards": 3}, "cards must be a list, not a whole number"),
            ({"type": "sell", "cards": 0.5}, "cards must be a list, not a number"),
            ({"type": "give"}, "lacks 'card'"),
            ({"type": "give", "card": None}, "card must be a string, not null"),
            ({"type": "give", "card": ["wood-1"]}, "card must be a string, not a list"),
            ({"type": "give", "card": 12}, "card must be a string, not a whole number"),
            ({"type": "give", "card": "wood"}, "card 'wood' does not exist"),
            ({"type": "give", "cards": ["wood-1"]}, "lacks 'card'"),
            ({"type": "take", "kind": "wood-1"}, "kind 'wood-1' does not exist"),
            ({"type": "take", "kind": 3}, "kind must be a string"),
            ({"type": "take", "kind": "traders"}, "kind 'traders' does not exist"),
            ({"type": "take", "kind": "wood", "card": "wood-1"}, "unknown field 'card'"),
            ({"type": "discard", "card": ""}, "card '' does not exist"),
            ({"type": "discard", "kind": "grain"}, "lacks 'card'"),
        ],
    )
    def test_a_move_has_exactly_the_fields_shown(self, value, complaint):
        """Moves, as text: no nulls, no extras, no other types, no unknown names."""
        with pytest.raises(FormatError, match=complaint):
            GAME.move_from_json(value)

    @pytest.mark.parametrize("number", [128, 300, 10_000])
    def test_a_huge_list_of_cards_is_no_move(self, number):
        """Moves, as text: a list of far more cards than the pack has is refused."""
        for kind in ("bid", "sell"):
            with pytest.raises(FormatError, match="cards must name 1 to 127 cards"):
                GAME.move_from_json({"type": kind, "cards": ["wine-1"] * number})

    def test_a_list_of_the_whole_pack_is_a_move(self):
        """Moves, as text: 112 cards are a move that can be read, though never a legal one."""
        move = GAME.move_from_json({"type": "bid", "cards": ["wine-1"] * 112})

        assert move == Bid(pack([8] * 112))

    @pytest.mark.parametrize(
        ("line", "complaint"),
        [
            ("", "'' is not a move of Byzanz"),
            ("   ", "'' is not a move of Byzanz"),
            ("BID wine-1", "'BID' is not a move of Byzanz"),
            ("wine-1", "'wine-1' is not a move of Byzanz"),
            ("pass wine-1", "'pass' takes 0 words, not 1"),
            ("done done", "'done' takes 0 words, not 1"),
            ("bid", "cards must name 1 to 127 cards"),
            ("sell", "cards must name 1 to 127 cards"),
            ("bid wine-1,wine-2", "does not exist"),
            ("give", "'give' takes 1 words, not 0"),
            ("give wood-1 wood-2", "'give' takes 1 words, not 2"),
            ("give wood", "card 'wood' does not exist"),
            ("take wine-1", "kind 'wine-1' does not exist"),
            ("discard", "'discard' takes 1 words, not 0"),
        ],
    )
    def test_a_line_that_writes_no_move_is_refused(self, line, complaint):
        """Moves, as text: a line is a type and just the words it takes."""
        with pytest.raises(FormatError, match=complaint):
            GAME.move_from_text(line)

    def test_a_foreign_move_cannot_be_written(self):
        """A move of another game has no text here."""

        class Trade(Move):
            __slots__ = ()

        with pytest.raises(FormatError, match="not a move of Byzanz"):
            GAME.move_to_json(Trade())
        with pytest.raises(FormatError, match="not a move of Byzanz"):
            GAME.public_move(Trade())

    def test_moves_compare_by_what_they_say(self):
        """Moves are values: equal ones are equal wherever they were made."""
        assert Pass() == PASS
        assert Done() == DONE
        assert len({Give(1), Give(1), Discard(1), Bid(1), Sell(1), Bid(1)}) == 4


EVENTS: list[tuple[Event, str]] = [
    (
        LotTurned(2, 4, cards("3*wine-1 trader")),
        "Round 2, offer 4: up for auction 3×wine-1 trader.",
    ),
    (BidLaid(Seat(1), cards("wine-1 spice-2"), 5), "Bea bids 5, laying spice-2 wine-1."),
    (Passed(Seat(0), 0), "Ann passes."),
    (Passed(Seat(0), cards("2*wine-1")), "Ann passes, taking back 2×wine-1."),
    (AuctionWon(Seat(2), cards("wood-4")), "Cid wins and pays wood-4 to the market."),
    (
        LotTaken(Seat(2), 5, cards("cloth-1 grain-2"), cards("wood-1")),
        "Cid puts wood-1 on the market, takes cloth-1 grain-2, takes offer card 5.",
    ),
    (LotTaken(Seat(1), 4, cards("4*wood-1"), 0), "Bea takes 4×wood-1, takes offer card 4."),
    (
        LotTaken(Seat(0), 1, 0, cards("wood-1")),
        "Ann puts wood-1 on the market, takes offer card 1.",
    ),
    (
        KindTaken(Seat(0), 6, cards("2*trader")),
        "Ann takes trader from the market: 2×trader.",
    ),
    (MarketCleared(cards("wine-1 grain-1")), "The market closes; wine-1 grain-1 is left over."),
    (MarketCleared(0), "The market closes; nothing is left over."),
    (
        Sold(Seat(1), cards("cloth-4 cloth-1 trader"), 3),
        "Bea sells cloth-1 cloth-4 trader, keeping cloth-4.",
    ),
    (Discarded(Seat(2), 24), "Cid discards trader."),
    (Discarded(Seat(2), 0), "Cid discards cloth-1."),
    (SalesEnded(Seat(0)), "Ann is done selling."),
]


class TestEvents:
    @pytest.mark.parametrize(("event", "sentence"), EVENTS)
    def test_every_event_is_told_as_a_sentence(self, event, sentence):
        """Each kind of event has a sentence with the player's name and the cards."""
        assert GAME.tell(event, NAMES) == sentence

    @pytest.mark.parametrize(("event", "sentence"), EVENTS)
    def test_only_a_discard_is_told_differently_to_the_public(self, event, sentence):
        """B6.2: the redacted discard is told without its card, all else as it is."""
        seen = seen_by(event, None)
        assert seen is not None

        told = GAME.tell(seen, NAMES)

        if isinstance(event, Discarded):
            assert told == "Cid discards a card face down."
        else:
            assert told == sentence

    def test_a_foreign_event_cannot_be_told(self):
        """An event of another game has no sentence here."""

        class Rain(Event):
            __slots__ = ()

        with pytest.raises(TypeError, match="not an event of Byzanz"):
            GAME.tell(Rain(), NAMES)

    @pytest.mark.parametrize(("event", "sentence"), EVENTS)
    def test_no_event_is_an_outcome_of_chance(self, event, sentence):
        """B2.1: all luck is in the deal, so that replays record no chance."""
        assert not event.by_chance
        assert GAME.chance_to_json(event) is None

    def test_a_chance_cannot_be_read(self):
        """B2.1: a replay that records chance after the deal is none of this game."""
        with pytest.raises(FormatError, match="nothing to chance"):
            GAME.chance_from_json({"pile": "deck", "cards": []})


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("", "nothing"),
        ("wine-1", "wine-1"),
        ("trader 2*cloth-1 wine-4", "2×cloth-1 wine-4 trader"),
        ("16*trader", "16×trader"),
    ],
)
def test_equal_cards_are_counted_in_lists(text, listed):
    """A list of cards is in canonical order, with equal cards counted."""
    assert list_cards(cards(text)) == listed


class TestTable:
    def test_an_auction_is_shown(self):
        """The table shows round, deck, lot, market and each seat's points, hand, bid and pass."""
        state = position(
            ["wine-1 trader", "2*spice-1", "wood-3", ""],
            lot="grain-3 olives-3 cloth-2 2*grain-1",
            kept=["", "wine-4 trader"],
        )
        play(state, "bid wine-1", "bid 2*spice-1", "pass")

        assert GAME.show_table(state.observe(Seat(3)), NAMES[:4]) == (
            "Round 3, 51 cards in the deck.\n"
            "Lot (offer 5): cloth-2 2×grain-1 grain-3 olives-3\n"
            "Market: nothing\n"
            "  Ann   0 points, 1 in hand, bids 1 (wine-1)\n"
            "  Bea   9 points, 0 in hand, bids 2 (2×spice-1)\n"
            "  Cid   0 points, 1 in hand, passed\n"
            "> Dan   0 points, 0 in hand"
        )

    def test_a_give_is_shown(self):
        """While the winner chooses, lot and market are shown."""
        state = position(["wine-1", "", ""], lot="6*grain-1")
        play(state, "bid wine-1", "pass", "pass")
        lines = GAME.show_table(state.observe(None), ["A", "Bert", "C"]).split("\n")

        assert lines[1:] == [
            "Lot (offer 6): 6×grain-1",
            "Market: wine-1",
            "> A      0 points, 0 in hand",
            "  Bert   0 points, 0 in hand, passed",
            "  C      0 points, 0 in hand, passed",
        ]

    def test_a_market_is_shown(self):
        """After the auctions the market and the offer cards held are shown, and no lot."""
        state = position(
            ["", "", "", ""],
            phase=ByzanzPhase.TAKE,
            to_act=1,
            offers=(4, 2, 5, 3),
            market="2*wood-1 trader",
        )
        play(state, "take wood")

        assert GAME.show_table(state.observe(Seat(0)), NAMES[:4]).split("\n")[1:] == [
            "Market: trader",
            "  Ann   0 points, 0 in hand, offer 4",
            "  Bea   0 points, 2 in hand, offer 2, known: 2×wood-1",
            "  Cid   0 points, 0 in hand, offer 5",
            "> Dan   0 points, 0 in hand, offer 3",
        ]

    @pytest.mark.parametrize(
        ("known", "shown"),
        [
            (ledger(("wine-1 wood-1", 0)), ", known: wine-1 wood-1"),
            (ledger(("wine-1 wood-1", 1)), ", known: perhaps wine-1 wood-1"),
            (ledger(("wine-1", 1), ("wood-1", 0)), ", known: wood-1, perhaps wine-1"),
            ((), ""),
        ],
    )
    def test_known_cards_are_shown_with_their_certainty(self, known, shown):
        """Sure cards come first, doubtful ones after `perhaps`; discards are counted."""
        state = position(
            ["8*?", "wood-1 wine-1", ""],
            phase=ByzanzPhase.LIMIT,
            known=[(), known],
            discards=["", "2*?"],
        )
        lines = GAME.show_table(state.observe(Seat(0)), NAMES[:3]).split("\n")

        assert lines[3] == f"  Bea   0 points, 2 in hand, 2 discarded{shown}"

    def test_ones_own_known_cards_are_not_listed(self):
        """A seat needs no list of the own cards that others know of."""
        state = position(["wine-1", "", ""], known=[ledger(("wine-1", 0))])

        assert "known" not in GAME.show_table(state.observe(Seat(0)), NAMES[:3])
        assert "known: wine-1" in GAME.show_table(state.observe(Seat(1)), NAMES[:3])

    @pytest.mark.parametrize("phase", [ByzanzPhase.FINAL, ByzanzPhase.LIMIT])
    def test_a_match_in_progress_is_not_called_over(self, phase):
        """Neither the final sales nor a hand over the limit are the end."""
        state = position(["8*?", "", ""], phase=phase)

        assert "over" not in GAME.show_table(state.observe(None), NAMES[:3])

    def test_the_end_is_shown(self):
        """When the match is over the table says so, and nobody is marked as to act."""
        state = position(["", "", ""], phase=ByzanzPhase.FINAL, kept=["wine-4"], round_number=8)
        play(state, "done", "done", "done")
        shown = GAME.show_table(state.observe(None), NAMES[:3])

        assert shown.startswith("Round 8, 0 cards in the deck.\nMarket: nothing\n  Ann   4 points")
        assert shown.endswith("\nThe match is over.")
        assert ">" not in shown

    def test_the_table_shows_no_hand(self):
        """What everybody sees contains no card of a hand, not even of the observing seat's."""
        state = position(["trader", "wine-4", "wood-4"], lot="6*grain-1")
        shown = GAME.show_table(state.observe(Seat(1)), NAMES[:3])

        assert not any(card in shown for card in ("trader", "wine-4", "wood-4"))

    def test_a_hand_is_shown_with_its_value(self):
        """A seat sees its hand and what its goods are worth in a bid."""
        state = position(["2*wine-3 trader", "", ""])

        assert GAME.show_hand(state.observe(Seat(0))) == "Hand: 2×wine-3 trader (goods worth 6)"
        assert GAME.show_hand(state.observe(Seat(1))) == "Hand: nothing (goods worth 0)"

    def test_own_discards_are_shown_with_the_hand(self):
        """B6.2: a seat is reminded of what it discarded itself."""
        state = position(["wine-3", "", ""], discards=["2*wood-1", "spice-1"])

        assert GAME.show_hand(state.observe(Seat(0))) == (
            "Hand: wine-3 (goods worth 3)\nDiscarded: 2×wood-1"
        )


def decision(state: ByzanzState) -> list[str]:
    """Return what the seat to act is told: the decision, and its moves."""
    seen, legal = state.observe(state.to_act), state.legal_moves()
    return [
        GAME.show_decision(seen, legal, NAMES),
        *(GAME.show_move(move, seen, NAMES) for move in legal),
    ]


class TestDecisions:
    def test_an_auction(self):
        """A bid is shown with what it comes to, together with what is laid already."""
        state = position(["wine-1 wine-4", "", ""], laid=["spice-2", "wood-3"], lot="6*?")

        assert decision(state) == [
            "Auction: Bea leads with 3. Bid more or pass.",
            "pass",
            "bid  6: wine-4",
            "bid  7: wine-1 wine-4",
        ]

    def test_an_auction_without_a_bid(self):
        """Who has three cards of a kind may sell first, and sees which card is kept."""
        shown = decision(position(["2*wine-1 trader", "", ""], lot="6*?"))

        assert shown[0] == "Auction: nobody has bid yet. Bid or pass. You may sell first."
        assert shown[-1] == "sell 2×wine-1 trader, keeping wine-1"

    def test_a_hand_over_the_limit(self):
        """The limit is said, and whether there is something to sell."""
        hand = "2*cloth-1 2*spice-1 2*wood-1 grain-1 olives-1"
        state = position([hand, "", ""], phase=ByzanzPhase.LIMIT)
        assert decision(state)[:2] == [
            "You hold 8 cards, over the hand limit of 7: discard.",
            "discard cloth-1",
        ]
        state = position([hand + " trader", "", ""], phase=ByzanzPhase.LIMIT)
        assert decision(state)[0] == "You hold 9 cards, over the hand limit of 7: discard or sell."

    @pytest.mark.parametrize(
        ("phase", "told"),
        [
            (ByzanzPhase.GIVE, "The lot is yours: choose the card of it that goes to the market."),
            (ByzanzPhase.TAKE, "Choose the kind that you take from the market."),
            (ByzanzPhase.FINAL, "Final sales: sell, or end your sales with done."),
        ],
    )
    def test_other_phases(self, phase, told):
        """Each phase says what is asked for."""
        state = position(["wine-1", "", ""], phase=phase, market="wood-1")

        assert decision(state)[0] == told

    @pytest.mark.parametrize(("offer", "is_auctioned"), [(6, True), (4, True), (2, False)])
    def test_the_last_lot(self, offer, is_auctioned):
        """B3.10: the last lot of a round is not said to be up for auction."""
        told = GAME.tell(LotTurned(1, offer, cards("wine-1")), NAMES[:3])

        assert ("up for auction" in told) is is_auctioned
        assert told.endswith(" wine-1.")
