"""SIGKILL at random moments: to arenas, keepers and gateways, and to bots.

The first three may cost nothing but time: everything is byte for byte as in a calm run. A killed
bot forfeits what it was playing, and nobody else notices.
"""

from __future__ import annotations

import collections
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from arena.cli import DONE
from tests.chaos.scenario import END_S, PATIENT, STEP_S, Run
from tests.e2e.command import Command
from tests.e2e.glance import glance
from tests.e2e.tournaments import (
    NAME,
    check_calm,
    check_ratings,
    check_whole,
    finish,
    matches,
    settings,
    to_end,
    undisturbed,
)
from tests.marks import marked
from tests.waiting import wait_until

GOES = 0.9  # of the matches are played when the last kill comes
AT_ONCE = 2
TARGETS = ("arena", "arena", "arena", "keeper", "gateway")  # as often as they are named
EARLY = 0.25  # of arenas are killed while they start
START_S = 1.5
JITTER_S = 0.05

Find = Callable[[dict[int, str]], list[int]]


def kills(run: Run) -> None:
    """Kill the machinery, then bots."""
    kill_machinery(run, run.size(375, 6), run.size(75, 2))
    kill_bots(run, run.size(126, 6), run.size(25, 1))


def find_keeper(found: dict[int, str]) -> list[int]:
    return [pid for pid, line in found.items() if "sweep.py" in line]


def find_gateway(found: dict[int, str]) -> list[int]:
    return [pid for pid, line in found.items() if "\0web\0" in line]


class Killing:
    """A tournament that is begun again whenever its arena was killed."""

    def __init__(self, run: Run, words: list[str], *how: str) -> None:
        self.run = run
        self.directory = run.place / NAME
        self.counts: collections.Counter[str] = collections.Counter()
        self.acknowledged: dict[str, object] = {}
        self.starts = 0
        self._words = words
        self._how = how
        self._command: Command | None = None

    def start(self) -> Command:
        """Return the running arena, a new one if there is none."""
        if self._command is None:
            again = (self.directory / "tournament.toml").exists()
            what = [self.directory] if again else ["--out", self.directory, *self._words]
            command = ("tournament", *what, "--engine", "arena", "-j", AT_ONCE, *self._how)
            self._command = self.run.arena(*command, place=self.run.place)
            self.starts += 1
        return self._command

    def reach(self, count: int) -> bool:
        """Play until there are so many results; return whether the arena still runs."""
        command = self.start()
        path = self.directory / "arena.db"
        wait_until(lambda: glance(path) >= count or not command.is_running, STEP_S)
        return command.is_running

    def kill_arena(self) -> None:
        """Kill it; its bots and its keeper's work end by themselves, and results stay."""
        command = self.start()
        command.signal(signal.SIGKILL)
        assert command.wait() == -signal.SIGKILL, command.err
        check_calm(command.err)
        wait_until(lambda: not marked(self.run.mark), END_S)
        self._command = None
        self.counts["arena"] += 1
        left = [path.name for path in self.run.place.glob("arena-*")]
        self.run.check(not left, f"directories left by a killed arena: {left}")
        self.remember()

    def kill_other(self, what: str, find: Find) -> bool:
        """Kill a process beside the arena, once there is one; return whether there was."""
        command = self.start()
        found: list[int] = []

        def look() -> bool:
            found[:] = find(marked(self.run.mark))
            return bool(found) or not command.is_running

        wait_until(look, STEP_S)
        if not found:
            return False
        victim = self.run.rng.choice(found)
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return False
        if (
            find is find_keeper
        ):  # nobody could clear up after an arena that is killed together with it
            wait_until(lambda: look() and found != [victim], STEP_S)
        self.counts[what] += 1
        return True

    def remember(self) -> None:
        """Note what is stored: from now on each of these results stands."""
        if not (self.directory / "tournament.toml").exists():
            return
        now = {match.fixture.match: match for match in matches(self.directory)}
        for name, before in self.acknowledged.items():
            self.run.check(now.get(name) == before, f"a stored result was changed or lost: {name}")
        self.acknowledged.update(now)

    def finish(self) -> None:
        """Play to the end, and check what is true whatever was killed."""
        if self._command is None and self.run.is_short:
            finish(self.run.place)  # other tests begin again with processes of bots
        else:
            command = self.start()
            with command:
                assert command.wait(STEP_S) == DONE, command.err
                check_calm(command.err)
            self._command = None
        self.remember()
        to_end("verify", self.directory)

    @property
    def said(self) -> str:
        """What was killed how often."""
        return ", ".join(f"{what} {count}" for what, count in sorted(self.counts.items()))


