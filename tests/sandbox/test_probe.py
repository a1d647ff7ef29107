from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.sandbox import other_user, probe
from arena.sandbox.isolation import Isolation, parse_isolation
from arena.sandbox.level import Level
from arena.sandbox.probe import Attempt, choose_level, try_level


@pytest.fixture(autouse=True)
def tried_anew() -> Iterator[None]:
    """What one test finds is nothing to another."""
    probe.forget_attempts()
    yield
    probe.forget_attempts()


def only(*working: Level) -> object:
    def attempt(level: Level) -> Attempt:
        return Attempt(level, level in working, "" if level in working else "it broke", "buy one")

    return attempt


def test_auto_takes_the_strongest_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """What works is taken, and why nothing better is there stands in one line."""
    monkeypatch.setattr(probe, "try_level", only(Level.USER, Level.NONE))
    choice = choose_level(Isolation.AUTO)
    assert choice.level is Level.USER
    assert choice.describe() == (
        "user (bubblewrap does not work here: it broke; buy one). Bots can use the network, read "
        "files that everybody may read, and fill the disk"
    )


def test_require_takes_nothing_weaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the level asked for nothing starts, and the error says what to do."""
    monkeypatch.setattr(probe, "try_level", only(Level.USER, Level.NONE))
    assert choose_level(parse_isolation("require:user")).level is Level.USER
    told = "require is not possible here .bubblewrap: it broke.: buy one, or ask for less"
    with pytest.raises(SandboxError, match=told):
        choose_level(Isolation.REQUIRE)


def test_a_level_that_takes_too_long_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is the time, and not how the level was tried."""
    monkeypatch.setattr(probe, "_LIMIT_S", 0.01)
    monkeypatch.setitem(probe._LOOK, Level.USER, "sleep 10")
    monkeypatch.setattr(probe, "other_user_command", lambda _user, *words: [*words[:1], *words[1]])
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert try_level(Level.USER) == Attempt(
        Level.USER,
        works=False,
        reason="a process did not end within 0.01 s",
        install="try again when the machine is less busy",
    )


def test_a_process_that_ends_while_users_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as if it had not been there."""

    class Ending:
        def exists(self) -> bool:
            return True

        def stat(self) -> None:
            raise FileNotFoundError

    monkeypatch.setattr(Path, "glob", lambda *_: [Ending()])
    assert other_user.next_user() >= other_user.first_user()


def test_none_tries_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for nothing gets nothing, at no cost."""
    monkeypatch.setattr(probe, "try_level", only(*Level))
    assert choose_level(Isolation.NONE).level is Level.NONE


def test_without_its_programs_no_level_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing program is named, with what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert try_level(Level.BUBBLEWRAP).reason == "bwrap is not installed"
    assert "install bubblewrap" in try_level(Level.BUBBLEWRAP).install
    assert not try_level(Level.NAMESPACES).works
    assert choose_level(Isolation.AUTO).level is Level.NONE


def test_an_old_or_broken_bubblewrap_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bubblewrap without what is needed, and one that keeps nothing apart, are not trusted."""
    program = tmp_path / "bwrap"
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    program.write_text("#!/bin/sh\necho bubblewrap 0.4.1\n")
    program.chmod(0o755)
    assert try_level(Level.BUBBLEWRAP).reason == "bubblewrap 0.4.1 is too old"
    probe.forget_attempts()
    script = '[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit; shift 3; exec "$@"'
    program.write_text(f"#!/bin/sh\n{script}\n")
    assert not try_level(Level.BUBBLEWRAP).works
