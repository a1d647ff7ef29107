from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
import tempfile
import time

import pytest

from arena.doctor import probes, programs, trial
from arena.doctor.isolation import judge_kernel, probe_cgroups, probe_levels
from arena.doctor.machine import FILES_WANTED, judge_files, probe_clock, probe_sockets
from arena.doctor.probed import Usability
from arena.doctor.trial import NAMESPACES
from arena.sandbox.probe import forget_attempts
from arena.starter.toolchain import find_version

ALLOWED: dict[str, str | int] = {
    **dict.fromkeys(NAMESPACES, ""),
    "seccomp": "",
    "files": FILES_WANTED,
}


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without any program, and temporary files of its own."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(programs, "_POSTGRESQL", tmp_path)
    find_version.cache_clear()
    forget_attempts()
    yield tmp_path
    find_version.cache_clear()
    forget_attempts()


def put(directory, name, body):
    """Put a program into a directory of them."""
    path = directory / "bin" / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def states(found):
    """Return the state of each thing by its name."""
    return {each.name: each.state for each in found}


def test_what_the_kernel_allows_is_tried():
    """A child tries all of it; where the filter is known it holds."""
    tried = probes._try_kernel()
    assert set(NAMESPACES) < set(tried)
    assert int(tried["files"]) > 0
    if platform.machine() == "x86_64":
        assert tried["seccomp"] == ""


def test_files_are_counted_by_opening_them():
    """A process that may hold few descriptors finds so few."""
    code = f"ulimit -n 200; exec {sys.executable} -I -S {trial.__file__} 4096"
    assert '"files": 200' in programs._run(["/bin/sh", "-c", code])[1]


@pytest.mark.parametrize(
    ("change", "state", "told"),
    [
        ({}, Usability.OK, "user, mount"),
        ({"user": "No space left on device"}, Usability.MISSING, "user: No space left on device"),
        ({"network": "other networks are seen"}, Usability.LIMITED, "network: other networks"),
    ],
)
def test_namespaces_are_judged(change, state, told):
    """Without user namespaces there are no others; each refusal is told."""
    kernel, _ = judge_kernel({**ALLOWED, **change})
    assert kernel.state is state
    assert told in kernel.detail
    assert bool(kernel.advice) is (state is not Usability.OK)


def test_seccomp_is_judged():
    """A filter that does not hold is as bad as none."""
    unknown = {name: value for name, value in ALLOWED.items() if name != "seccomp"}
    for tried in ({**ALLOWED, "seccomp": "the filter does not refuse ptrace"}, unknown):
        _, seccomp = judge_kernel(tried)
        assert seccomp.state is Usability.MISSING


def test_files_are_judged():
    """Fewer than a busy arena needs are told with what to do."""
    assert judge_files(ALLOWED).state is Usability.OK
    few = judge_files({**ALLOWED, "files": 256})
    assert few.state is Usability.LIMITED
    assert "at most 256" in few.detail
    assert "ulimit" in few.advice


def test_the_clock_is_tried(monkeypatch):
    """Whoever wakes late is told to play less at once."""
    assert "ms late" in probe_clock().detail
    times = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(times)))
    monkeypatch.setattr(time, "sleep", lambda _s: None)
    late = probe_clock()
    assert late.state is Usability.LIMITED
    assert "-j" in late.advice


def test_sockets_need_a_short_path(bare, monkeypatch):
    """A socket whose path is too long cannot be made, and nothing is left of the attempt."""
    assert probe_sockets().state is Usability.OK
    long = bare / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    refused = probe_sockets()
    assert refused.state is Usability.MISSING
    assert "TMPDIR" in refused.advice
    assert not list(long.iterdir())


@pytest.mark.usefixtures("bare")
def test_levels_without_their_programs():
    """Each says which program is missing."""
    for level in probe_levels():
        assert level.state is Usability.MISSING
        assert level.detail


def test_control_groups_are_told(monkeypatch):
    """Where there are none, arena watches the bots itself, and says so."""
    assert probe_cgroups().state in (Usability.OK, Usability.LIMITED)
    monkeypatch.setattr("arena.doctor.isolation.find_cgroups", lambda: None)
    assert "adds up" in probe_cgroups().advice


def test_a_bare_machine(bare):
    """Everything that is missing is told with what to install; SQLite is part of Python."""
    found = list(programs.probe_programs())
    assert {name for name, state in states(found).items() if state is Usability.OK} == {"SQLite"}
    assert all(each.advice for each in found if each.state is not Usability.OK)
    assert not list((bare / "tmp").iterdir())


def test_programs_that_do_not_work(bare, monkeypatch):
    """What is installed but fails is not taken for what works."""
    put(bare, "cc", "echo Python.h is missing; exit 1")
    for name in ("chromium", "postgres"):
        put(bare, name, "exit 1")

    def refuse(*_path):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite3, "connect", refuse)
    found = states(programs.probe_programs())
    names = ("C", "Chromium", "PostgreSQL")
    assert {found[name] for name in names} == {Usability.LIMITED}
    assert found["SQLite"] is Usability.MISSING
    assert not list((bare / "tmp").iterdir())


@pytest.mark.usefixtures("mark")
def test_a_program_that_hangs(bare, monkeypatch):
    """It is ended with all that it started, and told to be slow."""
    sleep = shutil.which("sleep", path=os.defpath)
    put(bare, "chromium", f"{sleep} 600 & {sleep} 600")
    monkeypatch.setattr(programs, "_LIMIT_S", 0.1)
    browser = programs._probe_browser()
    assert browser.state is Usability.LIMITED
    assert "within 0.1 s" in browser.detail
    assert not list((bare / "tmp").iterdir())
