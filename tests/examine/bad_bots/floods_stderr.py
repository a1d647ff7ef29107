"""Prints all it thinks."""

from __future__ import annotations

import sys

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def choose(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        print("I think. " * 2_000, file=sys.stderr)
        return super().choose(decision)


if __name__ == "__main__":
    main(Bot)
