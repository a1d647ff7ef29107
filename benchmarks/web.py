"""Pages beside an arena: what viewers cost, and how fast documents are.

- Decisions a second of an arena whose bots are processes, with no tab, with 1 and with 200 tabs
  that follow the home page, gateway included; interleaved, as ratios. Goals: 0.95
  and 0.9. Beside 200 tabs a slow but honest clock must not fault: faults are counted. Goal: 0.
- The document of a 6-player match: time and bytes. Goal: under 0.5 s.
- The pages of a tournament of 100,000 matches among 40 bots. Goal: each under 1 s.
- A site of some matches: time and bytes for each.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeVar

from arena.bots.catalog import make_bot
from arena.client.channel import Destination
from arena.client.spectator import list_matches
from arena.games.game import ranks_of
from arena.games.registry import get_game
from arena.games.shuffle import bot_seed
from arena.referee.fixture import plan_match
from arena.referee.follow import FollowedReplay
from arena.referee.match import play_match
from arena.referee.replay import Entrant, encode
from arena.storage.records import BotRecord, FixtureRecord, MatchReport, SeatTimes, StoredMatch
from arena.web.directory import DirectoryDocuments
from arena.web.replay import pack_document, replay_document
from arena.web.results import Matches, TournamentFacts, bot_document, tournament_document
from arena.web.site import write_site

ONE_GOAL, MANY_GOAL = 0.95, 0.9
DOCUMENT_GOAL_S = 0.5
PAGE_GOAL_S = 1.0
BOTS = ("greedy", "greedy", "random", "random")

ResultT = TypeVar("ResultT")


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tabs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each part")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--matches", type=int, default=100_000, help="of the large tournament")
    parser.add_argument("--site", type=int, default=100, help="matches of the site")
    args = parser.parse_args()
    met = [_measure_document(), _measure_pages(args.matches), _measure_site(args.site)]
    met.append(asyncio.run(_measure_tabs(args.tabs, args.seconds, args.repeats)))
    return 0 if all(met) else 1


# Documents.


def _replay(players: int, number: int = 1) -> bytes:
    game = get_game("byzanz")
    names = ("planner", "greedy", "random", "planner", "greedy", "random")[:players]
    master = bytes([number % 256]) * 32
    entrants = [Entrant(name, "1") for name in names]
    fixture = plan_match(game, master, str(number), number, entrants)
    bots = [make_bot(name, game, bot_seed(master, "1", n)) for n, name in enumerate(names)]
    return play_match(fixture, bots).replay.encode()


def _measure_document() -> bool:
    data = _replay(6)
    times = []
    packed = b""
    document = {}
    for _ in range(5):
        started = time.process_time()
        document = replay_document(FollowedReplay(data))
        packed = pack_document(document)
        times.append(time.process_time() - started)
    size = len(encode(document).encode())
    taken = median(times)
    print(
        f"a 6-player match as a document:            {1000 * taken:6.0f} ms of processor time, "
        f"{size / 1000:.0f} kB, {len(packed) / 1000:.0f} kB packed"
    )
    return taken < DOCUMENT_GOAL_S


def _measure_pages(count: int) -> bool:
    bots = [f"bot{number:02}" for number in range(40)]
    rng = Random(1)
    made = [_made_up(index, bots, rng) for index in range(count)]
    loading, matches = _timed(lambda: _add(bots, made))
    facts = TournamentFacts(
        name="large",
        title="large",
        game="byzanz",
        players=4,
        phase="complete",
        bots=[BotRecord(bot, "1") for bot in bots],
        played=count,
        scheduled=count,
    )
    print(f"{count:,} matches of 40 bots, taken in:      {loading:6.1f} s")
    pages: dict[str, Callable[[], object]] = {
        "tournament": lambda: encode(tournament_document(facts, matches)),
        "a page of matches": lambda: encode(matches.page(50, 100)),
        "bot": lambda: encode(bot_document(facts, matches, bots[7])),
        "a page of a bot's matches": lambda: encode(matches.bot_page(bots[7], 3)),
    }
    met = True
    for name, make in pages.items():
        taken, text = _timed(make)
        packed = len(gzip.compress(str(text).encode(), 5)) / 1000
        print(f"  {name + ':':<40} {1000 * taken:6.0f} ms, {packed:.0f} kB packed")
        met = met and taken < PAGE_GOAL_S
    return met


def _add(bots: list[str], made: list[StoredMatch]) -> Matches:
    matches = Matches(bots)
    matches.add(made)
    return matches


def _made_up(index: int, bots: list[str], rng: Random) -> StoredMatch:
    seats = tuple(rng.sample(bots, 4))
    scores = tuple(rng.randrange(60) for _ in seats)
    block = index // 4 + 1
    fixture = FixtureRecord(index, f"{block}-{index % 4 + 1}", block, block, 1, block, 0, seats)
    report = MatchReport(
        match=fixture.match,
        scores=scores,
        ranks=ranks_of(scores),
        forfeits=(None,) * 4,
        faults=(),
        times=(SeatTimes(40, 0.1, 0.01, 0.001),) * 4,
        moves=160,
        replay="",
    )
    return StoredMatch(fixture, report)


def _measure_site(count: int) -> bool:
    with tempfile.TemporaryDirectory() as scratch:
        replays = Path(scratch, "replays")
        replays.mkdir()
        for number in range(count):
            (replays / f"{number}.jsonl").write_bytes(_replay(4, number))
        documents = DirectoryDocuments([replays], host="site")
        taken, summary = _timed(lambda: write_site(documents, Path(scratch, "site")))
    print(
        f"a site of {count} matches:                     {taken:6.1f} s, "
        f"{summary.size / 1e6:.1f} MB; 1,000 matches: about {1000 * taken / count:.0f} s, "
        f"{1000 * summary.size / count / 1e6:.0f} MB"
    )
    return True


def _timed(call: Callable[[], ResultT]) -> tuple[float, ResultT]:
    """Return the seconds of processor time: what else runs on the machine does not matter."""
    started = time.process_time()
    result = call()
    return time.process_time() - started, result


# Tabs.


async def _measure_tabs(tabs: int, seconds: float, repeats: int) -> bool:
    """Measure moves a second with no tab, one and many, in turn, in one arena."""
    rates: dict[int, list[float]] = {0: [], 1: [], tabs: []}
    async with _arena() as (destination, address, log):
        for _ in range(repeats):
            for number, measured in rates.items():
                async with _tabs(address, number):
                    await asyncio.sleep(1)
                    measured.append(await _rate(destination, seconds))
        faults = _read(log).count("fault")
    none = median(rates[0])
    one, many = (median(rates[number]) / none for number in (1, tabs))
    print(f"moves a second with no tab:                {none:6.0f}")
    print(f"  with 1 tab:                              {one:6.2f} of that (goal {ONE_GOAL})")
    print(f"  with {tabs} tabs:                           {many:6.2f} of that (goal {MANY_GOAL})")
    print(f"  faults in all that time:                 {faults:6}")
    return one >= ONE_GOAL and many >= MANY_GOAL and not faults


async def _rate(destination: Destination, seconds: float) -> float:
    """Return the moves a second of casual matches, by how many have ended in between."""
    before, started = await _moves(destination), time.monotonic()
    await asyncio.sleep(seconds)
    after, taken = await _moves(destination), time.monotonic() - started
    ended = {match: moves for match, moves in after.items() if match not in before}
    ended |= {match: after[match] - moves for match, moves in before.items() if match in after}
    return sum(ended.values()) / taken


async def _moves(destination: Destination) -> dict[str, int]:
    return {match.match_id: match.moves for match in await list_matches(destination)}


@contextlib.asynccontextmanager
async def _arena() -> AsyncIterator[tuple[Destination, tuple[str, int], Path]]:
    """Run `arena serve --web` with bots that are processes and play all the time."""
    processes: list[asyncio.subprocess.Process] = []
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch, "log")
        with log.open("wb") as out:  # noqa: ASYNC230 - nothing else runs yet
            flags = ("--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--casual", "byzanz:4")
            processes.append(await _start(scratch, out.fileno(), "serve", *flags))
            listening = await _find(log, r"listening on (\S+)")
            web = await _find(log, r"http://([\d.]+:\d+)/")
            destination = Destination(listening)
            for number, bot in enumerate(BOTS):
                named = ("--server", listening, "--name", f"{bot}{number}")
                processes.append(await _start(scratch, out.fileno(), "bot", bot, *named))
            host, _, port = web.rpartition(":")
            try:
                while not await list_matches(destination):  # noqa: ASYNC110 - it is elsewhere
                    await asyncio.sleep(0.1)
                yield destination, (host, int(port)), log
            finally:
                for process in reversed(processes):
                    with contextlib.suppress(ProcessLookupError):
                        process.terminate()
                for process in processes:
                    await process.wait()


async def _start(where: str, out: int, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena", *arguments),
        cwd=where,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=out,
        stderr=out,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )


async def _find(log: Path, pattern: str) -> str:
    while (found := re.search(pattern, _read(log))) is None:  # noqa: ASYNC110 - likewise
        await asyncio.sleep(0.1)
    return found[1]


def _read(log: Path) -> str:
    return log.read_text(encoding="utf-8")


@contextlib.asynccontextmanager
async def _tabs(address: tuple[str, int], number: int) -> AsyncIterator[None]:
    """Keep so many tabs open, each with a stream of the home page, read as it comes."""
    tasks = [asyncio.create_task(_tab(address)) for _ in range(number)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _tab(address: tuple[str, int]) -> None:
    reader, writer = await asyncio.open_connection(*address)
    try:
        request = f"GET /api/live?follow=home HTTP/1.1\r\nHost: {address[0]}\r\n\r\n"
        writer.write(request.encode())
        while await reader.read(1 << 16):
            pass
    finally:
        writer.close()


if __name__ == "__main__":
    raise SystemExit(main())
