"""Looks every fault up in a table."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def choose(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        for fault in decision.faults:
            play_pb2.Fault.Name(fault.fault)
        return super().choose(decision)


if __name__ == "__main__":
    main(Bot)
