from __future__ import annotations

import json

import pytest

from arena.cli import BAD_INPUT, DONE, WRONG, doctor, main
from arena.doctor.probed import Probed, Usability
from arena.sandbox.probe import forget_attempts

FOUND = [
    Probed("isolation", "seccomp", Usability.OK, "a filter refuses ptrace"),
    Probed("languages", "Go", Usability.MISSING, "go is missing", "install Go 1.23 or newer"),
]


@pytest.fixture(autouse=True)
def _found(monkeypatch):
    """Nothing is really tried but levels."""
    monkeypatch.delenv("ARENA_ISOLATION", raising=False)
    monkeypatch.setattr(doctor, "probe_all", lambda: iter(FOUND))
    forget_attempts()
    yield
    forget_attempts()


def test_the_table(capsys):
    """By area, with what to install below what is missing, and what is in force at the end."""
    assert main(["doctor", "--isolation", "none"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "isolation"
    assert lines[1].split() == "seccomp ok a filter refuses ptrace".split()
    assert lines[2] == "languages"
    assert lines[3].split() == "Go missing go is missing".split()
    assert lines[4].split() == "-> install Go 1.23 or newer".split()
    assert lines[5].startswith("isolation in force: none")


def test_json(capsys):
    """The same for programs."""
    assert main(["doctor", "--json", "--isolation", "none"]) == DONE
    said = json.loads(capsys.readouterr().out)
    assert said["isolation"] == "none"
    assert [each["state"] for each in said["probes"]] == ["ok", "missing"]


def test_a_level_that_is_not_there(capsys, monkeypatch, tmp_path):
    """The table is printed all the same, the reason goes to stderr, and the exit code tells."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["doctor", "--isolation", "require"]) == WRONG
    said = capsys.readouterr()
    assert "seccomp" in said.out
    assert "isolation require is not possible here" in said.err
    assert "install bubblewrap" in said.err
    monkeypatch.setenv("ARENA_ISOLATION", "require")
    assert main(["doctor", "--json"]) == WRONG
    assert json.loads(capsys.readouterr().out)["isolation"] is None
    assert main(["doctor", "--isolation", "auto"]) == DONE


def test_a_level_that_nobody_knows(capsys):
    """Bad usage is told, with what there is."""
    assert main(["doctor", "--isolation", "strong"]) == BAD_INPUT
    assert "require:LEVEL" in capsys.readouterr().err
