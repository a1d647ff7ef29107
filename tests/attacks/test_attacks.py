"""Hostile bots at every level of isolation that this machine has.

Each plays one match against the same two honest bots. Everything runs in namespaces of its own (see
contained.py), so that an attack that succeeds hurts nobody.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli import DONE
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions
from arena.referee.replay import Entrant
from arena.sandbox.level import Level
from arena.schedule.deals import seating_labels
from arena.testing.players import IllegalPlayer, ScriptedPlayer
from arena.testing.virtual import play_virtually
from tests.attacks.hostile import ATTACKS, STDIO
from tests.requirements import require_level

HERE = Path(__file__).parent
SDK = HERE.parents[1] / "clients/python"
CONTAIN = "unshare --mount --propagation private --pid --fork --mount-proc --kill-child".split()
PATIENCE_S = 240.0
LOG_BYTES = 2 << 20
HONEST = ("one", "two")

BWRAP, SPACES, USER, NONE = Level
ALL = {BWRAP, SPACES, USER}

HIDDEN: dict[Level, list[str]] = {
    BWRAP: [],
    SPACES: ["bwrap"],
    USER: ["bwrap", "unshare"],
    NONE: [],
}
"""Programs without which a level is the strongest that works."""

STOPPED_BY: dict[str, set[Level]] = {
    "read-tickets": ALL,
    "use-ticket": ALL,
    "read-memory": ALL,
    "trace": ALL,
    "stop-rivals": ALL,
    "kill-rivals": ALL,
    "kill-everybody": ALL,
    "delete-socket": ALL,
    "squat-socket": ALL,
    "read-seed": ALL,
    "rewrite-results": ALL,
    "delete-results": ALL,
    "follow-links": ALL,
    "read-home": {BWRAP, USER},
    "change-programs": {BWRAP, USER},
    "leave-files": {BWRAP},
    "read-devices": {BWRAP, USER},
    "change-settings": {BWRAP, USER},
    "read-environment": {BWRAP},
    "dial-network": {BWRAP, SPACES},
    "dial-abstract": {BWRAP, SPACES},
    "gain-privileges": ALL,
    "nest-namespaces": {BWRAP},
    "mount": ALL,
    "use-kernel": {BWRAP},
    "raise-priority": ALL,
    "fork-bomb": ALL,
    "take-memory": ALL,
    "fill-disk": {BWRAP},
    "fill-inodes": {BWRAP},
    "spin": ALL,
    "freeze": ALL,
    "shout": ALL,
    "outlive": {BWRAP, SPACES},
}
"""Which levels stop an attack; the table in SECURITY.md says the same."""

HARMLESS = ("read-environment", "read-home", "dial-abstract")
"""Attacks that are carried out where they are possible, and then succeed."""
SUCCESSFUL = "successful"  # the bot that does

BEFORE_HELLO = {"use-ticket"}
"""Attacks in a tournament of their own, with a victim."""

ALONE = {
    "fork-bomb": "processes = 64",
    "take-memory": "memory_mb = 300",
    "fill-disk": "disk_mb = 32",
    "fill-inodes": "",
    "spin": "cpus = 0.5",
    "freeze": "",
    "shout": "",
    "outlive": "",
    "kill-everybody": "",
}
"""Attacks by a bot of their own, with its limits; one other bot carries out the rest."""

BY_LINES = ("fork-bomb", "take-memory", "fill-disk")
"""Attacks that a program that speaks over stdio carries out as well: its bridge stands between."""

FAULTY: dict[str, tuple[set[str], str]] = {
    "fork-bomb": ({"out_of_processes"}, "at its limit of 64 processes"),
    "take-memory": ({"out_of_memory"}, "at its limit of 300 MB"),
    "fill-disk": ({"out_of_disk"}, "at its limit of 32 MB"),
    "freeze": ({"timeout", "disconnect"}, ""),  # whichever is noticed first
}
"""The attacks that end in a fault, and what is said of it."""


def bots_of(level: Level) -> dict[str, list[str]]:
    """Return the hostile bots of a level, by name, with their attacks."""
    stopped = [n for n, levels in STOPPED_BY.items() if level in levels and n not in BEFORE_HELLO]
    possible = [name for name in HARMLESS if level not in STOPPED_BY[name]]
    return {
        "prober": [name for name in stopped if name not in ALONE],
        **({SUCCESSFUL: possible} if possible else {}),
        **{name: [name] for name in stopped if name in ALONE},
        **{f"{STDIO}{name}": [name] for name in BY_LINES if name in stopped},
    }


def require_containment() -> None:
    """Skip where attacks could reach the machine."""
    done = subprocess.run([*CONTAIN, "true"], capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip() or "unshare fails"
        pytest.skip(f"attacks need namespaces around them, as root: {reason}")


@contextlib.contextmanager
def targets(place: Path, mark: str) -> Iterator[dict[str, str]]:
    """Give what is attacked, as variables for the bots."""
    for name in ("home", "shared"):
        (place / name).mkdir()
        (place / name).chmod(0o700)
    (place / "home/secret").touch()
    (place / "cup").mkdir(mode=0o700)
    (place / "cup/canary").touch()
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0{mark}")
        abstract.listen()
        yield {
            "TARGET_RESULTS": str(place / "cup"),
            "TARGET_HOME": str(place / "home"),
            "TARGET_SHARED": str(place / "shared"),
            "TARGET_PORT": str(server.getsockname()[1]),
            "MACHINE_MNT": str(Path("/proc/self/ns/mnt").readlink()),
            "MACHINE_PID": str(Path("/proc/self/ns/pid").readlink()),
        }


def write_bots(
    place: Path, mark: str, bots: dict[str, list[str]], env: dict[str, str], more: str = ""
) -> Path:
    """Write bots.toml beside a copy of the program."""
    directory = place / "bots"
    directory.mkdir()
    shutil.copy(HERE / "hostile.py", directory)
    settings = ", ".join(f'{key} = "{value}"' for key, value in env.items())
    text = ""
    for name, attacks in {**{each: [] for each in HONEST}, **bots}.items():
        how = "stdio" if name.startswith(STDIO) else "run"
        words = json.dumps([sys.executable, "hostile.py", mark, name, *attacks])
        group = "" if name in HONEST else 'group = "hostile"\n'
        limits = ALONE.get(name.removeprefix(STDIO), "")
        text += f"[bots.{name}]\n{how} = {words}\n{group}env = {{ {settings} }}\n"
        text += f'read = ["{SDK}"]\n{limits}\n{more}\n'
    path = directory / "bots.toml"
    path.write_text(text)
    return path


def play(place: Path, mark: str, bots: Path, level: Level, env: dict[str, str]) -> dict[str, Any]:
    """Play the tournament in containment; return what it left behind."""
    words = "--game byzanz --players 3 --rounds 1 --rotation none --seed 7 -j 4 --max-faults 1"
    times = "--move-time 20 --bank 0 --start-timeout 120"
    command = [
        *(sys.executable, "-m", "arena", "tournament", *words.split(), *times.split()),
        *("--name", mark, "--out", str(place / "cup"), "--bot", str(bots)),
        *("--isolation", "none" if level is NONE else f"require:{level.value}"),
    ]
    places = {sys.base_prefix, sys.prefix, str(HERE.parents[1])}
    report = place / "left.json"
    done = subprocess.run(
        [*CONTAIN, sys.executable, HERE / "contained.py", report, place, mark, *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE_S,
        check=False,
        env={
            **os.environ,
            "MACHINE_MNT": env["MACHINE_MNT"],
            "TMPDIR": str(place),
            "ORGANISER_SECRET": "secret",
            "OPEN_PLACES": ":".join(sorted(places)) if level is USER else "",
            "HIDDEN_PROGRAMS": ":".join(filter(None, map(shutil.which, HIDDEN[level]))),
        },
    )
    assert report.exists(), done.stderr
    left: dict[str, Any] = json.loads(report.read_text())
    assert left["code"] == DONE, done.stderr
    if level is not NONE:  # which nobody is told who has asked for it
        assert f"isolation: {level.value}" in done.stderr  # and no stronger one
        assert level.does_not_stop in done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return left


def middle(question: Any) -> int:
    """Choose as the hostile bots do."""
    return len(question.legal_moves) // 2


def played_badly(match: dict[str, Any], *, is_faulty: bool) -> tuple[list[int], list[int]]:
    """Return scores and ranks of the same match with a merely bad bot in the culprit's seat."""
    game, seed = get_game("byzanz"), bytes.fromhex(match["seed"])
    names = [seat["bot"] for seat in match["seating"]]
    labels = seating_labels(game, seed, match["seating_number"])
    entrants = [Entrant(name, "") for name in names]
    fixture = Fixture(game, match["match"], str(match["deal"]), seed, entrants, labels)
    players = [
        IllegalPlayer() if is_faulty and name not in HONEST else ScriptedPlayer(choose=middle)
        for name in names
    ]
    played = play_virtually(
        fixture, players, Conditions(TimeControl(20.0, 0.0, 120.0), FaultPolicy(1))
    )
    assert played.outcome is not None
    return list(played.outcome.scores), list(played.outcome.ranks)


