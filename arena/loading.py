"""Imports programs quickly."""

from __future__ import annotations

import gc
import importlib
from types import ModuleType


def load(name: str) -> ModuleType:
    """Import a module with all it needs; looking for garbage would take a fifth of the time.

    What is loaded stays to the end, so nobody need look through it later either: at the exit alone
    Python would do so several times, for as long as a tenth of the import.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
