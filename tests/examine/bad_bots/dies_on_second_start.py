"""Makes a seat for a match once."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def __init__(self) -> None:
        super().__init__()
        self.seats: set[str] = set()

    def start(self, started: play_pb2.MatchStarted) -> None:
        if started.match_id in self.seats:
            raise RuntimeError("this match has begun already")
        self.seats.add(started.match_id)


if __name__ == "__main__":
    main(Bot)
