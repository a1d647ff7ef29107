"""How gRPC waits is chosen before it is imported, and for nobody else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena_client.poller import SETTINGS, UNDO

SEEN_BY_GRPC = """
import os, sys

def tell():
    print({name: os.environ[name] for name in sys.argv[1:] if name in os.environ})

class Spy:
    def find_spec(self, name, path=None, target=None):
        if name == "grpc":
            tell()

sys.meta_path.insert(0, Spy())
import arena_client
tell()
"""


def seen(**variables: str) -> tuple[list[str], str]:
    """Return what gRPC and those after it see of the settings, and what was complained of."""
    kept = {name: text for name, text in os.environ.items() if name not in {*SETTINGS, UNDO}}
    done = subprocess.run(
        [sys.executable, "-c", SEEN_BY_GRPC, *SETTINGS],
        env={**kept, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


@pytest.mark.slow
def test_grpc_knows_the_settings_and_nobody_else_gets_them() -> None:
    """A version of gRPC that has dropped one says so, and then there is nothing left to choose."""
    said, complaints = seen()

    assert said == [str(SETTINGS), "{}"]
    assert "Unknown" not in complaints


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["GRPC_POLL_STRATEGY", "GRPC_EXPERIMENTS"])
def test_whoever_has_chosen_is_not_overruled(variable: str) -> None:
    """A setting of one's own stands, and nothing is added to it."""
    said, _ = seen(**{variable: ""})

    assert said == [str({variable: ""})] * 2


@pytest.mark.slow
def test_the_defaults_can_be_had() -> None:
    """One variable leaves gRPC as it is."""
    assert seen(**{UNDO: "1"})[0] == ["{}", "{}"]
