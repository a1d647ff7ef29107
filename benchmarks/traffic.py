"""A real arena with real bot processes, kept busy for a while.

    python -m benchmarks.traffic --game byzanz --matches 64 --seconds 3

Prints one JSON object: decisions, seconds, bytes a decision, batch size, the processor time of the
arena and of its bots, and with --latency the delays of both. Bots are an SDK's random example.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena.config.bot_spec import BotSpec
from arena.games.game import Move
from arena.games.registry import get_game
from arena.launch.launcher import Launcher
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions, PlayedMatch
from arena.referee.player import InlinePlayer, Player, Question
from arena.referee.replay import Entrant
from arena.server.app import Arena
from arena.server.loop import run_async
from arena.server.metrics import Metrics
from arena.server.outbox import Outbox
from arena.server.private import open_private
from arena.server.session import Session
from benchmarks.delays import middle_and_tail
from clients.conformance import sdks

WARM_UP_S = 0.5
SEATS = 4
RULES = Conditions(TimeControl(5.0, 60.0, 60.0), FaultPolicy())


class Delays(Metrics):
    """Keeps the delays of every decision.

    The arena's is from an answer read to the next question written, the bot's from there to its
    answer read. gRPC sends a message while it is handed over, and the write returns a turn of the
    event loop later: `handed` ends before the write. A part of the arena's delay may be the bot's
    too: `idle` is like `handed`, but counts only from when the bot had answered everything, so that
    it could have begun.
    """

    def __init__(self) -> None:
        super().__init__()
        self.arena: list[float] = []
        self.handed: list[float] = []
        self.idle: list[float] = []
        self.bot: list[float] = []
        self._idle_since: dict[Outbox, float] = {}
        self._could_begin: dict[Question, tuple[float, float]] = {}  # and when it was handed over

    def install(self) -> None:
        """Look into every outbox."""
        settle, take = Outbox.settle, Outbox.take

        def noted_settle(outbox: Outbox, question: Question) -> None:
            settle(outbox, question)
            if not outbox.open:
                self._idle_since[outbox] = question.match.clock.time()

        def noted_take(outbox: Outbox) -> Any:
            taken = take(outbox)
            for question in taken[1] if taken is not None else ():
                now = question.match.clock.time()
                self._could_begin[question] = self._idle_since.get(outbox, 0.0), now
            return taken

        setattr(Outbox, "settle", noted_settle)  # noqa: B010 - mypy forbids it otherwise
        setattr(Outbox, "take", noted_take)  # noqa: B010 - likewise

    def decided(self, question: Question, at: float) -> None:
        could_begin, handed = self._could_begin.pop(question)
        if question.sent_at is not None:
            self.arena.append(question.sent_at - question.asked_at)
            self.handed.append(handed - question.asked_at)
            self.idle.append(handed - max(question.asked_at, could_begin))
            self.bot.append(at - question.sent_at)

    def clear(self) -> None:
        for delays in (self.arena, self.handed, self.idle, self.bot):
            delays.clear()


class RandomChooser:
    """Chooses any move, in this process."""

    def __init__(self) -> None:
        self._random = random.Random(0)

    def decide(self, _observation: Any, legal_moves: Sequence[Move]) -> Move:
        return self._random.choice(legal_moves)


class Traffic:
    """Keeps so many matches running among the bots of a roster.

    Where they are more than `SEATS`, they take turns. Where they are fewer, the other seats are
    filled in this process: all matches then wait for the same bots, in batches of their number.
    """

    def __init__(self, arena: Arena, seats: list[Session], game: str) -> None:
        self.faults = 0
        self.ended = 0
        self._arena = arena
        self._seats: list[Session | Player] = [*seats]
        self._chooser = RandomChooser()
        self._game = get_game(game)
        self._started = 0
        self._running: set[str] = set()
        self._is_over = False

    def start(self, matches: int) -> None:
        self._is_over = False
        for _ in range(matches):
            self._begin()

    def pause(self) -> None:
        """End the running matches; `start` begins others."""
        self._is_over = True
        self._arena.hall.abort(set(self._running), "paused")

    async def stop(self) -> None:
        self._is_over = True
        await self._arena.hall.drain(0.0)

    def _begin(self) -> None:
        self._started += 1
        name, seats = str(self._started), self._seats
        shift = self._started % len(seats)
        order = (seats[shift:] + seats[:shift])[:SEATS]
        order += [InlinePlayer(self._chooser) for _ in range(SEATS - len(order))]
        master = b"benchmark".ljust(32)
        entrants = [Entrant(f"bot-{place}", "1") for place in range(len(order))]
        fixture = plan_match(self._game, master, name, self._started, entrants)
        self._running.add(name)
        playing = self._arena.hall.start(fixture, order, RULES)
        playing.add_done_callback(self._ended)

    def _ended(self, future: asyncio.Future[PlayedMatch]) -> None:
        played = future.result()
        self._running.discard(played.fixture.match)
        self.ended += 1
        self.faults += len(played.faults)
        if not self._is_over:
            self._begin()


class Counted:
    """Counts what goes over the wire; costs less than a microsecond a message."""

    def __init__(self) -> None:
        self.writes = self.decisions = self.sent = self.reads = self.received = 0

    def install(self) -> None:
        take, receive = Outbox.take, Session.receive

        def counted_take(outbox: Outbox) -> Any:
            taken = take(outbox)
            if taken is not None and taken[1]:
                self.writes += 1
                self.decisions += len(taken[1])
                self.sent += len(taken[0])
            return taken

        def counted_receive(session: Session, data: bytes, at: float) -> None:
            self.reads += 1
            self.received += len(data)
            receive(session, data, at)

        setattr(Outbox, "take", counted_take)  # noqa: B010 - mypy forbids it otherwise
        setattr(Session, "receive", counted_receive)  # noqa: B010 - likewise


def random_bots(number: int, sdk_name: str = "python") -> list[BotSpec]:
    """Return so many of an SDK's random example."""
    sdk = next(sdk for sdk in sdks.read_sdks() if sdk.name == sdk_name)
    command = tuple(sdks.resolve(sdk.programs["random_bot"]))
    return [
        BotSpec(name=f"random-{index}", command=command, dir=sdk.directory)
        for index in range(number)
    ]


