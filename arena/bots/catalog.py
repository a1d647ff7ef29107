"""The built-in bots by name and game, and how a person names one.

A name is a tier, such as `planner`. The searcher may be told how much to search:
`searcher:iterations=200`, or `searcher:seconds=0.5`, both for each decision.
"""

from __future__ import annotations

from pkgutil import resolve_name
from random import Random
from typing import TYPE_CHECKING

from arena.bots.bot import Bot, RandomBot
from arena.errors import InputError, UnknownBotError
from arena.games.game import AnyGame

if TYPE_CHECKING:
    from arena.bots.search import Budget

TIERS = ("random", "greedy", "planner", "searcher")
"""The names, weakest first."""

_MOST_DIGITS = 20  # of a number a person typed; more are too many for any budget

_CLASSES = {
    ("greedy", "byzanz"): "arena.bots.byzanz_greedy:ByzanzGreedy",
    ("greedy", "schwarzmarkt"): "arena.bots.schwarzmarkt_greedy:SchwarzmarktGreedy",
    ("planner", "byzanz"): "arena.bots.byzanz_planner:ByzanzPlanner",
    ("planner", "schwarzmarkt"): "arena.bots.schwarzmarkt_planner:SchwarzmarktPlanner",
    ("searcher", "byzanz"): "arena.bots.byzanz_searcher:ByzanzSearcher",
    ("searcher", "schwarzmarkt"): "arena.bots.schwarzmarkt_searcher:SchwarzmarktSearcher",
}


def has_bot(tier: str, game: AnyGame) -> bool:
    """Return whether there is a bot of that tier for the game."""
    return tier == RandomBot.name or (tier, game.name) in _CLASSES


def bot_class(name: str, game: AnyGame) -> type[Bot]:
    """Return the class of the named bot for the game; raises UnknownBotError."""
    tier = name.partition(":")[0]
    if tier == RandomBot.name:  # plays any game, plug-ins included
        return RandomBot
    path = _CLASSES.get((tier, game.name))
    if path is None:
        known = ", ".join(tier for tier in TIERS if has_bot(tier, game))
        raise UnknownBotError(f"unknown bot {name!r} for {game.name} (there are: {known})")
    return resolve_name(path)  # type: ignore[no-any-return]


def make_bot(name: str, game: AnyGame, seed: bytes) -> Bot:
    """Return the named bot, ready to play one match, all its randomness from `seed`.

    Raises UnknownBotError for a name or a setting that does not exist.
    """
    found = bot_class(name, game)
    tier, colon, setting = name.partition(":")
    if not colon:
        return found(game, Random(seed))
    from arena.bots.searcher import Searcher  # noqa: PLC0415 - only for settings

    if not issubclass(found, Searcher):
        raise UnknownBotError(f"bot {name!r}: {tier} takes no settings")
    try:
        budget = _parse_budget(setting)
    except InputError as error:
        raise UnknownBotError(f"bot {name!r}: {error}") from None
    return found(game, Random(seed), budget)


def _parse_budget(setting: str) -> Budget:
    """Return the budget that `iterations=200` or `seconds=0.5` writes; raises InputError."""
    from arena.bots.search import Budget  # noqa: PLC0415 - only for settings

    kind, _, number = setting.partition("=")
    if kind == "iterations":
        if not (number.isascii() and number.isdigit()):
            raise InputError(f"iterations must be a whole number, not {number!r}")
        return Budget(iterations=int(number[:_MOST_DIGITS]))
    if kind == "seconds":
        try:
            return Budget(seconds=float(number))
        except ValueError:
            raise InputError(f"seconds must be a number, not {number!r}") from None
    raise InputError(f"write searcher:iterations=N or searcher:seconds=N, not {setting!r}")
