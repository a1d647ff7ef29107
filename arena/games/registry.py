"""The games there are: the built-in ones and those that installed packages bring.

A package adds a game by an entry point in the group `arena.games` whose name is the game's name and
whose object is a `Game` subclass that needs no arguments. Game classes are loaded when asked for.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from arena.errors import UnknownGameError
from arena.games.game import AnyGame, Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint  # a tenth of a bot's start, and seldom needed

ENTRY_POINT_GROUP = "arena.games"

BUILT_IN = {
    "byzanz": "arena.games.byzanz:Byzanz",
    "schwarzmarkt": "arena.games.schwarzmarkt:Schwarzmarkt",
}


def game_names() -> tuple[str, ...]:
    """Return the names of all games, sorted; a built-in game cannot be replaced."""
    return tuple(sorted({*BUILT_IN, *_plug_ins()}))


@cache
def get_game(name: str) -> AnyGame:
    """Return the game of that name with its default options; raises UnknownGameError."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        game = getattr(importlib.import_module(module), attribute)()
    elif name in _plug_ins():
        game = _load_plug_in(_plug_ins()[name])
    else:
        raise UnknownGameError(f"unknown game {name!r} (there are: {', '.join(game_names())})")
    return game  # type: ignore[no-any-return]


def _plug_ins() -> dict[str, list[EntryPoint]]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - likewise

    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        points.setdefault(point.name, []).append(point)
    return points


def _load_plug_in(points: list[EntryPoint]) -> AnyGame:
    point = points[0]
    if len({other.value for other in points}) > 1:
        both = " and ".join(sorted(other.value for other in points))
        raise UnknownGameError(f"several packages bring a game {point.name!r}: {both}")
    try:
        game = point.load()()
    except Exception as error:
        raise UnknownGameError(
            f"the game {point.name!r} of {point.value!r} cannot be loaded: {error}"
        ) from error
    if not isinstance(game, Game) or game.name != point.name:
        raise UnknownGameError(f"{point.value!r} is not a game named {point.name!r}")
    return game
