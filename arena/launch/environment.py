"""The environment that a bot's process gets."""

from __future__ import annotations

import os
from collections.abc import Mapping

from arena.config.bot_spec import BotSpec
from arena.grpc_listener import forget_listener
from arena.launch.sweep import LAUNCH_ID

OWN_PREFIX = "ARENA_"
SEED = "ARENA_SEED"


def bot_environment(
    spec: BotSpec,
    given: Mapping[str, str],
    launch_id: str,
    inherited: Mapping[str, str] = os.environ,
) -> dict[str, str]:
    """Return the whole environment of a bot's process.

    In this order, the later winning: the arena's own environment without the variables that begin
    with ARENA_ (they may hold secrets of the arena, such as its admin token) and without the way in
    which the arena's own gRPC listens; `spec.env`;
    ARENA_SEED where the bot was given a seed; what the caller gives (ARENA_ADDRESS, ARENA_TOKEN);
    and ARENA_LAUNCH_ID, by which everything the bot starts is found again.

    The rest is inherited because a bot given as a command is started by the organiser, who expects
    PATH, VIRTUAL_ENV, JAVA_HOME, GOPATH or a proxy to mean what they mean in the shell. It is no
    protection to leave it out: the bot runs as the same user and could read it elsewhere.
    """
    environment = {
        name: value for name, value in inherited.items() if not name.startswith(OWN_PREFIX)
    }
    forget_listener(environment)
    environment.update(spec.env)
    if spec.seed is not None:
        environment[SEED] = spec.seed
    environment.update(given)
    environment[LAUNCH_ID] = launch_id
    return environment
