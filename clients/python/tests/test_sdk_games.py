from __future__ import annotations

from typing import Any

import pytest
from fake_arena import decision, started

from arena_client import Decision, Match, byzanz, schwarzmarkt
from arena_client.schwarzmarkt import Good
from arena_client.v1 import play_pb2
from arena_client.v1.byzanz_pb2 import ByzanzMove
from arena_client.v1.schwarzmarkt_pb2 import (
    SchwarzmarktMove,
    SchwarzmarktObservation,
)


class TestAnyGame:
    def test_a_match_tells_how_it_starts(self):
        """Seat, names, options and time control are read from the message."""
        match = Match(started("m"))
        assert (match.id, match.game, match.seat, match.max_faults) == ("m", "byzanz", 1, 3)
        assert [seat.bot for seat in match.seats] == ["other", "mine"]
        assert match.options == {"deck": "uneven"}
        assert (match.move_time_s, match.bank_s) == (0.5, 10.0)

    def test_randomness_repeats(self):
        """The same seed gives the same numbers, another one others."""
        other = started("m")
        other.bot_seed = b"\x01" * 32
        first, second, third = (Match(m).rng.random() for m in (started("m"), started("m"), other))
        assert first == second != third

    def test_an_unknown_game_can_be_played_by_index(self):
        """For a game without helpers there are moves by index, and times."""
        message = play_pb2.Decision(match_id="m", decision_id=2, legal_count=3, bank={"nanos": 1})
        question = Decision(Match(started("m", "chess")), message)
        assert [str(move) for move in question.legal_moves] == ["0", "1", "2"]
        assert question.index_of(question.legal_moves[2]) == 2
        assert (question.move_time_s, question.bank_s) == (None, 1e-9)

    def test_a_move_kept_from_an_earlier_decision_counts_if_it_is_legal(self):
        """Moves are equal by what they do, not by their place."""
        match = byzanz.Match(started("m"))
        before = byzanz.Decision(match, decision("m", 1))
        message = decision("m", 2)
        del message.byzanz.legal_moves[1]
        message.legal_count = 2
        now = byzanz.Decision(match, message)
        assert now.index_of(before.legal_moves[2]) == 1

    def test_integers_of_other_types_count(self):
        """Anything that can be used as an index can be returned."""

        class Number:
            def __index__(self) -> int:
                return 1

        assert Decision(Match(started("m")), decision("m", 1)).index_of(Number()) == 1


class TestByzanz:
    def test_cards_have_kind_value_and_name(self):
        """The 24 goods and the trader are numbered as in the protocol."""
        names = [card.name for card in byzanz.CARDS.values()]
        assert names[:5] == ["cloth-1", "cloth-2", "cloth-3", "cloth-4", "spice-1"]
        assert names[-2:] == ["olives-4", "trader"]
        wine = byzanz.CARD_NAMES["wine-3"]
        assert (wine.kind, wine.value, wine.number) == (byzanz.Kind.WINE, 3, 11)
        assert (byzanz.TRADER.kind, byzanz.TRADER.value) == (byzanz.Kind.TRADER, 0)

    def test_an_unknown_card_is_like_one_not_seen(self):
        """Numbers of a later version of the protocol do no harm."""
        assert byzanz.cards([0, 99]) == (byzanz.UNKNOWN, byzanz.UNKNOWN)

    def test_groups_of_cards_are_counted_and_valued(self):
        """Values add up, sales score their best card, kinds can be told apart."""
        group = byzanz.cards("cloth-1 cloth-4 trader")
        assert byzanz.value(group) == 5
        assert byzanz.sale_points(group) == 4
        assert byzanz.sale_points(byzanz.cards("trader trader trader")) == 5
        assert byzanz.of_kind(group, byzanz.Kind.CLOTH) == group[:2]
        assert byzanz.by_kind(group) == {
            byzanz.Kind.CLOTH: list(group[:2]),
            byzanz.Kind.TRADER: [byzanz.TRADER],
        }
        left = byzanz.counts(group, group) - byzanz.counts(group[:1])
        assert left[group[0]] == 1
        assert left.total() == 5

    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ({"type": "TYPE_PASS"}, "pass"),
            ({"type": "TYPE_BID", "cards": [6, 9]}, "bid spice-2 wine-1"),
            ({"type": "TYPE_GIVE", "cards": [13]}, "give wood-1"),
            ({"type": "TYPE_TAKE", "kind": "BYZANZ_KIND_WOOD"}, "take wood"),
            ({"type": "TYPE_TAKE", "kind": "BYZANZ_KIND_TRADER"}, "take trader"),
            ({"type": "TYPE_SELL", "cards": [1, 4, 25]}, "sell cloth-1 cloth-4 trader"),
            ({"type": "TYPE_DISCARD", "cards": [17]}, "discard grain-1"),
            ({"type": "TYPE_DONE"}, "done"),
        ],
    )
    def test_moves_read_as_in_the_rules(self, fields: dict[str, Any], text):
        """The text of a move is that of the rules."""
        assert str(byzanz.Move(0, ByzanzMove(**fields))) == text

    def test_a_decision_shows_moves_and_table(self):
        """Moves by type, the hand and the seats come out of the message."""
        question = byzanz.Decision(byzanz.Match(started("m")), decision("m", 1))
        bids = question.moves_of(byzanz.MoveType.BID)
        assert [(bid.index, bid.value) for bid in bids] == [(1, 1), (2, 3)]
        seen = question.observation
        assert seen.hand == byzanz.cards("spice-2 wine-1")
        assert seen is question.observation
        assert (seen.leader, seen.first_passer) == (None, None)
        assert [seat.number for seat in (seen.own, *seen.others)] == [1, 0]


