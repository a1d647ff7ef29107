"""Speaks a protocol of the future."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def hello(self) -> play_pb2.Hello:
        hello = super().hello()
        hello.protocol = 2
        return hello


if __name__ == "__main__":
    main(Bot)
