"""Tabs that follow a running tournament: what they cost the arena; part of `benchmarks.web`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO
from urllib.parse import quote

from arena.client.channel import Destination
from arena.client.spectator import list_matches
from arena.errors import ArenaError
from arena.referee.replay import encode
from arena.server.auth import grants_to_text, new_token
from arena.web.arena_calls import ArenaCalls, WantedMatch

ONE_GOAL, MANY_GOAL = 0.95, 0.9
PLAYERS = 4
BOTS = ("greedy", "greedy", "random", "random")
SLOW = ("slow0", "slow1", "slow2")
MOVE_TIME_S = 0.5
SLOW_BOT = Path(__file__).parent / "slow_bot.py"
FOLLOWED = 4  # matches of the tournament that are looked at at a time
_START_S = 60.0


@dataclass(slots=True)
class _Sample:
    """What one part of a run has cost and brought."""

    decisions: float
    seconds: float
    arena_s: float
    bots_s: float
    gateway_s: float
    tabs_s: float  # of the tabs, which are browsers elsewhere
    events: int

    @property
    def rate(self) -> float:
        return self.decisions / self.seconds

    @property
    def cost(self) -> float:
        """Microseconds of processor time for a decision: arena, bots and gateway."""
        return 1e6 * (self.arena_s + self.bots_s + self.gateway_s) / self.decisions


async def measure_tabs(tabs: int, seconds: float, repeats: int) -> bool:
    """Measure with no tab, one and many, in turn, in one arena."""
    samples: dict[int, list[_Sample]] = {0: [], 1: [], tabs: []}
    async with _arena() as house:
        async with _tabs(house, 1):
            await asyncio.sleep(3)  # until everything is warm
        for turn in range(repeats):
            for number in samples if turn % 2 == 0 else reversed(samples):
                async with _tabs(house, number) as reading:
                    await asyncio.sleep(1)
                    samples[number].append(await _sample(house, seconds, reading))
        faults = house.counts("arena_faults_total")
        slow = sum(house.slow_moves.values())
    return _report(samples, tabs, faults, slow)


def _report(
    samples: dict[int, list[_Sample]], tabs: int, faults: dict[str, float], slow: int
) -> bool:
    none = samples[0]
    rate = median(sample.rate for sample in none)
    cost = median(sample.cost for sample in none)
    arena = median(1e6 * sample.arena_s / sample.decisions for sample in none)
    print(f"decisions a second with no tab:            {rate:6.0f}")
    print(f"  processor time of each:                  {cost:6.0f} µs, {arena:.0f} of the arena")
    met = not sum(faults.values())
    for number, goal in ((1, ONE_GOAL), (tabs, MANY_GOAL)):
        found = samples[number]
        by_clock = median(sample.rate for sample in found) / rate
        by_cost = cost / median(sample.cost for sample in found)
        own = median(1e6 * sample.arena_s / sample.decisions for sample in found)
        share = median(sample.gateway_s / sample.seconds for sample in found)
        tabs_share = median(sample.tabs_s / sample.seconds for sample in found)
        events = median(sample.events / sample.seconds for sample in found)
        met = met and by_cost >= goal
        print(
            f"  with {number:3} tab{'s' if number > 1 else ' '}: by the clock {by_clock:.2f}, by "
            f"processor time {by_cost:.2f} of that (goal {goal}); arena {own:.0f} µs a decision, "
            f"gateway {100 * share:.1f} % of a core for {events:.0f} events a second, "
            f"the tabs themselves {100 * tabs_share:.1f} %"
        )
    extra = median(s.gateway_s / s.seconds for s in samples[tabs]) - median(
        s.gateway_s / s.seconds for s in samples[1]
    )
    events = median(sample.events / sample.seconds for sample in samples[tabs])
    print(f"  one event for one tab costs the gateway: {1e6 * extra / max(events, 1):6.0f} µs")
    kinds = "".join(f", {labels} {count:.0f}" for labels, count in faults.items())
    number_of = sum(faults.values())
    print(f"  faults, with {slow} slow moves beside:      {number_of:6.0f} (goal 0){kinds}")
    return met and slow > 0


@dataclass(slots=True)
class _House:
    """An arena that plays, and what is known about it."""

    destination: Destination  # with an organiser's token
    web: tuple[str, int]
    figures: str
    arena: int  # process ids
    gateway: int
    bots: list[int]
    cookie: str = ""
    choice: dict[bool, list[str]] = field(default_factory=dict)  # matches, by whether for all
    slow_moves: dict[str, int] = field(default_factory=dict)

    def count(self, name: str) -> float:
        """Return a counter of the arena, over all its labels."""
        return sum(self.counts(name).values())

    def counts(self, name: str) -> dict[str, float]:
        """Return a counter of the arena by its labels."""
        with urllib.request.urlopen(self.figures) as answer:
            text = answer.read().decode()
        found = re.findall(rf"^{name}(?:{{(.*)}})? (\S+)$", text, re.MULTILINE)
        return {labels: float(value) for labels, value in found}


async def _sample(house: _House, seconds: float, reading: list[int]) -> _Sample:
    def now() -> list[float]:
        return [
            house.count("arena_decisions_total"),
            time.monotonic(),
            *(_processor_s(ids) for ids in ([house.arena], house.bots, [house.gateway])),
            time.process_time(),
            sum(reading),
        ]

    before = now()
    await asyncio.sleep(seconds)
    after = now()
    decisions, taken, arena_s, bots_s, gateway_s, tabs_s, events = (
        late - early for early, late in zip(before, after, strict=True)
    )
    return _Sample(decisions, taken, arena_s, bots_s, gateway_s, tabs_s, int(events))


def _processor_s(processes: Iterable[int]) -> float:
    """Return the processor time that processes have used."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
        ticks += sum(map(int, fields.split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


@contextlib.asynccontextmanager
async def _arena() -> AsyncIterator[_House]:
    """Run `arena serve --web` with tokens, a tournament, and a table of slow bots."""
    processes: list[asyncio.subprocess.Process] = []
    names = [*(f"{bot}{number}" for number, bot in enumerate(BOTS)), *SLOW, "web"]
    with tempfile.TemporaryDirectory() as scratch:
        made = {name: new_token(name, "bot") for name in names}
        made["boss"] = new_token("boss", "admin")
        grants = [grant for _, grant in made.values()]
        _write(Path(scratch, "tokens.json"), grants_to_text(grants))
        tokens = {name: token for name, (token, _) in made.items()}
        log = Path(scratch, "log")

        async def start(name: str, *command: str, **variables: str) -> int:
            process = await _start(scratch, out, command, ARENA_TOKEN=tokens[name], **variables)
            processes.append(process)
            return process.pid

        with log.open("wb") as out:  # noqa: ASYNC230 - nothing else runs yet
            flags = "--listen 127.0.0.1:0 --web 127.0.0.1:0 --tokens tokens.json --results kept"
            arena = await start(
                "web", *f"-m arena serve {flags} --metrics 127.0.0.1:0 --log-level warning".split()
            )
            try:
                listening = await _find(log, r"listening on (\S+)")
                destination = Destination(listening, tokens["boss"])
                web = (await _find(log, r"web pages on http://(\S+)/")).rpartition(":")
                bots = [
                    await start(name, *f"-m arena bot {name[:-1]} --server {listening}".split())
                    for name in names[: len(BOTS)]
                ]
                bots += [
                    await start(
                        name,
                        *("-P", str(SLOW_BOT)),
                        ARENA_ADDRESS=listening,
                        SLOW_BOT_SECONDS=str(0.9 * MOVE_TIME_S),
                    )
                    for name in SLOW
                ]
                house = _House(
                    destination,
                    (web[0], int(web[2])),
                    await _find(log, r"metrics on (\S+)"),
                    arena,
                    _child_of(arena),
                    bots,
                )
                house.cookie = await _log_in(house.web, tokens["boss"])
                calls = ArenaCalls(destination)
                while len(await calls.list_bots()) < len(bots):  # noqa: ASYNC110 - elsewhere
                    await asyncio.sleep(0.1)
                entered = " ".join(f"--bot name={n},connected" for n in names[: len(BOTS)])
                how = f"--game byzanz --players {PLAYERS} --name bench --rounds 3000 --out of"
                await start(
                    "boss", *f"-m arena tournament --server {listening} {how} {entered}".split()
                )
                beside = [
                    asyncio.create_task(_play_slowly(house, calls)),
                    asyncio.create_task(_choose(house)),
                ]
                while not all(house.choice.get(kind) for kind in (True, False)):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
                try:
                    yield house
                finally:
                    for task in beside:
                        task.cancel()
                    await asyncio.gather(*beside, return_exceptions=True)
                    await calls.close()
            finally:
                for process in reversed(processes):
                    with contextlib.suppress(ProcessLookupError):
                        process.kill()
                for process in processes:
                    await process.wait()


async def _play_slowly(house: _House, calls: ArenaCalls) -> None:
    """Have the slow bots play, one match after the other, while this runs."""
    table = WantedMatch("byzanz", SLOW, MOVE_TIME_S, 0.0)
    while True:
        if not house.choice.get(True):
            with contextlib.suppress(ArenaError):
                await calls.start_match(table, house.destination.token)
        await asyncio.sleep(1)


async def _choose(house: _House) -> None:
    """Look again and again which matches run."""
    while True:
        running = [m for m in await list_matches(house.destination) if not m.ended]
        slow = [m for m in running if m.seats[0].bot in SLOW]
        fast = [m.match_id for m in running if "/" in m.match_id]
        house.slow_moves |= {match.match_id: match.moves for match in slow}
        house.choice = {True: [match.match_id for match in slow], False: fast[:FOLLOWED]}
        await asyncio.sleep(0.5)


def _child_of(arena: int) -> int:
    """Return the gateway, the only process that an arena starts here."""
    children = Path(f"/proc/{arena}/task/{arena}/children").read_text(encoding="ascii").split()
    return int(children[0])


async def _log_in(web: tuple[str, int], token: str) -> str:
    body = encode({"token": token})
    reader, writer = await asyncio.open_connection(*web)
    writer.write(
        f"POST /api/login HTTP/1.1\r\nHost: {web[0]}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
    )
    answer = (await reader.read()).decode()
    writer.close()
    found = re.search(r"set-cookie: ([^;]+)", answer)
    assert found is not None, answer
    return found[1]


async def _start(
    where: str, out: IO[bytes], command: Iterable[str], **variables: str
) -> asyncio.subprocess.Process:
    inherited = {name: value for name, value in os.environ.items() if name[:6] != "ARENA_"}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *command),
        cwd=where,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=out,
        stderr=out,
        env={**inherited, "PYTHONPATH": str(Path(__file__).parents[1]), **variables},
    )


