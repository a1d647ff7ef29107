"""Leaves a zero out, as proto3 does with other fields."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def choose(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        answer = super().choose(decision)
        answer.ClearField("move_index")
        return answer


if __name__ == "__main__":
    main(Bot)
