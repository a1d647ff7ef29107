"""gRPC, loaded with the settings that suit sessions. To be imported before anything imports gRPC.

Python's gRPC has had its event engine on since version 1.80: nine switches between threads for a
small message and its answer, where the poller before it, to which this goes back, takes four.

gRPC reads the variable GRPC_EXPERIMENTS while it is loaded, and never again. So it is set for that
moment alone, and no process that is started later inherits it: another version of gRPC might not
know the names and say so on stderr. Where a person has set it, or gRPC has been loaded already,
everything stays as it is.

The SDK and the arena both have this file, by a link; so it imports nothing of either.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

VARIABLE = "GRPC_EXPERIMENTS"  # set it, even to nothing, to have gRPC's own settings
WITHOUT_EVENT_ENGINE = "-event_engine_client,-event_engine_listener"
LAST_KNOWN = (1, 85)  # the last version of gRPC that is known to know these names


def is_known() -> bool:
    """Return whether the gRPC that is installed knows the names; it is not loaded for that."""
    spec = PathFinder.find_spec("grpc")
    if spec is None or spec.origin is None:
        return False
    try:
        text = Path(spec.origin).with_name("_grpcio_metadata.py").read_text(encoding="utf-8")
    except OSError:
        return False
    found = re.search(r"(\d+)\.(\d+)", text)
    return found is not None and (int(found[1]), int(found[2])) <= LAST_KNOWN


if "grpc" not in sys.modules and VARIABLE not in os.environ and is_known():
    os.environ[VARIABLE] = WITHOUT_EVENT_ENGINE
    try:
        import grpc  # noqa: F401
    finally:
        del os.environ[VARIABLE]
