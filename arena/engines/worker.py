"""A worker: a process that hosts an engine of its own and does what the arena asks over a pipe.

`python -m arena.engines.worker_program` reads orders from its standard input and writes answers to
its standard output (see worker_messages.py). It ends with all its bots when its input ends, however
the arena ended, or at SIGTERM. Ctrl-C is for the arena to judge: here it does nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import BinaryIO

import arena
from arena.config.tournament import read_config
from arena.engines.inline import InlineEngine
from arena.engines.worker_messages import (
    CLOSE_S,
    READ_BYTES,
    Abort,
    Answer,
    Failed,
    Faulted,
    MatchPlayed,
    Open,
    Opened,
    Order,
    PlayMatch,
    Preflight,
    Preflown,
    ReleaseMatches,
    Voided,
    decode,
    encode,
    frame,
    read_frame,
)
from arena.errors import ArenaError, InputError
from arena.loading import load
from arena.referee.faults import SeatFault
from arena.server.loop import run_async
from arena.storage.records import FixtureRecord
from arena.tournament.engine import Engine, Entered, Refused, Void


class Worker:
    """The engine of this process and its pipe to the arena."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._running: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Open the engine, do what is asked until the input ends, and close it again."""
        order = await self._next()
        if not isinstance(order, Open):
            return
        async with contextlib.AsyncExitStack() as stack:
            try:
                engine = _make_engine(order)
                await stack.enter_async_context(engine)
            except ArenaError as error:
                self._send(Failed(str(error), isinstance(error, InputError)))
                return
            self._send(Opened(arena.__version__))
            await self._serve(engine)
            # Whatever cannot be closed in time dies here, and the keeper ends the bots.
            signal.setitimer(signal.ITIMER_REAL, CLOSE_S[order.engine])

    def end(self) -> None:
        """Behave as if the input had ended."""
        self._reader.feed_eof()

    async def _serve(self, engine: Engine) -> None:
        async with asyncio.TaskGroup() as group:  # what is wrong with the arena itself ends it
            while (order := await self._next()) is not None:
                match order:
                    case PlayMatch():
                        self._begin(group.create_task(self._play(engine, order)))
                    case Preflight():
                        self._begin(group.create_task(self._preflight(engine, order)))
                    case ReleaseMatches():
                        engine.release(order.matches)
                    case Abort():
                        engine.abort()
            engine.abort()
            for task in self._running:
                task.cancel()

    def _begin(self, task: asyncio.Task[None]) -> None:
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _play(self, engine: Engine, order: PlayMatch) -> None:
        def tell(_fixture: FixtureRecord, fault: SeatFault) -> None:
            self._send(Faulted(order.call, fault))

        report = await engine.play(order.fixture, order.versions, tell)
        if isinstance(report, Void):
            self._send(Voided(order.call, report.reason))
        else:
            self._send(MatchPlayed(order.call, report))
        with contextlib.suppress(ConnectionError):  # the input ends as well
            await self._writer.drain()  # while the arena does not read, this match is not over

    async def _preflight(self, engine: Engine, order: Preflight) -> None:
        verdicts = await engine.preflight()
        entered = {
            name: verdict.version
            for name, verdict in verdicts.items()
            if isinstance(verdict, Entered)
        }
        refused = {
            name: verdict.reason
            for name, verdict in verdicts.items()
            if isinstance(verdict, Refused)
        }
        self._send(Preflown(order.call, entered, refused))

    async def _next(self) -> Order | Answer | None:
        text = await read_frame(self._reader)
        return None if text is None else decode(text)

    def _send(self, answer: Answer) -> None:
        self._writer.write(frame(encode(answer)))


def _make_engine(order: Open) -> Engine:
    config = read_config(order.config, "the tournament", Path(order.base))
    if order.engine == "inline":
        return InlineEngine(config)
    load("arena.engines.hosted")  # with gRPC it takes longest, and the engine inline has none
    from arena.engines.hosted import HostedEngine  # noqa: PLC0415
    from arena.server.dial_in import DialIn  # noqa: PLC0415
    from arena.server.gallery import Gallery  # noqa: PLC0415

    logs = Path(order.logs) if order.logs is not None else None
    gallery = None
    if order.gallery is not None:
        gallery = Gallery(Path(order.gallery), order.organiser, order.number)
    hidden = tuple(map(Path, order.hidden))
    return HostedEngine(config, logs, DialIn(gallery=gallery), hidden=hidden)


async def _run(source: BinaryIO, sink: BinaryIO) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(READ_BYTES)
    reading, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
    flow = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    writing, _ = await loop.connect_write_pipe(lambda: flow, sink)
    writer = asyncio.StreamWriter(writing, flow, None, loop)
    worker = Worker(reader, writer)
    # Handlers, not SIG_IGN, which bots would inherit.
    loop.add_signal_handler(signal.SIGINT, lambda: None)
    loop.add_signal_handler(signal.SIGTERM, worker.end)
    try:
        await worker.run()
    finally:
        with contextlib.suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()
        reading.close()


def _take(number: int, instead: int) -> int:
    """Return a standard stream under another number; what uses it by mistake gets another."""
    taken = os.dup(number)
    os.dup2(instead, number)
    return taken


def main() -> None:
    """Serve the arena at the other end of the standard streams."""
    with Path(os.devnull).open("rb") as nothing:
        source = _take(0, nothing.fileno())
    sink = _take(1, 2)
    with os.fdopen(source, "rb", 0) as orders, os.fdopen(sink, "wb", 0) as answers:
        run_async(_run(orders, answers))
