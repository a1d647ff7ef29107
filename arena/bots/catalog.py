"""The built-in bots by name and game, and how a person names one: `planner`, `searcher:20ms`."""

from __future__ import annotations

import importlib
from random import Random

from arena.bots.bot import Bot
from arena.errors import UnknownBotError
from arena.games.game import AnyGame

TIERS = ("random", "greedy", "planner", "searcher")
"""The names, weakest first."""

_CLASSES = {
    ("random", "byzanz"): "arena.bots.bot:RandomBot",
    ("random", "schwarzmarkt"): "arena.bots.bot:RandomBot",
    ("greedy", "byzanz"): "arena.bots.byzanz_greedy:ByzanzGreedy",
    ("greedy", "schwarzmarkt"): "arena.bots.schwarzmarkt_greedy:SchwarzmarktGreedy",
    ("planner", "byzanz"): "arena.bots.byzanz_planner:ByzanzPlanner",
    ("planner", "schwarzmarkt"): "arena.bots.schwarzmarkt_planner:SchwarzmarktPlanner",
    ("searcher", "byzanz"): "arena.bots.byzanz_searcher:ByzanzSearcher",
    ("searcher", "schwarzmarkt"): "arena.bots.schwarzmarkt_searcher:SchwarzmarktSearcher",
}


def bot_class(name: str, game: AnyGame) -> type[Bot]:
    """Return the class of the named bot for the game; raises UnknownBotError."""
    path = _CLASSES.get((name, game.name))
    if name == "random":
        path = "arena.bots.bot:RandomBot"  # plays any game, plug-ins included
    if path is None:
        known = ", ".join(
            tier for tier in TIERS if tier == "random" or (tier, game.name) in _CLASSES
        )
        raise UnknownBotError(f"unknown bot {name!r} for {game.name} (there are: {known})")
    module, _, attribute = path.partition(":")
    found: type[Bot] = getattr(importlib.import_module(module), attribute)
    return found


def make_bot(name: str, game: AnyGame, seed: bytes) -> Bot:
    """Return the named bot, ready to play one match, all its randomness from `seed`."""
    return bot_class(name, game)(game, Random(seed))
