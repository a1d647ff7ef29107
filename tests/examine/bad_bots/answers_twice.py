"""Sends every answer twice, to be on the safe side."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def answer(self, *answers: play_pb2.Answer) -> None:
        super().answer(*answers)
        super().answer(*answers)


if __name__ == "__main__":
    main(Bot)
