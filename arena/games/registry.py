"""The games there are: the built-in ones and those that installed packages bring.

A package adds a game by an entry point in the group `arena.games` whose name is the game's name and
whose object is a `Game` subclass that needs no arguments. Game classes are loaded when asked for.
"""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
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
    from importlib.metadata import entry_points  # noqa: PLC0415 - likewise

    return tuple(sorted({*BUILT_IN, *entry_points(group=ENTRY_POINT_GROUP).names}))


@cache
def get_game(name: str) -> AnyGame:
    """Return the game of that name with its default options; raises UnknownGameError."""
    if name in BUILT_IN:
        return resolve_name(BUILT_IN[name])()  # type: ignore[no-any-return]
    point = find_plug_in(ENTRY_POINT_GROUP, name, "game")
    if point is None:
        raise UnknownGameError(f"unknown game {name!r} (there are: {', '.join(game_names())})")
    try:
        game = point.load()()
    except Exception as error:
        raise UnknownGameError(
            f"the game {name!r} of {point.value!r} cannot be loaded: {error}"
        ) from error
    if not isinstance(game, Game) or game.name != name:
        raise UnknownGameError(f"{point.value!r} is not a game named {name!r}")
    return game


def find_plug_in(group: str, name: str, what: str) -> EntryPoint | None:
    """Return the entry point of a game; raises UnknownGameError if several packages have one."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - likewise

    found = {point.value: point for point in entry_points(group=group, name=name)}
    if len(found) > 1:
        both = " and ".join(sorted(found))
        raise UnknownGameError(f"several packages bring a {what} {name!r}: {both}")
    return next(iter(found.values()), None)
