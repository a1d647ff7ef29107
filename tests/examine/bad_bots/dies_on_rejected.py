"""Takes a rejection hard."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def rejected(self, rejected: play_pb2.Rejected) -> None:
        raise RuntimeError(rejected.message)


if __name__ == "__main__":
    main(Bot)
