"""Says it takes several matches, and answers one decision of a message."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    max_matches = 4

    def decide(self, decisions: list[play_pb2.Decision]) -> None:
        super().decide(decisions[:1])


if __name__ == "__main__":
    main(Bot)
