from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from arena.starter.languages import CLIENTS
from arena.starter.toolchain import (
    Need,
    arena_command,
    find_lack,
    find_version,
    python_command,
)


def program(directory, name, body):
    """Put a program into a directory."""
    path = directory / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A directory that is all of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    find_version.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    ("body", "lack"),
    [
        ("echo tool version 1.10.2 of 2026", None),
        ("echo 1.9 >&2", None),
        ("echo 1.8.9", "tool is 1.8.9, too old"),
        ("echo none", "tool does not print its version"),
        ("echo 1.9; exit 1", "tool does not print its version"),
    ],
)
def test_a_tool_is_judged_by_the_version_it_tells(path, body, lack):
    """Numbers are compared as numbers, wherever they are printed."""
    program(path, "tool", body)

    assert find_lack(Need("tool", ("tool", "version"), "1.9", "the tool 1.9")) == lack


def test_a_tool_that_is_not_there_is_missing(path):
    """Nothing is run for it."""
    need = Need("tool", ("tool", "version"), "1.9", "the tool 1.9")

    assert find_lack(need) == "tool is missing"


@pytest.mark.parametrize(("body", "is_taken"), [("exit 0", True), ("exit 1", False)])
def test_python3_is_taken_if_the_sdk_works_with_it(path, body, is_taken):
    """Otherwise it is the Python that runs arena, which has all it needs."""
    program(path, "python3", body)

    assert python_command(CLIENTS / "python") == ("python3" if is_taken else sys.executable)


@pytest.mark.slow
def test_the_python_that_is_taken_can_import_the_sdk():
    """Whatever the machine has, the command works."""
    command = [*shlex.split(python_command(CLIENTS / "python")), "-c", "import arena_client"]

    done = subprocess.run(command, cwd=CLIENTS / "python", check=False, timeout=60)

    assert done.returncode == 0


def test_a_python_without_arena_beside_it_runs_the_module(path, monkeypatch):
    """Arena need not be in PATH, nor be installed as a command; spaces are quoted."""
    monkeypatch.setattr(sys, "executable", str(path / "my env" / "python"))
    assert arena_command() == f"'{path}/my env/python' -m arena"

    (path / "my env").mkdir()
    program(path / "my env", "arena", "")
    assert arena_command() == f"'{path}/my env/arena'"

    program(path, "arena", "")
    assert arena_command() == "arena"
