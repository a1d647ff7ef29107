"""Expects ranks of every match."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def end(self, ended: play_pb2.MatchEnded) -> None:
        print("my rank is", ended.ranks[0])


if __name__ == "__main__":
    main(Bot)
