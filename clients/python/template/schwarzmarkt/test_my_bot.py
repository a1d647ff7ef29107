"""Asks the bot the decisions in samples/, without an arena."""

import unittest
from pathlib import Path

from arena_client.schwarzmarkt import Decision, Good, Match, MoveType
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

    def test_the_largest_trade_is_made(self) -> None:
        """Of the trades in a decision, one that the test makes larger is chosen."""
        decision = self.decisions[0]
        goods = [Good.POTATOES, Good.BUTTER]
        decision.message.schwarzmarkt.legal_moves.add(type=MoveType.TRADE, goods=goods)
        decision.message.legal_count += 1

        self.assertEqual(MyBot(self.match).decide(decision).text, "trade potatoes butter")


if __name__ == "__main__":
    unittest.main()
