from __future__ import annotations

import pytest

from arena.errors import IllegalMoveError
from arena.games.byzanz.events import AuctionWon, BidLaid, LotTaken, LotTurned, Passed
from arena.games.byzanz.moves import Bid, Give
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import UNIT, size
from arena.games.game import Seat, seen_by
from tests.games.byzanz.positions import (
    GAME,
    assert_refused,
    cards,
    dealt,
    legal,
    names,
    play,
    position,
)

EXAMPLE_LOT = "grain-3 olives-3 cloth-2 grain-1 wood-1"


class TestLot:
    def test_the_offer_card_says_how_many_cards_are_turned_over(self):
        """B3.1: the top offer card 5 turns over the first five cards of the deck."""
        state = dealt(4, deck=f"{EXAMPLE_LOT} wine-4")

        assert state.lot == cards(EXAMPLE_LOT)
        assert state.observe(None).offer == 5
        assert state.observe(None).deck_size == 84 - 5

    def test_the_next_lot_follows_in_the_deck(self):
        """B3.1: the second auction turns over the next four cards."""
        state = position([""] * 4, lot=EXAMPLE_LOT, deck="2*wine-4 2*wood-4 grain-4")
        deck_size = state.observe(None).deck_size

        events = play(state, "pass", "pass", "pass", "pass")

        assert events[-1] == LotTurned(3, 4, cards("2*wine-4 2*wood-4"))
        assert state.lot == cards("2*wine-4 2*wood-4")
        assert state.observe(None).deck_size == deck_size - 4

    def test_a_lot_lies_in_the_open(self):
        """B3.1: everybody sees the cards of the lot."""
        state = position([""] * 4)
        turned = play(state, "pass", "pass", "pass", "pass")[-1]

        assert isinstance(turned, LotTurned)
        assert seen_by(turned, None) is turned
        assert [state.observe(seat).lot for seat in (None, Seat(0), Seat(3))] == [state.lot] * 3


class TestSpeaker:
    def test_the_starting_seat_speaks_first_in_the_first_auction(self):
        """B3.2: the first auction of the game starts with seat 0."""
        assert dealt(5).to_act == 0

    @pytest.mark.parametrize(
        ("held", "winner", "speaker"),
        [
            ((0, 0, 0, 0), 0, 1),
            ((0, 0, 0, 0), 2, 3),
            ((0, 0, 0, 0), 3, 0),
            ((5, 0, 0, 0), 3, 1),
            ((0, 5, 0, 0), 0, 2),
            ((0, 5, 4, 0), 0, 3),
            ((5, 0, 0, 4), 2, 1),
        ],
    )
    def test_the_next_auction_starts_after_the_last_winner(self, held, winner, speaker):
        """B3.2: the next seat clockwise after the winner that has no offer card yet speaks."""
        state = position([""] * 4, phase=ByzanzPhase.GIVE, to_act=winner, offers=held, lot="wine-1")

        play(state, "give wine-1")

        assert state.to_act == speaker
        assert state.observe(None).speaker == speaker

    def test_a_winner_by_passing_first_counts_as_the_last_winner(self):
        """B3.2, B3.9: after an auction that all passed, the seat after the first passer speaks."""
        state = position([""] * 4, to_act=2, speaker=2)

        play(state, "pass", "pass", "pass", "pass")

        assert state.observe(None).offers == (0, 0, 5, 0)
        assert state.to_act == 3

    @pytest.mark.parametrize(
        ("offers", "first"), [((2, 3, 4, 5), 0), ((5, 4, 2, 3), 2), ((4, 5, 3, 2), 3)]
    )
    def test_a_later_round_starts_with_the_lowest_offer_card(self, offers, first):
        """B3.2: the first auction of a later round starts with the round before's lowest offer."""
        state = position(
            [""] * 4,
            phase=ByzanzPhase.TAKE,
            to_act=first,
            offers=offers,
            market="wine-1",
            round_number=2,
        )

        play(state, "take wine")

        assert (state.round, state.phase, state.to_act) == (3, ByzanzPhase.AUCTION, first)


