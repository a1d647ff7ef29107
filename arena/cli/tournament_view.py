"""How a tournament goes on, for people: a live view on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from typing import TextIO

from arena.cli.inert import inert
from arena.storage.records import FaultRecord, FixtureRecord, MatchReport, StoredMatch
from arena.tournament.inert import cut
from arena.tournament.rating import Rater

_LIVE_EVERY_S = 0.2
_PLAIN_EVERY_S = 10.0
_RATE_OVER_S = 30.0
_DETAIL = 160
_MOST_ROWS = 16
_MOST_FAULTS_TOLD = 50  # a bot that fails always must not flood the terminal
_RATED_AT_ONCE = 400  # matches; so that a look at the standings never takes long
_BAR = 24


class TournamentView:
    """Shows progress with rate and time left, standings, and faults as they happen.

    Call `refresh` several times a second. Everything goes to stderr, so that the leaderboard on
    stdout can be piped.
    """

    def __init__(
        self, bots: Sequence[str], *, is_shown: bool, stream: TextIO | None = None
    ) -> None:
        """Show nothing unless asked; draw anew in place only on a terminal."""
        self._stream = stream or sys.stderr
        self._bots = tuple(bots)
        self._is_shown = is_shown
        self.is_live = is_shown and self._stream.isatty()
        self._done = self._total = self._begun_with = 0
        self._times: deque[tuple[float, int]] = deque()
        self._faults: Counter[str] = Counter()
        self._rater = Rater()
        self._unrated: deque[StoredMatch] = deque()
        self._ranks: dict[str, list[int]] = {}
        self._drawn = 0  # lines on the terminal that belong to the view
        self._shown_at = 0.0
        self._note = ""

    # What the tournament tells.

    def begun(self, done: int, total: int) -> None:
        """Play begins."""
        self._done = self._begun_with = done
        self._total = total
        self._times.append((time.monotonic(), done))
        self._shown_at = time.monotonic()

    def recall(self, matches: Sequence[StoredMatch]) -> None:
        """Take in what was played before, for the standings."""
        self._unrated.extendleft(reversed(matches))
        for match in matches:
            self._count(match.fixture, match.report)

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """A match has been played."""
        self._done += 1
        self._note = ""
        self._unrated.append(StoredMatch(fixture, report))
        self._count(fixture, report)

    def fault(self, fixture: FixtureRecord, fault: FaultRecord) -> None:
        """A seat has misbehaved."""
        bot = fixture.bots[fault.seat]
        self._faults[bot] += 1
        told = sum(self._faults.values())
        if told <= _MOST_FAULTS_TOLD:
            cost = "; the seat forfeits" if fault.forfeited else ""
            detail = f": {inert(fault.detail[:_DETAIL])}" if fault.detail else ""
            self.tell(
                f"match {fixture.match}, move {fault.move}, {inert(bot)}: "
                f"{fault.fault}{detail}{cost}"
            )
        if told == _MOST_FAULTS_TOLD:
            self.tell("further faults are counted, not told; `arena show DIR --bot NAME` has all")

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """A match could not be finished."""
        self.tell(f"match {fixture.match} is void and will be played again: {inert(reason)}")

    def waiting(self, matches: int) -> None:
        """Only other arenas still play."""
        self._note = f"waiting for {matches} matches that other arenas play"

    def tell(self, text: str) -> None:
        """Print a line that stays."""
        if self._is_shown:
            self._erase()
            print(text, file=self._stream, flush=True)
            self._draw(force=True)

    # Showing it.

    def refresh(self) -> None:
        """Show how things stand, if it is time."""
        now = time.monotonic()
        every = _LIVE_EVERY_S if self.is_live else _PLAIN_EVERY_S
        if not self._is_shown or now - self._shown_at < every or not self._total:
            return
        self._shown_at = now
        self._note_rate(now)
        self._rate()
        if self.is_live:
            self._erase()
            self._draw(force=True)
        else:
            best = ", ".join(f"{place}. {name}" for place, name in enumerate(self._order()[:3], 1))
            print(f"{self._headline()}; {best}", file=self._stream, flush=True)

    def close(self) -> None:
        """Take the view off the terminal."""
        self._erase()

    def _count(self, fixture: FixtureRecord, report: MatchReport) -> None:
        for bot, rank in zip(fixture.bots, report.ranks, strict=True):
            self._ranks.setdefault(bot, []).append(rank)

    def _note_rate(self, now: float) -> None:
        self._times.append((now, self._done))
        while len(self._times) > 2 and now - self._times[0][0] > _RATE_OVER_S:
            self._times.popleft()

    def _rate(self) -> None:
        count = min(len(self._unrated), _RATED_AT_ONCE)
        self._rater.add([self._unrated.popleft() for _ in range(count)])

    def _headline(self) -> str:
        (start, before), (now, done) = self._times[0], self._times[-1]
        rate = (done - before) / (now - start) if now > start else 0.0
        text = f"{self._done}/{self._total} matches"
        if rate > 0:
            left = (self._total - self._done) / rate
            text += f", {rate:.3g}/s, {_duration(left)} left"
        faults = sum(self._faults.values())
        if faults:
            text += f", {faults} fault{'s' if faults > 1 else ''}"
        return f"{text}; {self._note}" if self._note else text

    def _order(self) -> list[str]:
        ratings = self._rater.ratings()
        played = [bot for bot in self._bots if bot in ratings]
        return [inert(bot) for bot in sorted(played, key=lambda bot: (-ratings[bot].rating, bot))]

    def _draw(self, *, force: bool) -> None:
        if not self.is_live or not force or not self._total:
            return
        size = shutil.get_terminal_size()
        lines = [f"{_bar(self._done, self._total)} {self._headline()}"]
        rows = max(0, min(_MOST_ROWS, size.lines - 4))
        lines += self._table(rows) if self._ranks else []
        shown = [cut(line, size.columns - 1) for line in lines]
        print("\n".join(shown), file=self._stream, flush=True)
        self._drawn = len(shown)

    def _table(self, rows: int) -> list[str]:
        ratings = self._rater.ratings()
        bots = sorted(ratings, key=lambda bot: (-ratings[bot].rating, bot))
        lines = [f"{'':>3} {'rating':>7} {'mean rank':>9} {'matches':>7} {'faults':>6}  bot"]
        for place, bot in enumerate(bots[:rows], 1):
            ranks = self._ranks.get(bot, [])
            mean = f"{sum(ranks) / len(ranks):.2f}" if ranks else "–"
            lines.append(
                f"{place:>3} {ratings[bot].rating:>7.2f} {mean:>9} {len(ranks):>7} "
                f"{self._faults[bot]:>6}  {inert(bot)}"
            )
        if len(bots) > rows:
            lines.append(f"    … and {len(bots) - rows} more")
        return lines

    def _erase(self) -> None:
        if self._drawn:
            print(f"\x1b[{self._drawn}F\x1b[J", end="", file=self._stream, flush=True)
            self._drawn = 0


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
