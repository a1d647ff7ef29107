"""Asks the bot the decisions in samples/, without an arena."""

import unittest
from pathlib import Path

from arena_client.byzanz import Decision, Match, MoveType, cards
from arena_client.v1.play_pb2 import PlayResponse
from my_bot import MyBot


def sample(name: str) -> PlayResponse:
    """Return a message as the arena sends it."""
    return PlayResponse.FromString((Path(__file__).parent / "samples" / name).read_bytes())


class MyBotTest(unittest.TestCase):
    """A match in which two decisions are asked."""

    def setUp(self) -> None:
        """Start the match."""
        self.match = Match(sample("match-started.binpb").match_started)
        asked = sample("decisions.binpb").decisions.decisions
        self.decisions = [Decision(self.match, message) for message in asked]

    def test_every_choice_is_legal(self) -> None:
        """Whatever is asked, a legal move is chosen; index_of raises IllegalChoice otherwise."""
        bot = MyBot(self.match)
        for decision in self.decisions:
            decision.index_of(bot.decide(decision))

    def test_the_best_sale_is_made(self) -> None:
        """Of two sales in a decision that the test makes up, the one of more points is chosen."""
        decision = self.decisions[0]
        for sale in ("wine-1 wine-1 wine-2", "wood-1 wood-2 wood-4"):
            numbers = [card.number for card in cards(sale)]
            decision.message.byzanz.legal_moves.add(type=MoveType.SELL, cards=numbers)
        decision.message.legal_count += 2

        self.assertEqual(MyBot(self.match).decide(decision).text, "sell wood-1 wood-2 wood-4")


if __name__ == "__main__":
    unittest.main()
