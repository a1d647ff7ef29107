"""Stays when told to go."""

from __future__ import annotations

import time

from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def leave(self) -> None:
        time.sleep(3600)


if __name__ == "__main__":
    main(Bot)
