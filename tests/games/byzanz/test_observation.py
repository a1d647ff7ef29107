from __future__ import annotations

from random import Random

import pytest

from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.counts import contains, pack, size, unpack
from arena.games.game import Seat
from arena.games.ledger import certain, mentioned
from tests.games.byzanz.positions import cards, deal, dealt, ledger, play, position

SEATS = [None, Seat(0), Seat(1), Seat(2), Seat(3)]
LOT = "grain-3 olives-3 cloth-2 grain-1 wood-1"


def market_of_four(hands, market, **more):
    """Return the market of a table of four; seat 1 takes first, then seats 3, 0 and 2."""
    return position(
        hands, phase=ByzanzPhase.TAKE, to_act=1, offers=(4, 2, 5, 3), market=market, **more
    )


class TestWhoSeesWhat:
    def test_nothing_is_shown_beyond_the_named_fields(self):
        """What each seat may see: an observation has these fields and no others."""
        assert Observation._fields == (
            "seat",
            "to_act",
            "phase",
            "round",
            "deck_size",
            "hand",
            "own_discards",
            "lot",
            "market",
            "offer",
            "speaker",
            "high",
            "leader",
            "first_passer",
            "takes",
            "hand_sizes",
            "known",
            "laid",
            "passed",
            "offers",
            "kept",
            "points",
            "face_down",
            "out",
        )

    def test_a_seat_sees_its_own_hand(self):
        """What each seat may see: the hand is private to its seat."""
        state = position(["wine-1", "2*wood-1", "trader", ""])

        assert [state.observe(seat).hand for seat in SEATS] == [0, *state.hands]
        assert [state.observe(seat).seat for seat in SEATS] == SEATS

    def test_a_seat_sees_its_own_discards(self):
        """B6.2: discards are private to the seat that made them."""
        state = position(["", "", "", ""], discards=["wine-1", "2*wood-4", "", "trader"])

        assert [state.observe(seat).own_discards for seat in SEATS] == [0, *state.discards]
        assert [state.observe(seat).face_down for seat in SEATS] == [(1, 2, 0, 1)] * 5

    def test_the_public_part_is_the_same_for_everybody(self):
        """What each seat may see: apart from hand and discards all seats see the same."""
        state = position(
            ["3*?", "4*?", "5*?", "6*?"], discards=["?", "2*?"], kept=["?"], laid=["", "?"]
        )
        views = [state.observe(seat)._replace(seat=None, hand=0, own_discards=0) for seat in SEATS]

        assert views == [state.observe(None)] * 5

    def test_an_auction_lies_in_the_open(self):
        """What each seat may see: lot, bids laid, who passed and the deck's size are public."""
        state = position(["wine-1 trader", "spice-2 spice-1", "wood-3", ""], lot=LOT)
        play(state, "bid wine-1", "bid spice-2", "pass", "pass")
        seen = state.observe(None)

        assert seen == Observation(
            seat=None,
            to_act=Seat(0),
            phase=ByzanzPhase.AUCTION,
            round=3,
            deck_size=4 + 3 + 2 + 3 * 14,
            hand=0,
            own_discards=0,
            lot=cards(LOT),
            market=0,
            offer=5,
            speaker=Seat(0),
            high=2,
            leader=Seat(1),
            first_passer=Seat(2),
            takes=0,
            hand_sizes=(1, 1, 1, 0),
            known=((), (), (), ()),
            laid=(cards("wine-1"), cards("spice-2"), 0, 0),
            passed=(False, False, True, True),
            offers=(0, 0, 0, 0),
            kept=(0, 0, 0, 0),
            points=(0, 0, 0, 0),
            face_down=(0, 0, 0, 0),
            out=state.out,
        )

    def test_a_won_lot_is_still_shown(self):
        """B3.8: while the winner chooses, the lot and its offer card are there to be seen."""
        state = position(["wine-1", "", ""], lot=f"{LOT} wine-4")
        play(state, "bid wine-1", "pass", "pass")
        seen = state.observe(Seat(1))

        assert (seen.phase, seen.to_act, seen.offer) == (ByzanzPhase.GIVE, 0, 6)
        assert seen.lot == cards(f"{LOT} wine-4")
        assert seen.market == cards("wine-1")
        assert (seen.leader, seen.high) == (0, 1)

    def test_a_finished_auction_leaves_nothing_behind(self):
        """B3.9: with the lot taken there is no bid, no leader and no passer any more."""
        state = position([""] * 4, lot=LOT)
        play(state, "pass", "pass", "pass", "pass")
        seen = state.observe(None)

        assert (seen.high, seen.leader, seen.first_passer) == (0, None, None)
        assert seen.passed == (False,) * 4
        assert seen.offers == (5, 0, 0, 0)
        assert (seen.offer, seen.speaker) == (4, 1)

    def test_a_market_has_no_lot_and_no_offer_card_for_one(self):
        """B3.10, B4.1: once the last lot is taken there is none, and nothing that sizes one."""
        lot = "wood-1 wine-1"
        state = position(
            [""] * 3, phase=ByzanzPhase.GIVE, to_act=2, speaker=2, offers=(6, 4), lot=lot
        )
        play(state, "give wood-1")
        seen = state.observe(None)

        assert (seen.phase, seen.lot, seen.offer) == (ByzanzPhase.TAKE, 0, 0)

    @pytest.mark.parametrize(
        ("phase", "offers"),
        [(ByzanzPhase.TAKE, (4, 2, 5, 3)), (ByzanzPhase.LIMIT, (5, 4)), (ByzanzPhase.FINAL, ())],
    )
    def test_no_offer_card_is_up_between_auctions(self, phase, offers):
        """B3.1: without a lot there is no offer card to win."""
        seen = position(["8*?", "", "", ""], phase=phase, offers=offers, market="wine-1").observe(
            None
        )

        assert (seen.lot, seen.offer) == (0, 0)

    def test_the_market_shows_who_has_taken(self):
        """B4.1: the market, the offer cards held and the number of takes are public."""
        state = market_of_four([""] * 4, "wine-1 wood-1 2*trader")
        play(state, "take trader")
        seen = state.observe(Seat(2))

        assert seen.market == cards("wine-1 wood-1")
        assert seen.offers == (4, 2, 5, 3)
        assert (seen.takes, seen.to_act) == (1, 3)
        assert seen.hand_sizes == (0, 2, 0, 0)

    def test_sales_are_public(self):
        """B5.1: after a sale everybody knows the profit card, the points and what left the game."""
        state = position(["wine-4 wine-1 trader", "", ""])
        out = state.out
        play(state, "sell wine-4 wine-1 trader")
        seen = state.observe(None)

        assert seen.kept == (cards("wine-4"), 0, 0)
        assert seen.points == (4, 0, 0)
        assert seen.out == out + cards("wine-1 trader")

    def test_the_end_is_seen(self):
        """B7.2: when the match is over nobody is to act and the hands stay hidden."""
        state = position(["wine-1", "", ""], phase=ByzanzPhase.FINAL, round_number=8)
        play(state, "done", "done", "done")
        seen = state.observe(Seat(1))

        assert (seen.to_act, seen.phase) == (None, ByzanzPhase.OVER)
        assert (seen.hand, seen.hand_sizes) == (0, (1, 0, 0))

    def test_at_the_start_nothing_is_publicly_known(self):
        """B2.1: dealt and removed cards are hidden."""
        seen = dealt(4).observe(Seat(0))

        assert seen.known == ((), (), (), ())
        assert (seen.out, size(seen.hand)) == (0, 4)

    def test_observing_changes_nothing(self):
        """An observation is a value: a later move does not change it."""
        state = position(["wine-1", "", ""])
        before = state.observe(Seat(0))
        copy = Observation(*before)
        play(state, "bid wine-1")

        assert before == copy
        assert state.observe(Seat(0)) != before


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", [3, 6])
def test_an_observation_does_not_depend_on_what_the_seat_cannot_see(seats, seed):
    """What each seat may see: moving hidden cards about leaves the observation as it is."""
    rng = Random(f"{seats}/{seed}")
    state = deal(bytes([seed]), seats)
    for _ in range(60):
        state.apply(rng.choice(state.legal_moves()))
    seat = Seat(rng.randrange(seats))
    twin = state.copy()
    others = [other for other in range(seats) if other != seat]
    hidden = [*state.deck[state.drawn :], *unpack(state.removed)]
    hidden += [card for other in others for card in unpack(state.hands[other])]
    hidden += [card for other in others for card in unpack(state.discards[other])]
    rng.shuffle(hidden)

    def draw(number: int) -> list[int]:
        dealt_out = hidden[:number]
        del hidden[:number]
        return dealt_out

    twin.deck = (*state.deck[: state.drawn], *draw(len(state.deck) - state.drawn))
    twin.removed = pack(draw(size(state.removed)))
    for other in others:
        twin.hands[other] = pack(draw(size(state.hands[other])))
        twin.discards[other] = pack(draw(size(state.discards[other])))

    assert twin.hands != state.hands
    assert twin.observe(seat) == state.observe(seat)


