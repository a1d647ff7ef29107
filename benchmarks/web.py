"""Pages beside an arena: what viewers cost, and how fast documents are.

- Decisions of an arena that plays a tournament among bots that are processes, with no tab, with 1
  and with 200 tabs that follow its standings and running matches: every second one the public match
  of slow bots, the others, with an organiser's token, matches of the tournament. Interleaved, as
  ratios: by the clock, and by the processor time of arena, bots and gateway for a decision, which
  what else runs on the machine does not disturb. Goals, by the latter: 0.95 and 0.9.
- Beside them, bots that use 90 % of their move time without a bank. Goal: no timeout.
- The document of a 6-player match: time and bytes. Goal: under 0.5 s.
- The pages of a tournament of 100,000 matches among 40 bots. Goal: each under 1 s.
- A site of some matches: time and bytes for each.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeVar

from arena.bots.catalog import make_bot
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
from arena.web.results import ShownMatches, TournamentFacts, bot_document, tournament_document
from arena.web.site import write_site
from benchmarks.tabs import measure_tabs

DOCUMENT_GOAL_S = 0.5
PAGE_GOAL_S = 1.0

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
    met.append(asyncio.run(measure_tabs(args.tabs, args.seconds, args.repeats)))
    return 0 if all(met) else 1


# Documents.


def make_replay(players: int, number: int = 1) -> bytes:
    """Return a replay of Byzanz, another one for each number."""
    game = get_game("byzanz")
    names = ("planner", "greedy", "random", "planner", "greedy", "random")[:players]
    master = bytes([number % 256]) * 32
    entrants = [Entrant(name, "1") for name in names]
    fixture = plan_match(game, master, str(number), number, entrants)
    bots = [make_bot(name, game, bot_seed(master, "1", n)) for n, name in enumerate(names)]
    return play_match(fixture, bots).replay.encode()


def _measure_document() -> bool:
    data = make_replay(6)
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


def _add(bots: list[str], made: list[StoredMatch]) -> ShownMatches:
    matches = ShownMatches(bots)
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
            (replays / f"{number}.jsonl").write_bytes(make_replay(4, number))
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


if __name__ == "__main__":
    raise SystemExit(main())
