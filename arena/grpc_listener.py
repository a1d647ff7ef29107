"""How gRPC is to listen: without the threads that it would hand everything to that comes in.

gRPC reads the setting from its environment when it is imported. It halves the switches between
threads for a message, and takes a quarter off the arena's processor time with one match at a time.
It concerns servers alone: without those threads on the other side, a bot whose connection was cut
did not always come back within its clock.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping

VARIABLE = "GRPC_EXPERIMENTS"
SETTING = "-event_engine_listener"

UNDO = "ARENA_GRPC_DEFAULTS"
"""With this variable set gRPC listens as it does by itself."""


def choose_listener(environment: MutableMapping[str, str] = os.environ) -> None:
    """Choose for this process, unless somebody has chosen; before anything imports grpc."""
    if not environment.get(UNDO):
        environment.setdefault(VARIABLE, SETTING)


def forget_listener(environment: MutableMapping[str, str]) -> None:
    """Take the arena's own choice out of an environment that is for somebody else."""
    if environment.get(VARIABLE) == SETTING:
        del environment[VARIABLE]