def said(place: Path, name: str) -> list[str]:
    """Return what a bot says about its attacks."""
    log = place / f"cup/logs/{name}.stderr"
    assert log.stat().st_size <= LOG_BYTES
    lines = log.read_text(errors="replace").splitlines()
    return [line for line in lines if line.startswith(("HIT ", "STOPPED "))]


@pytest.fixture
def place(short_place: Path, level: Level) -> Path:
    """Where attacks at a level can be tried."""
    require_level(level)
    require_containment()
    short_place.chmod(0o711)  # bots of another user start from there
    return short_place


@pytest.fixture
def mark() -> str:
    """What stands in the command line of all that belongs to a test."""
    return f"hm{secrets.token_hex(6)}"


@pytest.mark.slow
@pytest.mark.parametrize("level", [BWRAP, SPACES, USER], ids=lambda level: level.value)
def test_only_the_culprit_loses(level: Level, place: Path, mark: str) -> None:
    """Attacks fail, each is booked on its own bot, the others play as ever, and nothing is left."""
    with targets(place, mark) as env:
        left = play(place, mark, write_bots(place, mark, bots_of(level), env), level, env)

    assert not any(left[kind] for kind in ("processes", "mounts", "files")), left
    assert not [path for path in place.glob(f"*/*{mark}*") if path.is_file()]
    assert not list(place.glob("arena-*"))
    assert (place / "cup/canary").exists()

    for name, attacks in bots_of(level).items():
        told = said(place, name)
        word = "STOPPED" if name == SUCCESSFUL else "HIT"
        assert not [line for line in told if line.startswith(word)], told
        if attacks not in (["freeze"], ["take-memory"], ["shout"]):  # for good; its log is cut
            log = (place / f"cup/logs/{name}.stderr").read_text(errors="replace")
            assert [line.split()[1].rstrip(":") for line in told] == attacks, log

    lines = (place / "cup/matches.jsonl").read_text().splitlines()
    matches = [json.loads(line) for line in lines]
    assert len(matches) == len(bots_of(level))
    for match in matches:
        ((seat, culprit),) = [
            (seat, each["bot"])
            for seat, each in enumerate(match["seating"])
            if each["bot"] not in HONEST
        ]
        faults, reason = FAULTY.get(culprit.removeprefix(STDIO), (set(), ""))
        if culprit == "freeze" and level is SPACES:
            faults = set()  # it is the first process there, which cannot stop itself
        assert len(match["faults"]) == bool(faults), match
        for each in match["faults"]:
            assert each["seat"] == seat, match
            assert each["fault"] in faults, match
            assert reason in each["detail"], match
        expected = played_badly(match, is_faulty=bool(faults))
        assert (match["scores"], match["ranks"]) == expected, culprit


