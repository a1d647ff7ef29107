"""How gRPC is set in the arena's own processes; bots get nothing of it."""

from __future__ import annotations

import os

import pytest

from arena.config.bot_spec import BotSpec
from arena.grpc_settings import (
    FORK_VARIABLE,
    NO_FORK,
    SETTING,
    UNDO,
    VARIABLE,
    choose_settings,
    forget_settings,
)
from arena.launch.environment import bot_environment
from tests.programs import Finished, require_success, run_python

HOSTS = (
    "arena.cli.serve",
    "arena.cli.match",
    "arena.cli.check",
    "arena.engines.hosted",
    "arena.client.channel",
    "arena.web.gateway",
)

SEEN_BY_GRPC = """
import importlib, os, sys

class Spy:
    def find_spec(self, name, path=None, target=None):
        if name == "grpc":
            print(os.environ.get("GRPC_EXPERIMENTS"), os.environ.get("GRPC_ENABLE_FORK_SUPPORT"))

sys.meta_path.insert(0, Spy())
importlib.import_module(sys.argv[1])
"""


CHOSEN = {VARIABLE, FORK_VARIABLE, UNDO}


def run(code: str, *arguments: str, **variables: str) -> Finished:
    environment = {name: text for name, text in os.environ.items() if name not in CHOSEN}
    done = run_python("-c", code, *arguments, env={**environment, **variables})
    require_success(done)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("module", HOSTS)
def test_it_is_chosen_before_grpc_is_there(module):
    """GRPC reads it when it is imported: later would be too late."""
    assert run(SEEN_BY_GRPC, module).stdout.split() == [SETTING, NO_FORK]


@pytest.mark.slow
def test_grpc_knows_the_setting():
    """A version that has dropped it says so, and then there is nothing left to choose."""
    unknown = run("import grpc", GRPC_EXPERIMENTS="-no_such_setting").stderr
    known = run("import grpc", GRPC_EXPERIMENTS=SETTING).stderr

    assert "Unknown experiment: no_such_setting" in unknown
    assert "Unknown experiment" not in known


def test_whoever_has_chosen_is_not_overruled():
    """Neither a person's own setting nor the wish for gRPC's defaults."""
    own, defaults, none = {VARIABLE: "tcp_frame_size_tuning"}, {UNDO: "1"}, dict[str, str]()
    for environment in (own, defaults, none):
        choose_settings(environment)

    assert own == {VARIABLE: "tcp_frame_size_tuning", FORK_VARIABLE: NO_FORK}
    assert defaults == {UNDO: "1", FORK_VARIABLE: NO_FORK}
    assert none == {VARIABLE: SETTING, FORK_VARIABLE: NO_FORK}


def test_bots_get_nothing_of_it():
    """What a person has set is inherited, what the arena has chosen for itself is not."""
    spec = BotSpec(name="one", command=("true",))
    chosen = dict[str, str]()
    choose_settings(chosen)
    other = {VARIABLE: "something", FORK_VARIABLE: "1"}
    forget_settings(other)

    assert chosen.keys().isdisjoint(bot_environment(spec, {}, "id", chosen))
    assert bot_environment(spec, {}, "id", other).items() >= other.items()
