"""The exam's own material: deals with long lists of legal moves, and games with other cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.games.game import AnyGame, Json
from arena.games.schwarzmarkt.material import built_in_content


@dataclass(frozen=True, slots=True)
class LongList:
    """A deal in which a seat gets a decision with so many legal moves when `tier` plays all."""

    deal: int
    seats: int
    seat: int
    tier: str
    legal: int


LONG_LISTS: Mapping[str, tuple[LongList, ...]] = {
    # No list is longer at the smallest and largest table in deals 1 to 1,499 with random players
    # and 1 to 699 with greedy ones.
    "byzanz": (LongList(1021, 3, 2, "random", 132), LongList(361, 6, 3, "greedy", 133)),
    "schwarzmarkt": (LongList(437, 3, 1, "random", 48), LongList(420, 5, 1, "greedy", 53)),
}

_TRACK = ((2, 3), (4, 3), (6, 2), (8, 2), (11, 2), (16, 2), (22, 2), (31, 1), (42, 0))
_TEXTS = {
    "old_debt": 1,
    "new_goods": 3,
    "scarce_goods": 1,
    "foraging": 2,
    "protection": 2,
    "raid": 0,
    "slow_trade": 1,
}


def other_materials(game: AnyGame) -> Mapping[str, AnyGame]:
    """Return the game with other decks and cards than the printed ones, by what is different."""
    if game.name != "schwarzmarkt":
        return {}
    cards: dict[str, Json] = {
        **built_in_content(),
        "track": [{"price": price, "steps": steps} for price, steps in _TRACK],
        "texts": dict(_TEXTS),
    }
    return {
        "the uneven deck": game.configure({"deck": "uneven"}),
        "another card file": game.configure({"cards": cards}),
    }
