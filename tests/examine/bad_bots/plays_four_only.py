"""Knows tables of four."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def start(self, started: play_pb2.MatchStarted) -> None:
        north, east, south, west = started.seats
        del north, east, south, west


if __name__ == "__main__":
    main(Bot)