@pytest.mark.slow
@pytest.mark.parametrize("level", [BWRAP, SPACES, USER, NONE], ids=lambda level: level.value)
def test_a_ticket_is_useless_to_others(level: Level, place: Path, mark: str) -> None:
    """A rival that knows it is refused, and its owner plays on; without isolation it plays as it.

    The owner gives it away itself, and uses it later than the rival.
    """
    leaks = place / "leaks"
    leaks.mkdir()
    leaks.chmod(0o777)
    bots = {"one": ["leak"], "thief": ["use-ticket"]}
    with targets(place, mark) as env:
        env["TARGET_LEAKS"] = str(leaks)
        path = write_bots(place, mark, bots, env, f'write = ["{leaks}"]')
        play(place, mark, path, level, env)
    (told,) = said(place, "thief")
    (match,) = map(json.loads, (place / "cup/matches.jsonl").read_text().splitlines())
    if level in STOPPED_BY["use-ticket"]:
        assert told == "STOPPED use-ticket: none of 2"
        assert match["faults"] == []
        assert (match["scores"], match["ranks"]) == played_badly(match, is_faulty=False)
    else:
        assert told.startswith("HIT")


def test_every_attack_is_judged() -> None:
    """No attack is left out, and what is said in SECURITY.md is what is tested."""
    assert set(STOPPED_BY) == set(ATTACKS)
    assert all(BWRAP in levels for levels in STOPPED_BY.values())
    shown = {}
    for line in (HERE.parents[1] / "SECURITY.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("`") and len(cells) == len(ALL) + 2:
            levels = zip((BWRAP, SPACES, USER), cells[2:], strict=True)
            shown[cells[0].strip("`")] = {level for level, cell in levels if cell == "stopped"}
    assert shown == STOPPED_BY
