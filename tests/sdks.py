"""The SDKs under test: built once, or skipped with a reason that is printed."""

from __future__ import annotations

import os
from functools import cache

import pytest

from arena.launch.spec import BotSpec
from clients.conformance import sdks

NAMES = tuple(sdk.name for sdk in sdks.read_sdks())


@cache
def _prepared(name: str) -> tuple[sdks.Sdk, str | None]:
    sdk = next(sdk for sdk in sdks.read_sdks() if sdk.name == name)
    chosen = sdks.chosen_names()
    if chosen is not None and name not in chosen:
        return sdk, f"{sdk.title}: left out by LANGS"
    lacking = sdks.missing(sdk)
    if lacking is None:
        sdks.build(sdk)
    elif os.environ.get("ARENA_REQUIRE_ALL"):
        raise sdks.SdkError(lacking)
    return sdk, lacking


def built(name: str) -> sdks.Sdk:
    """Return an SDK whose programs can be run; skips the test if it cannot be built here."""
    sdk, lacking = _prepared(name)
    if lacking is not None:
        pytest.skip(lacking)
    return sdk


def program(sdk: sdks.Sdk, which: str, name: str = "", **env: object) -> BotSpec:
    """Return one of the programs of an SDK as a bot to be launched."""
    return BotSpec(
        name=name or f"{sdk.name}-{which.replace('_bot', '').replace('_', '-')}",
        command=tuple(sdks.resolve(sdk.programs[which])),
        dir=sdk.directory,
        env={key: str(value) for key, value in env.items()},
    )
