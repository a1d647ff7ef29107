"""Ends with an exit code that says it failed."""

from __future__ import annotations

from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    exit_code = 3


if __name__ == "__main__":
    main(Bot)