class TestKnown:
    def test_cards_taken_from_a_lot_are_known(self):
        """What each seat may see: the lot without the given card is known in the winner's hand."""
        state = position(["", "wine-2", "", ""], phase=ByzanzPhase.GIVE, to_act=1, lot=LOT)
        play(state, "give grain-1")

        assert state.observe(None).known == (
            (),
            ledger(("grain-3 olives-3 cloth-2 wood-1", 0)),
            (),
            (),
        )

    def test_a_lot_all_passed_is_known_whole(self):
        """B3.9: the first passer is known to hold the whole lot."""
        state = position([""] * 4, lot=LOT)
        play(state, "pass", "pass", "pass", "pass")

        assert state.observe(Seat(2)).known[0] == ledger((LOT, 0))

    def test_cards_taken_from_the_market_are_known(self):
        """What each seat may see: everybody saw what was taken from the market."""
        state = market_of_four(["wine-1"] * 4, "2*trader wood-3 wood-1")
        play(state, "take wood", "take trader")

        assert state.observe(None).known == (
            (),
            ledger(("wood-3 wood-1", 0)),
            (),
            ledger(("2*trader", 0)),
        )

    def test_sold_cards_are_known_no_more(self):
        """B5.1: known cards seen to be sold are not in the hand any longer."""
        state = position(["2*wine-1 wine-3 wood-1", "", ""], known=[ledger(("2*wine-1 wood-1", 0))])
        play(state, "sell 2*wine-1 wine-3")

        assert state.observe(None).known[0] == ledger(("wood-1", 0))

    def test_laid_cards_are_known_no_more(self):
        """B3.5: a card laid in a bid is shown there, not among those known in the hand."""
        state = position(["wine-1 wood-1", "", ""], known=[ledger(("wine-1 wood-1", 0))])
        play(state, "bid wine-1")
        seen = state.observe(None)

        assert seen.known[0] == ledger(("wood-1", 0))
        assert seen.laid[0] == cards("wine-1")

    def test_laid_cards_taken_back_are_known(self):
        """B3.6: who takes laid cards back is known to hold them, even if they came unseen."""
        state = position(["wine-1 wood-1", "wine-2", "wine-3"])
        play(state, "bid wine-1", "bid wine-2", "pass")
        assert state.observe(Seat(1)).known[0] == ()
        play(state, "pass")

        assert state.observe(Seat(1)).known[0] == ledger(("wine-1", 0))

    def test_a_face_down_discard_puts_known_cards_in_doubt(self):
        """B6.2: after a discard any one of the cards known before may be gone."""
        state = market_of_four(
            ["", "7*?", "", ""], "2*olives-1 wood-1", known=[(), ledger(("wine-1", 0))]
        )
        play(state, "take olives", "discard olives-1")
        assert state.observe(None).known[1] == ledger(("wine-1 2*olives-1", 1))
        play(state, "discard olives-1")

        assert state.observe(None).known[1] == ledger(("wine-1 2*olives-1", 2))
        assert certain(state.observe(None).known[1]) == 0

    def test_the_ledger_does_not_tell_what_was_discarded(self):
        """B6.2: whichever card is discarded, the others' knowledge is the same."""
        seen = set()
        for line in ("discard olives-1", "discard wine-1", "discard cloth-4"):
            state = market_of_four(["", "6*wine-1 cloth-4", "", ""], "olives-1")
            play(state, "take olives", line)
            seen.add(state.observe(Seat(0)).known[1])

        assert seen == {ledger(("olives-1", 1))}

    def test_cards_that_arrive_after_a_discard_are_certain(self):
        """B6.2: what arrives later was not discarded before; it makes a second, certain tier."""
        state = position(
            ["wood-1", "3*spice-1 4*cloth-1 olives-4", "", ""],
            phase=ByzanzPhase.LIMIT,
            to_act=1,
            takes=2,
            offers=(2, 3, 4, 5),
            known=[(), ledger(("olives-4", 0))],
            deck="5*grain-1",
        )
        play(state, "discard olives-4", "bid wood-1", "bid 2*spice-1", "pass", "pass", "pass")
        assert state.observe(None).known[1] == ledger(("olives-4", 1))
        play(state, "sell 3*cloth-1", "give grain-1")

        assert state.observe(None).known[1] == ledger(("olives-4", 1), ("4*grain-1", 0))
        assert certain(state.observe(None).known[1]) == cards("4*grain-1")

    def test_laid_cards_taken_back_after_a_discard_are_certain_again(self):
        """B3.6, B6.2: a doubtful card that is laid and taken back is in the hand for sure."""
        state = position(
            ["wood-1 spice-1 wine-1", "cloth-4", ""],
            discards=["trader"],
            known=[ledger(("wood-1 spice-1", 1))],
        )
        play(state, "bid wood-1", "bid cloth-4", "pass", "pass")

        assert state.observe(None).known[0] == ledger(("spice-1", 1), ("wood-1", 0))
        assert certain(state.observe(None).known[0]) == cards("wood-1")

    @pytest.mark.parametrize("seats", [3, 4, 5, 6])
    def test_what_is_known_is_true(self, seats):
        """What each seat may see: certain cards are there, of a tier at most `unseen` are not."""
        rng = Random(seats)
        state = deal(b"known", seats)
        doubtful = 0
        while state.to_act is not None:
            moves = state.legal_moves()
            kind = rng.choice(sorted({type(move).__name__ for move in moves}))
            state.apply(rng.choice([move for move in moves if type(move).__name__ == kind]))
            for hand, gone, known in zip(
                state.hands, state.discards, state.observe(None).known, strict=True
            ):
                assert contains(hand, certain(known))
                assert contains(hand + gone, mentioned(known))
                for tier in known:
                    missing = [
                        card
                        for card in set(unpack(tier.cards))
                        for _ in range(unpack(tier.cards).count(card) - unpack(hand).count(card))
                    ]
                    assert len(missing) <= tier.unseen
                    doubtful += tier.unseen > 0

        assert doubtful