class TestTurns:
    def test_who_holds_an_offer_card_takes_no_part(self):
        """B3.3: seats 1 and 3 hold offer cards, so that only 0 and 2 are asked."""
        state = position(
            ["wine-1 wine-3", "wine-2", "wood-2 wood-2", "wine-4"], offers=(0, 5, 0, 4), to_act=2
        )
        order = []
        for line in ("bid wood-2", "bid wine-3", "bid wood-2", "pass"):
            order.append(state.to_act)
            play(state, line)

        assert order == [2, 0, 2, 0]
        assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, 2)

    def test_players_bid_or_pass_in_turn_clockwise(self):
        """B3.4: the turn goes round from the speaker, past those who passed."""
        state = position(
            ["wine-1 wine-3", "spice-1", "wood-2 wood-4", "grain-3"], to_act=1, speaker=1
        )
        order = []
        for line in ("bid spice-1", "bid wood-2", "bid grain-3", "pass", "pass", "bid wood-4"):
            order.append(state.to_act)
            play(state, line)

        assert order == [1, 2, 3, 0, 1, 2]
        assert state.to_act == 3
        assert state.observe(None).passed == (True, True, False, False)


class TestBid:
    def test_kinds_may_be_mixed_and_only_values_count(self):
        """B3.5: wine-1 and spice-2 together bid 3."""
        state = position(["wine-1 spice-2 trader", "", ""])

        events = play(state, "bid wine-1 spice-2")

        assert events == [BidLaid(Seat(0), cards("wine-1 spice-2"), 3)]
        assert names(state.laid[0]) == "spice-2 wine-1"
        assert names(state.hands[0]) == "trader"
        assert (state.high, state.leader) == (3, 0)

    def test_a_bid_lies_in_the_open(self):
        """B3.5: everybody sees the cards laid."""
        state = position(["wine-1 spice-2", "", ""])
        laid = play(state, "bid wine-1")[0]

        assert seen_by(laid, Seat(2)) is laid
        assert state.observe(None).laid == (cards("wine-1"), 0, 0)

    @pytest.mark.parametrize("line", ["bid wood-2", "bid wood-1 grain-1", "bid wood-1"])
    def test_a_bid_must_exceed_the_highest_so_far(self, line):
        """B3.5: with 2 bid, another 2 or 1 is refused."""
        state = position(["wine-2", "wood-1 grain-1 wood-2", ""])
        play(state, "bid wine-2")

        assert_refused(state, line, "B3.5")

    def test_one_more_than_the_highest_is_enough(self):
        """B3.5: with 2 bid, 3 is a bid."""
        state = position(["wine-2", "wood-3", ""])

        play(state, "bid wine-2", "bid wood-3")

        assert (state.high, state.leader) == (3, 1)

    def test_any_first_bid_is_at_least_1(self):
        """B3.5: the first bid may be a single card of value 1."""
        state = position(["wine-1 wood-4", "", ""])

        assert set(legal(state)) == {"pass", "bid wine-1", "bid wood-4", "bid wine-1 wood-4"}

    def test_a_bid_is_raised_by_adding_cards(self):
        """B3.5: a player's bid is the sum of all cards laid in this auction."""
        state = position(["wine-2 wine-3 grain-1", "wood-2 wood-1 grain-2", ""])
        events = play(state, "bid wine-2", "bid wood-2 wood-1", "pass", "bid wine-3")

        assert events[-1] == BidLaid(Seat(0), cards("wine-3"), 5)
        assert state.laid[0] == cards("wine-2 wine-3")
        assert names(state.hands[0]) == "grain-1"

    def test_the_added_cards_need_only_make_up_the_difference(self):
        """B3.5: with 2 laid and 4 against them, adding 3 is enough and adding 2 is not."""
        state = position(["wine-2 spice-2 spice-3", "wood-4", ""])
        play(state, "bid wine-2", "bid wood-4", "pass")

        assert set(legal(state)) == {"pass", "bid spice-3", "bid spice-2 spice-3"}
        assert_refused(state, "bid spice-2", "B3.5")

    def test_laid_cards_cannot_be_laid_again(self):
        """B3.5: a card in the bid is not in the hand, and cannot be bid a second time."""
        state = position(["wine-2 wine-1", "wood-3", ""])
        play(state, "bid wine-2", "bid wood-3", "pass")

        assert_refused(state, "bid wine-2", "B3.5")

    def test_laid_cards_cannot_be_taken_back_or_changed(self):
        """B3.5: short of passing, no move of a bidder returns a laid card to the hand."""
        state = position(["wine-2 wine-1 spice-3", "wood-3", ""])
        play(state, "bid wine-2", "bid wood-3", "pass")

        for move in state.legal_moves():
            twin = state.copy()
            twin.apply(move)
            if GAME.move_to_json(move)["type"] != "pass":
                assert names(twin.laid[0]).split().count("wine-2") == 1

    @pytest.mark.parametrize(
        "line", ["bid trader", "bid wine-1 trader", "bid wine-2", "bid 2*wine-1", "bid cloth-4"]
    )
    def test_a_bid_is_made_of_goods_from_the_hand(self, line):
        """B3.5: neither traders nor cards that are not in the hand can be bid."""
        assert_refused(position(["wine-1 trader", "wine-2", ""]), line, "B3.5")

    @pytest.mark.parametrize("counts", [0, -1, -UNIT[0], 128 * UNIT[0], UNIT[30], 1 << 2000])
    def test_a_bid_of_impossible_cards_is_refused(self, counts):
        """B3.5: no bid, and numbers that are no cards at all, are refused like any other."""
        assert_refused(position(["6*cloth-1", "", ""]), Bid(counts), "B3.5")

    def test_the_refusal_names_the_least_bid(self):
        """B3.5: who bids too little is told how much it takes."""
        state = position(["wine-4", "wood-1 wood-2", ""])
        play(state, "bid wine-4")

        with pytest.raises(IllegalMoveError, match="at least 5, these cards make 3"):
            play(state, "bid wood-1 wood-2")