def processor_time() -> float:
    """Return the processor seconds that all processes below this one have used so far."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below = {os.getpid()}
    while found := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= found
    return sum(used[pid] for pid in below if pid != os.getpid())


async def with_arena(
    specs: list[BotSpec],
    game: str,
    play: Callable[[Arena, list[Session]], Any],
    metrics: Metrics | None = None,
) -> None:
    """Open an arena on a private socket, start the bots, and play."""
    async with (
        Launcher() as launcher,
        open_private(launcher, [game], metrics=metrics) as private,
    ):
        names = [spec.name for spec in specs]
        seats = await private.roster(specs).ready_all(names, game, 60.0)
        sessions = [seat for seat in seats if isinstance(seat, Session)]
        if len(sessions) != len(specs):
            raise RuntimeError(f"not all bots are ready: {seats}")
        await play(private.arena, sessions)


async def _measure(args: argparse.Namespace) -> None:
    metrics = Delays() if args.latency else None
    counted = Counted()
    if metrics is None:
        counted.install()
    else:
        metrics.install()

    async def play(arena: Arena, seats: list[Session]) -> None:
        traffic = Traffic(arena, seats, args.game)
        traffic.start(args.matches)
        await asyncio.sleep(WARM_UP_S)
        before = vars(counted).copy()
        started, cpu, bots_cpu = time.perf_counter(), time.process_time(), processor_time()
        if metrics is not None:
            metrics.clear()
        await asyncio.sleep(args.seconds)
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        bots_cpu = processor_time() - bots_cpu
        delta = {key: value - before[key] for key, value in vars(counted).items()}
        report: dict[str, Any] = {"seconds": seconds, "faults": traffic.faults}
        if metrics is not None:
            report["decisions"] = len(metrics.arena)
            report["p50_us"], report["p99_us"] = middle_and_tail(metrics.arena)
            report["handed_p50_us"], report["handed_p99_us"] = middle_and_tail(metrics.handed)
            report["idle_p50_us"], report["idle_p99_us"] = middle_and_tail(metrics.idle)
            report["bot_p50_us"], report["bot_p99_us"] = middle_and_tail(metrics.bot)
        else:
            decisions = delta["decisions"]
            report["decisions"] = decisions
            report["question_bytes"] = delta["sent"] / decisions
            report["answer_bytes"] = delta["received"] / decisions
            report["batch"] = decisions / delta["writes"]
            report["arena_cpu_us"] = 1e6 * cpu / decisions
            report["bots_cpu_us"] = 1e6 * bots_cpu / decisions
        await traffic.stop()
        print(json.dumps(report))

    await with_arena(random_bots(args.bots, args.sdk), args.game, play, metrics)


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="byzanz")
    parser.add_argument("--matches", type=int, default=64, help="at once")
    parser.add_argument("--bots", type=int, default=SEATS, help="processes; the rest sit here")
    parser.add_argument("--sdk", default="python", help="whose random example plays")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--latency", action="store_true")
    run_async(_measure(parser.parse_args()))


if __name__ == "__main__":
    main()
