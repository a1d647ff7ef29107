"""The SDKs under test: built once, or skipped with a reason that is printed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
import tomli_w

from arena.config.bot_spec import BotSpec, spec_to_table
from clients.conformance import sdks
from tests.requirements import IS_EVERYTHING_REQUIRED

NAMES = tuple(sdk.name for sdk in sdks.read_sdks())


@cache
def _prepared(name: str) -> tuple[sdks.Sdk, str | None]:
    sdk = next(sdk for sdk in sdks.read_sdks() if sdk.name == name)
    chosen = sdks.chosen_names()
    if chosen is not None and name not in chosen:
        return sdk, f"{sdk.title}: left out by LANGS"
    if sdks.is_built(sdk):  # by make, just now: the tools were there
        return sdk, None
    lacking = sdks.missing(sdk)
    if lacking is None:
        sdks.build(sdk)
    elif IS_EVERYTHING_REQUIRED:
        raise sdks.SdkError(lacking)
    return sdk, lacking


def built(name: str) -> sdks.Sdk:
    """Return an SDK whose programs can be run; skips the test if it cannot be built here."""
    sdk, lacking = _prepared(name)
    if lacking is not None:
        pytest.skip(lacking)
    return sdk


def all_built() -> list[sdks.Sdk]:
    """Return all SDKs that can be run here, that of Python at least unless LANGS leaves it out."""
    return [sdk for sdk, lacking in map(_prepared, NAMES) if lacking is None]


def program(sdk: sdks.Sdk, which: str, name: str) -> BotSpec:
    """Return one of the programs of an SDK as a bot to be launched."""
    return BotSpec(name, command=tuple(sdks.resolve(sdk.programs[which])), dir=sdk.directory)


def write_bots(path: Path, specs: Sequence[BotSpec]) -> str:
    """Write a bots.toml; return the value of `--bot` that names all of them."""
    tables = {spec.name: spec_to_table(spec, path.parent) for spec in specs}
    path.write_text(tomli_w.dumps({"bots": tables}), encoding="utf-8")
    return str(path)