class TestPass:
    def test_who_passes_takes_the_laid_cards_back(self):
        """B3.6: the laid cards return to the hand, and everybody sees which."""
        state = position(["wine-1 wine-2", "wood-2", "grain-1"])

        events = play(state, "bid wine-1", "bid wood-2", "pass", "pass")

        assert Passed(Seat(0), cards("wine-1")) in events
        assert names(state.hands[0]) == "wine-1 wine-2"
        assert state.laid[0] == 0

    def test_who_has_laid_nothing_takes_nothing_back(self):
        """B3.6: a pass without a bid leaves the hand as it is."""
        state = position(["wine-1 wine-2", "wood-2", "grain-1"])

        assert play(state, "pass") == [Passed(Seat(0), 0)]
        assert names(state.hands[0]) == "wine-1 wine-2"

    def test_who_passed_is_out_of_this_auction(self):
        """B3.6: the turn never comes back to a seat that passed, however long the others bid."""
        state = position(["wine-4", "wood-1 wood-3", "grain-2 grain-4"])
        play(state, "pass")
        order = []
        for line in ("bid wood-1", "bid grain-2", "bid wood-3", "bid grain-4", "pass"):
            order.append(state.to_act)
            play(state, line)

        assert order == [1, 2, 1, 2, 1]

    def test_who_passed_is_back_in_the_next_auction(self):
        """B3.6: a pass counts for one auction only."""
        state = position(["wine-4", "wood-1", "grain-2"], lot="cloth-1")
        play(state, "pass", "bid wood-1", "pass", "give cloth-1")

        assert state.observe(None).passed == (False, False, False)
        assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 2)
        play(state, "pass")
        assert state.to_act == 0


class TestEnd:
    def test_an_auction_ends_when_all_but_a_bidder_have_passed(self):
        """B3.7: the only one left has bid, and wins without being asked again."""
        state = position(["wine-4", "wood-1", "grain-2"])

        events = play(state, "bid wine-4", "pass", "pass")

        assert events[-1] == AuctionWon(Seat(0), cards("wine-4"))
        assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, 0)

    def test_an_auction_goes_on_while_two_are_in(self):
        """B3.7: one pass among three ends nothing."""
        state = position(["wine-2", "wood-1", "grain-3"])
        play(state, "bid wine-2", "pass")

        assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 2)

    def test_a_last_player_who_has_not_bid_still_decides(self):
        """B3.7, Ruling: the last one left is asked to bid at least 1 or pass."""
        state = position(["wine-2", "wood-1", "grain-3 grain-1"])
        play(state, "pass", "pass")

        assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 2)
        assert set(legal(state)) == {
            "pass",
            "bid grain-1",
            "bid grain-3",
            "bid grain-1 grain-3",
        }

    def test_a_last_player_who_bids_wins_at_once(self):
        """B3.7, Ruling: a bid of 1 against nobody wins."""
        state = position(["wine-2", "wood-1", "grain-3 grain-1"])

        events = play(state, "pass", "pass", "bid grain-1")

        assert events[-2:] == [
            BidLaid(Seat(2), cards("grain-1"), 1),
            AuctionWon(Seat(2), cards("grain-1")),
        ]
        assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, 2)

    def test_a_pass_is_asked_of_a_player_who_cannot_bid(self):
        """A decision exists even if its only move is a pass."""
        state = position(["trader", "wood-1", ""])

        assert (state.to_act, legal(state)) == (0, ["pass"])


