"""How a tournament goes on, for people: a live view on a terminal, plain lines elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from arena.cli.progress import FaultLines
from arena.cli.terminal import is_coloured, styles
from arena.counted import counted
from arena.inert import cut, inert
from arena.rating.leaderboard import Leaderboard
from arena.rating.models import Rating
from arena.rating.ratings import Rater
from arena.rating.tally import Tally
from arena.referee.faults import Fault, SeatFault
from arena.results.archive import LEADERBOARD_FILE
from arena.results.export import PAGE_FILE
from arena.results.formats import leaderboard_text
from arena.storage.records import FixtureRecord, MatchReport, StoredMatch
from arena.storage.store import MAX_VOID
from arena.tournament.watcher import Watcher

_LIVE_EVERY_S = 0.2
_PLAIN_EVERY_S = 10.0
_RATE_OVER_S = 30.0
_DETAIL = 160
_MOST_ROWS = 16
_RATED_AT_ONCE = 1_000  # matches; so that a look at the standings never takes long
_BAR = 24
_PLAIN_WIDTH = 100  # of a leaderboard that goes to a file


class TournamentView(Watcher):
    """Shows progress with rate and time left, standings, and faults as they happen.

    Await `follow` in a task of its own. Everything goes to stderr, so that the leaderboard on
    stdout can be piped.
    """

    def __init__(self, *, is_shown: bool, stream: TextIO | None = None) -> None:
        """Show nothing unless asked; draw anew in place only on a terminal."""
        self._stream = stream or sys.stderr
        self._is_shown = is_shown
        self.is_live = is_shown and self._stream.isatty()
        self._done = self._total = 0
        self._times: deque[tuple[float, int]] = deque()
        self._faults: Counter[tuple[str, Fault]] = Counter()  # of stored matches
        self._running_faults: dict[str, Counter[tuple[str, Fault]]] = {}  # of others, by match
        self._fault_lines = FaultLines(_DETAIL)
        self._rater = Rater()  # for one thread at a time, beside the loop
        self._ratings: Mapping[str, Rating] = {}
        self._unrated: deque[StoredMatch] = deque()
        self._counted: set[int] = set()  # by index: what is recalled may have been told too
        self._tally = Tally()
        self._drawn = 0  # lines on the terminal that belong to the view
        self._note = ""

    # What the tournament tells.

    def begun(self, done: int, total: int) -> None:
        """Play begins."""
        self._done = done
        self._total = total
        self._times.append((time.monotonic(), done))

    def recall(self, matches: Sequence[StoredMatch]) -> None:
        """Take in what was played before, for the standings."""
        for match in matches:
            self._count(match)

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """A match has been played."""
        self._done += 1
        self._note = ""
        if self._is_shown:
            self._count(StoredMatch(fixture, report))

    def fault(self, fixture: FixtureRecord, fault: SeatFault) -> None:
        """A seat has misbehaved."""
        if not self._is_shown or fixture.index in self._counted:
            return  # a match that was lost with a worker is played again, and tells them again
        bot = fixture.bots[fault.seat]
        running = self._running_faults.setdefault(fixture.match, Counter())
        running[bot, fault.fault] += 1
        for line in self._fault_lines.add(fixture.match, bot, bot, fault):
            self.tell(line)

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """A match could not be finished."""
        self._running_faults.pop(fixture.match, None)  # they count for nobody
        self.tell(
            f"match {fixture.match} is void: {inert(reason)}; arena tries it {MAX_VOID} times"
        )

    def waiting(self, matches: int) -> None:
        """Only other arenas still play."""
        self._note = f"waiting for {counted(matches, 'match', 'es')} that other arenas play"

    def tell(self, text: str) -> None:
        """Print a line that stays."""
        if self._is_shown:
            self._erase()
            print(text, file=self._stream, flush=True)
            self._draw()

    # Showing it.

    async def follow(self) -> None:
        """Show how things stand from time to time, until it is cancelled."""
        while self._is_shown:
            await asyncio.sleep(_LIVE_EVERY_S if self.is_live else _PLAIN_EVERY_S)
            if self._total:
                # Beside the loop, which must not keep bots waiting.
                self._ratings = await asyncio.to_thread(self._rate)
                self._show()

    def _show(self) -> None:
        self._note_rate(time.monotonic())
        if self.is_live:
            self._erase()
            self._draw()
        else:
            best = [f"{place}. {inert(bot)}" for place, bot in enumerate(self._order()[:3], 1)]
            lines = [
                "; ".join([self._headline(), *best]),
                *self._fault_lines.repeated(self._counts()),
            ]
            print("\n".join(lines), file=self._stream, flush=True)

    def close(self) -> None:
        """Take the view off the terminal; lines may still be told."""
        self._erase()
        self.is_live = False
        for line in self._fault_lines.repeated(self._counts()):
            self.tell(line)

    def _count(self, match: StoredMatch) -> None:
        if match.fixture.index in self._counted:
            return
        self._counted.add(match.fixture.index)
        self._unrated.append(match)
        self._tally.add(match.fixture.bots, match.report.ranks, match.report.scores)
        self._running_faults.pop(match.fixture.match, None)
        self._faults.update((match.fixture.bots[f.seat], f.fault) for f in match.report.faults)

    def _counts(self) -> Counter[tuple[str, Fault]]:
        """Return all faults so far, those of earlier runs included."""
        return sum(self._running_faults.values(), self._faults)

    def _note_rate(self, now: float) -> None:
        self._times.append((now, self._done))
        while len(self._times) > 2 and now - self._times[0][0] > _RATE_OVER_S:
            self._times.popleft()

    def _rate(self) -> Mapping[str, Rating]:
        count = min(len(self._unrated), _RATED_AT_ONCE)
        self._rater.add([self._unrated.popleft() for _ in range(count)])
        return self._rater.ratings()

    def _headline(self) -> str:
        (start, before), (now, done) = self._times[0], self._times[-1]
        rate = (done - before) / (now - start) if now > start else 0.0
        text = f"{self._done:,}/{counted(self._total, 'match', 'es')}"
        if rate > 0:
            left = (self._total - self._done) / rate
            text += f", {rate:.3g}/s, {_duration(left)} left"
        faults = self._counts().total()
        if faults:
            text += f", {counted(faults, 'fault')}"
        return f"{text}; {self._note}" if self._note else text

    def _order(self) -> list[str]:
        """Return the bots by mean rank, as the leaderboard does with a balanced schedule."""
        tally = self._tally.bots
        return sorted(self._ratings, key=lambda bot: (tally[bot].mean_rank, bot))

    def _draw(self) -> None:
        if not self.is_live or not self._total:
            return
        size = shutil.get_terminal_size()
        lines = [f"{_bar(self._done, self._total)} {self._headline()}"]
        rows = max(0, min(_MOST_ROWS, size.lines - 4))
        lines += self._table(rows) if self._ratings else []
        shown = [cut(line, size.columns - 1) for line in lines]
        print("\n".join(shown), file=self._stream, flush=True)
        self._drawn = len(shown)

    def _table(self, rows: int) -> list[str]:
        bots = self._order()
        faults: Counter[str] = Counter()
        for (bot, _), count in self._counts().items():
            faults[bot] += count
        lines = [f"{'':>3} {'rating':>7} {'mean rank':>9} {'matches':>7} {'faults':>6}  bot"]
        for place, bot in enumerate(bots[:rows], 1):
            sums = self._tally.bots[bot]
            lines.append(
                f"{place:>3} {self._ratings[bot].rating:>7.2f} {sums.mean_rank:>9.2f} "
                f"{sums.matches:>7} {faults[bot]:>6}  {inert(bot)}"
            )
        if len(bots) > rows:
            lines.append(f"    … and {len(bots) - rows} more")
        return lines

    def _erase(self) -> None:
        if self._drawn:
            print(f"\x1b[{self._drawn}F\x1b[J", end="", file=self._stream, flush=True)
            self._drawn = 0


def print_leaderboard(args: argparse.Namespace, board: Leaderboard, directory: Path) -> None:
    """Print a leaderboard as `--json`, `--quiet` and `--color` say, its seed and its page.

    The seed is in it only when the tournament is complete.
    """
    if args.json:
        print((directory / LEADERBOARD_FILE).read_text(encoding="utf-8"), end="", flush=True)
        return
    heading, aside = styles(is_coloured(args.color))
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PLAIN_WIDTH
    print(leaderboard_text(board, width, heading, aside), end="", flush=True)
    if not args.quiet:
        if board.is_complete:
            print(f"seed: {inert(board.seed)}")
        print(f"page: {directory / PAGE_FILE}", flush=True)


def _bar(done: int, total: int) -> str:
    filled = _BAR * done // max(1, total)
    return f"[{'#' * filled}{'-' * (_BAR - filled)}]"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"
