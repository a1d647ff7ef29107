"""Which levels really work on this machine: found out by trying."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.errors import SandboxError
from arena.sandbox.bubblewrap import (
    HOME,
    Enclosure,
    bubblewrap_command,
    find_bubblewrap,
)
from arena.sandbox.isolation import Isolation
from arena.sandbox.level import Level
from arena.sandbox.namespaces import namespaces_command
from arena.sandbox.other_user import first_user, other_user_command

_OLDEST = (0, 8)
_LIMIT_S = 60.0  # else bots would get a weaker level on a very busy machine
_LONGEST_REASON = 200

_INSTALL = "install bubblewrap 0.8 or newer (Debian, Ubuntu: bubblewrap; Fedora: bubblewrap)"
_ALLOW = (
    "allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0; in a container, those of its host)"
)

_ALONE = 'set -- /proc/[0-9]*; [ $# -le 4 ] && [ "$(wc -l < /proc/net/dev)" -le 3 ]'
_LOOK = {
    # No other process, no network but its own loopback, no other files, nowhere to write but home.
    Level.BUBBLEWRAP: f"{_ALONE} && [ ! -e /var ] && ! (: > /usr/.arena) 2>/dev/null && : > /tmp/x",
    Level.NAMESPACES: _ALONE,
    Level.USER: '[ "$(id -u)" != 0 ]',
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """Whether a level works here; if not why, and what would help."""

    level: Level
    works: bool
    reason: str = ""
    install: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The level in force, and what was tried before it."""

    level: Level
    attempts: Sequence[Attempt]

    def describe(self) -> str:
        """Return one line for people: `bubblewrap`, or what holds instead, and why."""
        failed = [attempt for attempt in self.attempts if not attempt.works]
        if self.level is Level.BUBBLEWRAP or not failed:
            left = self.level.does_not_stop
            return self.level.value + (f" (bots can {left})" if left else "")
        best = failed[0]
        return (
            f"{self.level.value} ({best.level.value} does not work here: {best.reason}; "
            f"{best.install}). Bots can {self.level.does_not_stop}"
        )


@cache
def try_level(level: Level) -> Attempt:
    """Start a process at that level and look around from inside. Tried once in a process."""
    if level is Level.NONE:
        return Attempt(level, works=True)
    words = ["-c", _LOOK[level]]
    if level is Level.BUBBLEWRAP:
        return _try_bubblewrap(words)
    missing = "unshare and setpriv" if level is Level.NAMESPACES else "setpriv"
    if not all(shutil.which(word) for word in missing.split() if word != "and"):
        return Attempt(level, False, f"{missing} not found", "install util-linux")
    if level is Level.USER:
        if os.geteuid() != 0:
            return Attempt(level, False, "only root can start a bot as another user", "")
        return _run(level, other_user_command(first_user(), "/bin/sh", words), "")
    return _run(level, namespaces_command((), None, "/bin/sh", words), _ALLOW)


def forget_attempts() -> None:
    """Try every level anew when it is next asked for."""
    try_level.cache_clear()


def choose_level(isolation: Isolation) -> Choice:
    """Return the strongest level that is allowed and works; raises SandboxError if none will do."""
    attempts = []
    for level in Level:
        if level.strength > isolation.most.strength:
            continue
        if level.strength < isolation.least.strength:
            break
        attempts.append(try_level(level))
        if attempts[-1].works:
            return Choice(level, attempts)
    best = attempts[0]
    tried = "; ".join(f"{attempt.level.value}: {attempt.reason}" for attempt in attempts)
    raise SandboxError(
        f"isolation {isolation.text} is not possible here ({tried}): "
        f"{best.install or _INSTALL}, or ask for less with --isolation auto"
    )


def _try_bubblewrap(words: Sequence[str]) -> Attempt:
    level, path = Level.BUBBLEWRAP, find_bubblewrap()
    if path is None:
        return Attempt(level, False, "bwrap is not installed", _INSTALL)
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, timeout=_LIMIT_S, check=False
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Attempt(level, False, f"{path} cannot be run: {error}", _INSTALL)
    version = tuple(map(int, re.findall(r"\d+", said)[:2]))
    if version < _OLDEST:
        return Attempt(level, False, f"{said.strip() or path} is too old", _INSTALL)
    with bubblewrap_command(path, Enclosure(Path(HOME)), "/bin/sh", words) as (command, files):
        return _run(level, command, _ALLOW, files)


def _run(level: Level, command: Sequence[str], install: str, files: Sequence[int] = ()) -> Attempt:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=False,
            pass_fds=files,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            cwd="/",
        )
    except subprocess.TimeoutExpired as error:
        reason = f"a process did not end within {error.timeout:g} s"
        return Attempt(level, False, reason, "try again when the machine is less busy")
    except OSError as error:
        return Attempt(level, False, str(error)[:_LONGEST_REASON], install)
    if done.returncode == 0:
        return Attempt(level, True)
    said = done.stderr.decode(errors="replace").strip().splitlines()
    reason = said[-1] if said else "a process in it is not kept apart"
    return Attempt(level, False, reason[:_LONGEST_REASON], install)