class TestWin:
    def test_worked_example_1(self):
        """Worked example 1, B3.8: laid cards and one of the lot go to the market, four in hand."""
        state = position(["cloth-1 spice-2 wine-1 trader", "", "", ""], lot=EXAMPLE_LOT)

        events = play(state, "bid cloth-1 spice-2 wine-1", "pass", "pass", "pass", "give wood-1")

        assert AuctionWon(Seat(0), cards("cloth-1 spice-2 wine-1")) in events
        assert (
            LotTaken(Seat(0), 5, cards("grain-3 olives-3 cloth-2 grain-1"), cards("wood-1"))
            in events
        )
        assert state.market == cards("cloth-1 spice-2 wine-1 wood-1")
        assert state.hands[0] == cards("trader grain-3 olives-3 cloth-2 grain-1")
        assert state.observe(None).offers == (5, 0, 0, 0)

    def test_when_a_card_is_given_the_bid_already_lies_on_the_market(self):
        """B3.8: when the winner decides, the bid is on the market, the lot in nobody's hand."""
        state = position(["wine-2 trader", "", ""], lot=f"{EXAMPLE_LOT} trader")
        play(state, "bid wine-2", "pass", "pass")

        assert state.phase is ByzanzPhase.GIVE
        assert names(state.market) == "wine-2"
        assert state.observe(None).laid == (0, 0, 0)
        assert names(state.hands[0]) == "trader"
        assert state.lot == cards(f"{EXAMPLE_LOT} trader")
        assert state.observe(None).offers == (0, 0, 0)

    def test_the_next_auction_starts_without_a_bid(self):
        """B3.5: a bid counts in its own auction; after one of 4 the next may begin with 1."""
        state = position(["wine-4", "wood-1", ""], lot="grain-3 4*grain-1 spice-1")
        play(state, "bid wine-4", "pass", "pass", "give spice-1")

        assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 1)
        assert (state.observe(None).high, state.observe(None).leader) == (0, None)
        assert legal(state) == ["pass", "bid wood-1"]

    def test_the_lot_cannot_be_sold_before_it_is_in_the_hand(self):
        """B3.8: cards of the lot are no part of a sale at that decision."""
        state = position(["wine-2 trader", "", ""], lot="3*cloth-1 3*wood-1")
        play(state, "bid wine-2", "pass", "pass")

        assert legal(state) == ["give cloth-1", "give wood-1"]
        assert_refused(state, "sell 3*cloth-1", "B5.4")
        assert_refused(state, "sell 2*cloth-1 trader", "B5.4")

    def test_the_card_given_is_one_of_the_lot(self):
        """B3.8: a card of the hand, or one that lies nowhere near, cannot be given."""
        state = position(
            ["trader cloth-4", "", ""], phase=ByzanzPhase.GIVE, lot=f"{EXAMPLE_LOT} wood-1"
        )

        assert_refused(state, "give cloth-4", "B3.8")
        assert_refused(state, "give wine-3", "B3.8")
        assert_refused(state, Give(99), "B3.8")
        assert_refused(state, Give(-1), "B3.8")

    def test_equal_cards_of_a_lot_are_one_choice(self):
        """B3.8: of two equal cards one is given and the other taken."""
        state = position(["", "", ""], phase=ByzanzPhase.GIVE, lot="6*wood-1")

        assert legal(state) == ["give wood-1"]
        play(state, "give wood-1")
        assert names(state.market) == "wood-1"
        assert state.hands[0] == cards("5*wood-1")

    def test_a_trader_of_the_lot_can_be_given(self):
        """B3.8: any card of the lot may go to the market, traders included."""
        state = position(["", "", ""], phase=ByzanzPhase.GIVE, lot="5*wood-1 trader")

        play(state, "give trader")

        assert names(state.market) == "trader"


