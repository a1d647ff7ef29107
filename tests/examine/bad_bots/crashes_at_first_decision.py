"""Has a bug that every decision finds."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def choose(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        raise KeyError("the best move")


if __name__ == "__main__":
    main(Bot)
