"""The flag --isolation, and what the command says about the level in force."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.launch.confinement import Confinement
from arena.sandbox.isolation import Isolation, default_isolation, parse_isolation
from arena.sandbox.probe import choose_level


def add_isolation(group: argparse._ActionsContainer) -> None:
    """Add the flag."""
    group.add_argument(
        "--isolation",
        metavar="LEVEL",
        help="how the programs that arena starts are kept apart: auto (the strongest level that "
        "works here), require (a sandbox by bubblewrap, or do not start), require:namespaces, "
        "require:user, or none (default: auto, or what ARENA_ISOLATION says)",
    )


def asked_isolation(args: argparse.Namespace) -> Isolation:
    """Return what the flag asks for; raises InputError."""
    return default_isolation() if args.isolation is None else parse_isolation(args.isolation)


def confine(
    isolation: Isolation, specs: Sequence[BotSpec], hidden: Sequence[str | Path | None]
) -> Confinement:
    """Return how these bots are kept apart; raises InputError if they cannot be as asked.

    None of them sees the `hidden` places.
    """
    confinement = Confinement(isolation, [Path(place) for place in hidden if place])
    confinement.check(specs)
    return confinement


def describe_isolation(isolation: Isolation, specs: Sequence[BotSpec]) -> str | None:
    """Return one line about the level in force; None if nothing is started, or as none is asked."""
    started = [spec for spec in specs if not spec.connected]
    if not started or isolation == Isolation.NONE:
        return None
    line = f"isolation: {choose_level(isolation).describe()}"
    others = [f"{s.name}: {choose_level(s.isolation).level.value}" for s in started if s.isolation]
    return line + (f" ({', '.join(others)})" if others else "")
