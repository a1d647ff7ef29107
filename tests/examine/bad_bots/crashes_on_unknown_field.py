"""Insists on knowing every field."""

from __future__ import annotations

from google.protobuf.unknown_fields import UnknownFieldSet

from arena.v1 import play_pb2
from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def start(self, started: play_pb2.MatchStarted) -> None:
        if len(UnknownFieldSet(started)):
            raise ValueError("a field that nobody told me of")


if __name__ == "__main__":
    main(Bot)
