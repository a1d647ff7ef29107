from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.storage import owner as owner_module
from arena.storage.owner import is_dead, new_owner

_PROGRAM = """
from arena.storage.owner import new_owner
print(new_owner(), flush=True)
input()
"""


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    """A process that prints its owner text and waits for a line."""
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_owners_differ():
    """Two owners of one process are two."""
    assert new_owner() != new_owner()


def test_this_process_lives():
    """Whoever asks is alive."""
    assert not is_dead(new_owner())


def test_another_process_is_dead_once_it_has_ended(process):
    """Alive while it runs; dead as a zombie, and when its number is free again."""
    owner = read_line(process)
    assert not is_dead(owner)
    process.kill()
    assert process.stdout is not None
    process.stdout.read()  # closed when it is gone, though nobody has waited for it yet
    while not is_dead(owner):
        pass
    process.wait()
    assert is_dead(owner)


def test_a_number_that_was_given_away_again_is_another_process():
    """The same pid with another start time is somebody else."""
    machine, pid, start, random = new_owner().rsplit("/", 3)
    assert is_dead(f"{machine}/{pid}/{int(start) - 1}/{random}")


@pytest.mark.parametrize("part", [0, 1, 2])
def test_nothing_is_known_of_other_machines(part, process):
    """A dead process of another host, boot or space of processes is not known to be dead."""
    owner = read_line(process)
    process.kill()
    process.wait()
    parts = owner.split("/")
    parts[part] = "other"
    assert is_dead(owner)
    assert not is_dead("/".join(parts))


@pytest.mark.parametrize("text", ["", "me", "a/b/c", "////", "\0/1/2/3", "h/-1/2/3"])
def test_other_texts_are_nobody(text):
    """What is no owner's text is not known to be dead."""
    assert not is_dead(text)


@pytest.mark.parametrize("pid", ["x", "", "-1", "0", "9" * 30])
def test_impossible_numbers_are_nobody(pid):
    """Neither is a text whose pid cannot be one."""
    machine, _, start, random = new_owner().rsplit("/", 3)
    assert not is_dead(f"{machine}/{pid}/{start}/{random}")


def test_without_proc_nobody_is_dead(process, monkeypatch, tmp_path: Path):
    """Where there is no /proc, owners differ still, and only leases run out."""
    monkeypatch.setattr(owner_module, "_PROC", tmp_path)
    process.kill()
    process.wait()
    owner = f"{owner_module._machine()}/{process.pid}//ab"
    assert not is_dead(owner)
    assert not is_dead(new_owner())
    assert new_owner() != new_owner()