def kill_machinery(run: Run, size: int, number: int) -> None:
    """Kill arenas, keepers and gateways within one tournament."""
    words = settings(*PATIENT, rounds=size // 3)
    killing = Killing(run, words, "--web", "127.0.0.1:0")
    targets = [TARGETS[index % len(TARGETS)] for index in range(number)]
    run.rng.shuffle(targets)
    if run.is_short:
        targets = ["keeper", "arena"]  # the pair that is hardest to clear up after
    for index, target in enumerate(targets):
        is_early = target == "arena" and run.rng.random() < EARLY
        if is_early:
            killing.start()
            time.sleep(run.rng.uniform(0.0, START_S))
        elif not killing.reach(1 + int(GOES * size * index / number)):
            break
        time.sleep(run.rng.uniform(0.0, JITTER_S))
        if target == "arena":
            killing.kill_arena()
        else:
            find = find_keeper if target == "keeper" else find_gateway
            if not killing.kill_other(target, find):
                break
    kills_done = sum(killing.counts.values())
    run.check(kills_done == number, f"only {kills_done} of {number} kills before it was over")
    killing.finish()
    check_whole(killing.directory, words)
    run.tell(
        f"{size} matches, {kills_done} kills ({killing.said}), {killing.starts} starts: every "
        f"match once, {len(killing.acknowledged)} results as first stored, files as in a calm run"
    )


def kill_bots(run: Run, size: int, number: int) -> None:
    """Kill the process of one bot again and again; the others are left alone."""
    place = run.place / "bots"
    place.mkdir()
    run.place = place
    words = settings(*PATIENT, rounds=size // 3)
    killing = Killing(run, words)

    def find(found: dict[int, str]) -> list[int]:
        return [pid for pid, line in found.items() if "\0bot\0" in line and "random" in line]

    for index in range(number):
        if not killing.reach(1 + int(GOES * size * index / number)):
            break
        time.sleep(run.rng.uniform(0.0, JITTER_S))
        if not killing.kill_other("bot", find):
            break
    run.check(killing.counts["bot"] == number, f"only {killing.said} of {number}")
    killing.finish()
    check_ratings(killing.directory)
    forfeited = check_victims(run, killing.directory, undisturbed(tuple(words))["matches.jsonl"])
    run.check(forfeited <= AT_ONCE * number, f"{forfeited} forfeits of {number} kills")
    run.tell(
        f"{size} matches, {number} kills of one bot: it forfeited {forfeited}, all others are as "
        "in a calm run, and nobody else has a fault"
    )


def check_victims(run: Run, directory: Path, calm: bytes) -> int:
    """Compare match by match; return in how many the killed bot forfeited."""
    expected = {json.loads(line)["match"]: line for line in calm.splitlines()}
    forfeited = 0
    for line in (directory / "matches.jsonl").read_bytes().splitlines():
        match = json.loads(line)
        before = expected.pop(match["match"], b"")
        lost = [
            (entrant["bot"], end)
            for entrant, end in zip(match["seating"], match["ended"], strict=True)
            if end != "normal"
        ]
        if lost or match["faults"]:
            forfeited += 1
            run.check(lost == [("random", "forfeit:crash")], f"{match['match']}: {lost}")
            run.check(len(match["faults"]) == 1, f"{match['match']}: {match['faults']}")
        else:
            run.check(line == before, f"{match['match']} is not as in a calm run")
    run.check(not expected, f"not played: {sorted(expected)}")
    return forfeited
