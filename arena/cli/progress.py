"""How matches go on and how they ended, for people and for machines."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from arena.cli.terminal import LiveLine, Style
from arena.counted import counted
from arena.inert import inert
from arena.rating.tally import Tally
from arena.referee.faults import Fault, SeatFault, ended_by
from arena.referee.fixture import Fixture
from arena.referee.match import PlayedMatch

_EVERY_S = 0.1
_DETAIL = 200
_NAME_WIDTH = 20


class Progress:
    """A line on the terminal that follows the running matches; faults as they happen."""

    def __init__(self, matches: int, *, is_shown: bool) -> None:
        """Say something only if asked to; the moving line only on a terminal."""
        self._matches = matches
        self._is_shown = is_shown
        self._line = LiveLine(is_shown=is_shown)
        self._moves: dict[str, int] = {}
        self._done = 0
        self._shown_at = 0.0
        self._faults: Counter[tuple[str, Fault]] = Counter()
        self._fault_lines = FaultLines()

    def moved(self, match_id: str) -> None:
        """Follow a move."""
        if not self._line.is_live:
            return
        self._moves[match_id] = self._moves.get(match_id, 0) + 1
        now = time.monotonic()
        if now - self._shown_at > _EVERY_S:
            self._shown_at = now
            running = ", ".join(f"{name}: {moves}" for name, moves in self._moves.items())
            done = f"{self._done}/{counted(self._matches, 'match', 'es')}"
            self._line.show(f"{done} played; moves in match {running}")

    def fault(self, fixture: Fixture, fault: SeatFault) -> None:
        """Tell a fault, or count it."""
        if self._is_shown:
            bot = fixture.seats[fault.seat].bot
            self._faults[bot, fault.fault] += 1
            self._print(self._fault_lines.add(fixture.match, bot, f"{bot}[{fault.seat}]", fault))

    def close(self) -> None:
        """Print how often faults were repeated."""
        self._print(self._fault_lines.repeated(self._faults))

    def _print(self, lines: Iterator[str]) -> None:
        for line in lines:
            self._line.show("")
            print(line, file=sys.stderr, flush=True)

    def ended(self, match_id: str) -> None:
        """Follow the end of a match."""
        self._done += 1
        self._moves.pop(match_id, None)
        self._line.show("")


class FaultLines:
    """Faults as they happen: the first of each bot and kind with its reason, later ones as a count.

    A bot that always fails must not flood the terminal.
    """

    def __init__(self, detail: int = _DETAIL) -> None:
        """Print up to so many characters of a reason."""
        self._detail = detail
        self._printed: set[tuple[str, Fault, bool]] = set()
        self._repeated: dict[str, str] = {}  # what was last said of a bot with repeated faults

    def add(self, match: str, bot: str, who: str, fault: SeatFault) -> Iterator[str]:
        """Yield what is to be printed about a fault, if anything; `who` is how to name the bot."""
        kind = (bot, fault.fault, fault.forfeited)  # what costs the match is always news
        if kind not in self._printed:
            self._printed.add(kind)
            yield describe_fault(match, who, fault, self._detail)
            return
        if not self._repeated:
            yield "arena counts further faults of the same kind but does not print them"
        self._repeated.setdefault(bot, "")

    def repeated(self, counts: Mapping[tuple[str, Fault], int]) -> Iterator[str]:
        """Yield one line for each bot with repeated faults, unless it says nothing new."""
        for bot in self._repeated:
            kinds = [f"{n} {fault.value}" for (name, fault), n in counts.items() if name == bot]
            line = f"faults of {inert(bot)}: {', '.join(kinds)}"
            if kinds and line != self._repeated[bot]:
                self._repeated[bot] = line
                yield line


def describe_fault(match: str, who: str, fault: SeatFault, most: int = _DETAIL) -> str:
    """Return one line about a fault, with up to so many characters of its detail."""
    cost = "; the seat forfeits" if fault.forfeited else ""
    # Below the first line stands what a build has printed.
    said = fault.detail.partition("\n")[0] if fault.fault is Fault.NO_START else fault.detail
    detail = f": {inert(said[:most])}" if said else ""
    return f"match {match}, move {fault.move}, {inert(who)}: {fault.fault.value}{detail}{cost}"


def describe_absence(bot: str, reasons: Sequence[str], matches: int) -> str:
    """Return which bot did not start in some of the matches, and why at first.

    That is one line, with what its build has printed on lines below.
    """
    often = f" in {len(reasons)} of {matches} matches" if matches > 1 else ""
    reason, *printed = reasons[0].splitlines() or [""]
    lines = [f"arena: {bot} did not start{often}: {reason}", *(f"  | {line}" for line in printed)]
    return "\n".join(map(inert, lines))


def describe_match(played: PlayedMatch, heading: Style) -> str:
    """Return a table: rank, score, time used and faults of each bot."""
    fixture = played.fixture
    lines = [f"match {fixture.match}: {counted(played.moves, 'move')}"]
    outcome = played.outcome
    if outcome is None:
        return f"match {fixture.match}: void: {played.void_reason}"
    names = [f"{inert(entry.bot)}[{seat}]" for seat, entry in enumerate(fixture.seats)]
    width = max(_NAME_WIDTH, *map(len, names))
    lines.append(heading(f"rank  score  {'bot':<{width}}  decisions  ms/decision  slowest  faults"))
    for seat in sorted(range(len(names)), key=lambda seat: outcome.ranks[seat]):
        clock = played.clocks[seat]
        faults = sum(fault.seat == seat for fault in played.faults)
        average = 1000 * clock.used_s / clock.decisions if clock.decisions else 0.0
        forfeit = played.forfeits[seat]
        ended = f"  {ended_by(forfeit)}" if forfeit else ""
        lines.append(
            f"{outcome.ranks[seat]:>4}  {outcome.scores[seat]:>5}  {names[seat]:<{width}}  "
            f"{clock.decisions:>9}  {average:>11.2f}  {1000 * clock.slowest_s:>5.0f}ms  "
            f"{faults:>6}{ended}"
        )
    return "\n".join(lines)


class Standings:
    """How the bots have done over several matches."""

    def __init__(self) -> None:
        """Start without a match."""
        self._tally = Tally()
        self._faults: Counter[str] = Counter()

    def add(self, played: PlayedMatch) -> None:
        """Count a match that was played to its end."""
        assert played.outcome is not None
        bots = [entry.bot for entry in played.fixture.seats]
        self._tally.add(bots, played.outcome.ranks, played.outcome.scores)
        self._faults.update(bots[fault.seat] for fault in played.faults)

    def describe(self, heading: Style) -> str:
        """Return a table, the best mean rank first."""
        lines = [
            f"all {self._tally.matches} matches",
            heading("mean rank  mean score  wins  faults  bot"),
        ]
        lines += [
            f"{bot.mean_rank:>9.2f}  {bot.mean_score:>10.1f}  {bot.wins:>4}  "
            f"{self._faults[bot.name]:>6}  {inert(bot.name)}"
            for bot in sorted(self._tally.bots.values(), key=lambda bot: (bot.mean_rank, bot.name))
        ]
        return "\n".join(lines)


def match_to_json(played: PlayedMatch, seed: str) -> dict[str, object]:
    """Return everything about a match but its moves."""
    fixture = played.fixture
    return {
        "match": fixture.match,
        "game": fixture.game.name,
        "options": dict(fixture.game.options),
        "seed": seed,
        "seats": [{"bot": entry.bot, "version": entry.version} for entry in fixture.seats],
        "scores": played.outcome.scores if played.outcome else None,
        "ranks": played.outcome.ranks if played.outcome else None,
        "ended": played.ended,
        "void": played.void_reason,
        "moves": played.moves,
        "faults": [fault.to_json() for fault in played.faults],
        "time": [
            {
                "decisions": clock.decisions,
                "used_s": round(clock.used_s, 6),
                "slowest_s": round(clock.slowest_s, 6),
                "bank_s": round(clock.bank_s, 6),
                "arena_delay_s": round(clock.delay_s, 6),
            }
            for clock in played.clocks
        ],
    }
