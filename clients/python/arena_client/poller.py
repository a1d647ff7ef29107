"""How gRPC is to wait for the arena: by itself, without threads that it hands everything to.

gRPC reads both settings from its environment when it is imported. Together they halve the switches
between threads for a message, and take a fifth off a bot's processor time. It waits by `poll`: by
`epoll` it did not always notice that a connection was cut. Nobody else gets to see the settings.
"""

from __future__ import annotations

import gc
import os

SETTINGS = {"GRPC_EXPERIMENTS": "-event_engine_client", "GRPC_POLL_STRATEGY": "poll"}

UNDO = "ARENA_GRPC_DEFAULTS"
"""With this variable set gRPC waits as it does by itself."""


def _import_grpc() -> None:
    """Import gRPC with the settings, unless somebody has chosen.

    Meanwhile nobody looks for garbage, of which there is none: that would take an eighth of the
    time a bot needs to start. Nor does anybody look through it later, while the rest is imported.
    """
    is_chosen = any(name in os.environ for name in (*SETTINGS, UNDO))
    chosen = {} if is_chosen else SETTINGS
    os.environ.update(chosen)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        import grpc  # noqa: F401, PLC0415 - reads them now
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
        for name in chosen:
            del os.environ[name]


_import_grpc()
