"""Bad in nothing but that it does not resume."""

from __future__ import annotations

from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    """Changes nothing."""


if __name__ == "__main__":
    main(Bot)
