"""Insists on knowing every message."""

from __future__ import annotations

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def take(self, response: play_pb2.PlayResponse) -> None:
        if response.WhichOneof("message") is None:
            raise ValueError("a message that nobody told me of")
        super().take(response)


if __name__ == "__main__":
    main(Bot)
