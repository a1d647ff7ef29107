from __future__ import annotations

from arena.config.bot_spec import BotSpec
from arena.launch.environment import bot_environment


def test_what_a_bot_is_given() -> None:
    """The later wins: inherited without secrets, the bot's own, its seed, the caller's, the id."""
    spec = BotSpec("a", command=("x",), env={"PATH": "/b", "LEVEL": "3"}, seed="4")
    inherited = {"PATH": "/a", "HOME": "/h", "ARENA_TOKEN": "old", "ARENA_ADMIN": "secret"}
    inherited["RAY_AUTH_TOKEN"] = "secret"
    assert bot_environment(spec, {"ARENA_TOKEN": "new", "LEVEL": "5"}, "id", inherited) == {
        "PATH": "/b",
        "HOME": "/h",
        "LEVEL": "5",
        "ARENA_SEED": "4",
        "ARENA_TOKEN": "new",
        "ARENA_LAUNCH_ID": "id",
    }