class TestSchwarzmarkt:
    def question(self, *moves: dict[str, Any], **seen: Any) -> schwarzmarkt.Decision:
        start = started("m", "schwarzmarkt")
        message = play_pb2.Decision(match_id="m", decision_id=1, legal_count=len(moves))
        message.schwarzmarkt.legal_moves.extend(SchwarzmarktMove(**move) for move in moves)
        message.schwarzmarkt.observation.CopyFrom(SchwarzmarktObservation(seat=1, **seen))
        return schwarzmarkt.Decision(schwarzmarkt.Match(start), message)

    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ({"type": "TYPE_PLAY", "card": 0}, "play offer:potatoes-2,butter-2"),
            ({"type": "TYPE_PLAY", "card": 1, "target": 0}, "play old_debt 0"),
            ({"type": "TYPE_PLAY", "card": 2, "goods": [3, 5]}, "play foraging sugar flour"),
            ({"type": "TYPE_FIND", "goods": [1]}, "find potatoes"),
            ({"type": "TYPE_BURY", "card": 1}, "bury old_debt"),
            ({"type": "TYPE_TRADE", "goods": [1, 2]}, "trade potatoes butter"),
            ({"type": "TYPE_STEP", "spaces": 4}, "step 4"),
            ({"type": "TYPE_HOLD"}, "hold"),
            ({"type": "TYPE_RETURN", "goods": [4]}, "return coffee"),
        ],
    )
    def test_moves_read_as_in_the_rules(self, fields, text):
        """The text of a move is that of the rules."""
        assert str(self.question(fields).legal_moves[0]) == text

    def test_a_decision_shows_offer_price_and_seats(self):
        """The cards of the observation are those of the material."""
        seen = self.question(
            offer=0,
            marker=1,
            demand=[1, 2],
            goods=[1, 1, 5],
            cards=[1, 2],
            open_cards=[{"card": 1, "target": 0}, {"card": 2}],
            seats=[{"luxury": 7}, {"luxury": 9, "known": [{"goods": [3], "unseen": 1}]}],
        ).observation
        assert seen.offer is not None
        assert seen.offer.is_offer
        assert seen.price == 50
        assert schwarzmarkt.wanted(seen.goods, seen.demand) == 1
        assert schwarzmarkt.wanted(seen.goods, seen.offer.demand) == 2
        assert [card.effect for card in seen.cards] == [
            schwarzmarkt.Effect.OLD_DEBT,
            schwarzmarkt.Effect.FORAGING,
        ]
        assert [(card.name, target) for card, target in seen.open_cards] == [
            ("old_debt", 0),
            ("foraging", None),
        ]
        assert seen.own.luxury == 9
        assert seen.own.known[0].goods == (Good.SUGAR,)
        assert [seat.luxury for seat in seen.others] == [7]
        assert seen.resolving is None

    def test_material_is_what_is_printed(self):
        """Prices, steps and cards come with the match."""
        material = self.question().match.material
        assert (material.prices, material.steps, material.last_space) == ((1, 50), (4, 0), 1)
        assert material.goods == (Good.POTATOES, Good.FLOUR)

    def test_what_the_material_does_not_list(self):
        """A card or a space that this match's material does not have is unknown, not an error."""
        decision = self.question({"type": "TYPE_PLAY", "card": 99}, marker=99, cards=[0, 98])
        assert str(decision.legal_moves[0]) == "play unknown"
        seen = decision.observation
        assert [str(card) for card in seen.cards] == ["offer:potatoes-2,butter-2", "unknown"]
        assert seen.price == 0