class TestAllPass:
    def test_the_first_passer_wins_when_everyone_passes(self):
        """B3.9: the whole lot goes to the first passer's hand and nothing to the market."""
        state = position(["wine-2", "wood-1", "grain-3", ""], to_act=1, lot=EXAMPLE_LOT)

        events = play(state, "pass", "pass", "pass", "pass")

        assert events[4] == LotTaken(Seat(1), 5, cards(EXAMPLE_LOT), 0)
        assert state.hands[1] == cards(f"wood-1 {EXAMPLE_LOT}")
        assert state.market == 0
        assert state.observe(None).offers == (0, 5, 0, 0)
        assert not any(isinstance(event, AuctionWon) for event in events)

    def test_a_pass_after_a_bid_does_not_make_an_auction_all_passed(self):
        """B3.9: the first passer gets nothing once somebody bids."""
        state = position(["wine-2", "wood-1", "grain-3"])
        play(state, "pass", "pass", "bid grain-3")

        assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, 2)

    def test_among_fewer_players_the_first_passer_of_this_auction_wins(self):
        """B3.9: with seats 0 and 1 out of it, seat 3 passed first and wins offer card 3."""
        state = position([""] * 4, offers=(5, 4, 0, 0), to_act=3, lot="2*wine-1 wood-1")

        play(state, "pass", "pass")

        assert state.observe(None).offers == (5, 4, 0, 3)
        assert state.hands[3] == cards("2*wine-1 wood-1")

    def test_the_first_passer_over_the_limit_decides_at_once(self):
        """B3.9, B5.3, B6.1: the seat whose hand grew through another's pass must cut it down."""
        state = position(["3*wine-1", "wood-1", "grain-3", ""], lot=EXAMPLE_LOT)

        play(state, "pass", "pass", "pass", "pass")

        assert (state.phase, state.to_act) == (ByzanzPhase.LIMIT, 0)
        assert "sell wine-1 wine-1 wine-1" in legal(state)


class TestLastPlayer:
    @pytest.mark.parametrize(("offers", "last"), [((6, 4, 0), 2), ((5, 3, 0, 4), 2)])
    def test_the_last_player_chooses_from_a_lot_of_two(self, offers, last):
        """B3.10: with 3 or 4 players the last gives one card of two without a bid."""
        state = position(
            ["wine-1"] * len(offers),
            phase=ByzanzPhase.GIVE,
            to_act=last,
            offers=offers,
            lot="grain-2 olives-1",
        )

        assert legal(state) == ["give grain-2", "give olives-1"]
        play(state, "give olives-1")
        assert state.hands[last] == cards("wine-1 grain-2")
        assert names(state.market) == "olives-1"
        assert state.offers[last] == 2
        assert (state.phase, state.to_act) == (ByzanzPhase.TAKE, last)

    @pytest.mark.parametrize("seats", [3, 4])
    def test_the_last_lot_of_two_opens_with_a_give(self, seats):
        """B3.10: once all others hold offer cards the last player neither bids nor passes."""
        state = dealt(seats)
        while state.offers.count(0) > 1:
            state.apply(state.default_move())
        while state.phase is ByzanzPhase.LIMIT:
            state.apply(state.default_move())

        assert size(state.lot) == 2
        assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, state.offers.index(0))
        assert_refused(state, "pass", "B3.4")
        card = names(state.hands[state.offers.index(0)]).split()[0]
        assert_refused(state, f"bid {card}", "B3.4")

    @pytest.mark.parametrize(
        ("offers", "giver", "last"), [((5, 4, 3, 0, 0), 3, 4), ((6, 5, 4, 3, 0, 0), 4, 5)]
    )
    def test_a_last_lot_of_one_goes_to_the_market(self, offers, giver, last):
        """B3.10: with 5 or 6 players the last card goes to the market without a decision."""
        hands = [""] * len(offers)
        state = position(
            hands,
            phase=ByzanzPhase.GIVE,
            to_act=giver,
            offers=offers,
            lot="grain-2 olives-1",
            deck="cloth-3",
        )

        events = play(state, "give olives-1")

        assert events[1:] == [
            LotTurned(3, 1, cards("cloth-3")),
            LotTaken(Seat(last), 1, 0, cards("cloth-3")),
        ]
        assert names(state.market) == "cloth-3 olives-1"
        assert state.hands[last] == 0
        assert state.offers[last] == 1
        assert (state.phase, state.to_act) == (ByzanzPhase.TAKE, last)

    @pytest.mark.parametrize("seats", [5, 6])
    def test_a_last_lot_of_two_is_auctioned_where_there_is_an_offer_of_one(self, seats):
        """B3.10: with 5 or 6 players the lot of two is the last that is bid for."""
        offers = (5, 4, 3, 0, 0) if seats == 5 else (6, 5, 4, 3, 0, 0)
        state = position(["wine-1"] * seats, offers=offers, to_act=seats - 2, lot="2*grain-1")

        assert legal(state) == ["pass", "bid wine-1"]
        play(state, "bid wine-1", "pass")
        assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, seats - 2)
