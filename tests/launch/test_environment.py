from __future__ import annotations

import os
import sys

from arena import grpc_settings
from arena.config.bot_spec import BotSpec
from arena.launch.environment import bot_environment


def test_what_a_bot_is_given() -> None:
    """The later wins: inherited without ARENA_, the bot's own, its seed, the caller's, the id."""
    spec = BotSpec("a", command=("x",), env={"PATH": "/b", "LEVEL": "3"}, seed="4")
    inherited = {"PATH": "/a", "HOME": "/h", "ARENA_TOKEN": "old", "ARENA_ADMIN": "secret"}
    assert bot_environment(spec, {"ARENA_TOKEN": "new", "LEVEL": "5"}, "id", inherited) == {
        "PATH": "/b",
        "HOME": "/h",
        "LEVEL": "5",
        "ARENA_SEED": "4",
        "ARENA_TOKEN": "new",
        "ARENA_LAUNCH_ID": "id",
    }


def test_settings_of_the_arenas_own_grpc_are_not_passed_on() -> None:
    """Another version of gRPC might not know them. What a person has set is inherited."""
    spec, name = BotSpec("a", command=("x",)), grpc_settings.VARIABLE
    assert "grpc" in sys.modules
    mine = os.environ.get(name)
    assert bot_environment(spec, {}, "id").get(name) == mine != grpc_settings.WITHOUT_EVENT_ENGINE
    assert bot_environment(spec, {}, "id", {name: "-mine"})[name] == "-mine"
