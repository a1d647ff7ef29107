"""Settings of gRPC in arena's own processes; it reads them when it is imported.

It listens without the threads that it would hand everything to that comes in. That halves the
switches between threads for a message, and takes a quarter off the arena's processor time with one
match at a time. It concerns servers alone: without those threads on the other side, a bot whose
connection was cut did not always come back within its clock.

It does nothing in a process that is forked. uvloop forks to start a program, and gRPC would start
its threads again in the child before that becomes the program: up to one in ten then crashed.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping

VARIABLE = "GRPC_EXPERIMENTS"
SETTING = "-event_engine_listener"
FORK_VARIABLE = "GRPC_ENABLE_FORK_SUPPORT"
NO_FORK = "0"

UNDO = "ARENA_GRPC_DEFAULTS"
"""With this variable set gRPC listens as it does by itself."""


def choose_settings(environment: MutableMapping[str, str] = os.environ) -> None:
    """Choose for this process, unless somebody has chosen; before anything imports grpc."""
    environment.setdefault(FORK_VARIABLE, NO_FORK)
    if not environment.get(UNDO):
        environment.setdefault(VARIABLE, SETTING)


def forget_settings(environment: MutableMapping[str, str]) -> None:
    """Take the arena's own choice out of an environment that is for somebody else."""
    for name, value in ((VARIABLE, SETTING), (FORK_VARIABLE, NO_FORK)):
        if environment.get(name) == value:
            del environment[name]
