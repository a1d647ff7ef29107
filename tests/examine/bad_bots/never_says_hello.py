"""Dials and says nothing."""

from __future__ import annotations

from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def greet(self) -> None:
        pass


if __name__ == "__main__":
    main(Bot)
