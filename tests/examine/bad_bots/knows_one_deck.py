"""Has the prices of the printed track built in."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    games = ("schwarzmarkt",)

    def start(self, started: play_pb2.MatchStarted) -> None:
        assert started.schwarzmarkt.track[-1].price == 50


if __name__ == "__main__":
    main(Bot)
