"""Asks the bot the decisions in samples/, without an arena."""

import unittest
from pathlib import Path

from arena_client import Decision, Match
from arena_client.v1.play_pb2 import PlayResponse
from my_bot import MyBot


def sample(name: str) -> PlayResponse:
    """Return a message as the arena sends it."""
    return PlayResponse.FromString((Path(__file__).parent / "samples" / name).read_bytes())


class MyBotTest(unittest.TestCase):
    """A match of Byzanz in which two decisions are asked."""

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


if __name__ == "__main__":
    unittest.main()