async def _find(log: Path, pattern: str) -> str:
    async with asyncio.timeout(_START_S):
        while (found := re.search(pattern, _read(log))) is None:  # noqa: ASYNC110 - elsewhere
            await asyncio.sleep(0.1)
    return found[1]


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


@contextlib.asynccontextmanager
async def _tabs(house: _House, number: int) -> AsyncIterator[list[int]]:
    """Keep so many tabs open, each with a stream, read as it comes; gives events by tab."""
    events = [0] * number
    tasks = [asyncio.create_task(_tab(house, place, events)) for place in range(number)]
    try:
        yield events
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _tab(house: _House, place: int, events: list[int]) -> None:
    """Follow the standings and a match; when that has ended, another one."""
    is_public = place % 2 == 1
    while True:
        matches = house.choice[is_public]
        if not matches:
            await asyncio.sleep(0.2)
            continue
        match = quote(matches[place // 2 % len(matches)], safe="")
        reader, writer = await asyncio.open_connection(*house.web, limit=1 << 22)
        try:
            cookie = "" if is_public else f"Cookie: {house.cookie}\r\n"
            writer.write(
                f"GET /api/live?follow=tournament%2Fbench&follow=match%2F{match} HTTP/1.1\r\n"
                f"Host: {house.web[0]}\r\n{cookie}\r\n".encode()
            )
            seen = b""
            while data := await reader.read(1 << 16):
                events[place] += data.count(b"event: ")
                seen = seen[-20:] + data
                if b"event: ended" in seen or b"event: gone" in seen:
                    break
        finally:
            writer.close()
        await asyncio.sleep(1)
