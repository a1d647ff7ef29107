"""Where pages find what a game brings with it: its drawing and its rules."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from arena.games.game import AnyGame

STATIC = resources.files("arena.web") / "static"
"""The pages and what they load."""


def drawing_of(game: AnyGame) -> Traversable | None:
    """Return the module that draws a game: arena's own, or from the game's package."""
    own = STATIC / "drawings" / f"{game.name}.js"
    return own if own.is_file() else _package_file(game, game.drawing)


def drawing_address(game: AnyGame) -> str | None:
    """Return the address of the drawing, relative to a page; None if it has none."""
    return f"drawings/{game.name}.js" if drawing_of(game) is not None else None


def rules_of(game: AnyGame) -> str | None:
    """Return the text of the game's rules, Markdown; None if it brings none."""
    for file in _rules_files(game):
        if file is not None and file.is_file():
            return file.read_text(encoding="utf-8")
    return None


def has_rules(game: AnyGame) -> bool:
    """Return whether there is a text of the rules."""
    return any(file is not None and file.is_file() for file in _rules_files(game))


def _rules_files(game: AnyGame) -> tuple[Traversable | None, ...]:
    name = f"{game.name}.md"
    installed = resources.files("arena.web") / "rules" / name
    checkout = resources.files("arena") / ".." / "docs" / "rules" / name
    return installed, checkout, _package_file(game, game.rules)


@cache
def _package_file(game: AnyGame, name: str) -> Traversable | None:
    if not name:
        return None
    package = type(game).__module__.rpartition(".")[0] or type(game).__module__
    file = resources.files(package) / name
    return file if file.is_file() else None
