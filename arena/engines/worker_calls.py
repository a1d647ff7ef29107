"""A worker as the arena sees it: calls that are answered, unless the worker is lost."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import arena
from arena.engines.worker_messages import (
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
)
from arena.engines.worker_process import Link
from arena.errors import InputError, LaunchError
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void


@dataclass(frozen=True, slots=True)
class Lost:
    """The worker is gone and has left the call unanswered."""

    reason: str


_Reply: TypeAlias = Answer | Lost


class RemoteWorker:
    """One worker over its link. `open` it first and `close` it at the end."""

    def __init__(self, number: int, link: Link, on_lost: Callable[[], None]) -> None:
        """Prepare; `on_lost` is called once if the worker is lost after it was opened."""
        self.number = number
        self.link = link
        self.running = 0  # matches
        self.lost: Lost | None = None
        self._on_lost = on_lost
        self._numbers = itertools.count(1)
        self._calls: dict[int, asyncio.Future[_Reply]] = {}
        self._faults: dict[int, tuple[FixtureRecord, OnFault]] = {}
        self._listening: asyncio.Task[None] | None = None

    async def open(self, order: Open) -> None:
        """Have the worker open its engine.

        Raises InputError or LaunchError with what the worker says, LaunchError if it is lost.
        """
        self._send(order)
        text = await self.link.receive()
        if text is None:
            raise LaunchError(f"worker {self.number} was not ready when it {self.link.ending}")
        answer = decode(text)
        if isinstance(answer, Failed):
            raise (InputError if answer.is_input else LaunchError)(answer.reason)
        assert isinstance(answer, Opened)
        if answer.version != arena.__version__:
            raise InputError(
                f"worker {self.number} has version {answer.version} of arena installed, "
                f"this is {arena.__version__}: install the same everywhere"
            )
        self._listening = asyncio.ensure_future(self._listen())

    async def close(self) -> None:
        """End the worker; calls that wait are lost."""
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        self._lose("was closed")
        await self.link.close()

    async def preflight(self) -> Mapping[str, Verdict] | Lost:
        """Have the worker start every bot once."""
        call = next(self._numbers)
        answer = await self._ask(call, Preflight(call))
        if isinstance(answer, Lost):
            return answer
        assert isinstance(answer, Preflown)
        entered: dict[str, Verdict] = {
            name: Entered(version) for name, version in answer.entered.items()
        }
        return entered | {name: Refused(reason) for name, reason in answer.refused.items()}

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None
    ) -> MatchReport | Void | Lost:
        """Have the worker play a match."""
        call = next(self._numbers)
        needed = {bot: versions[bot] for bot in fixture.bots}
        if on_fault is not None:
            self._faults[call] = (fixture, on_fault)
        self.running += 1
        try:
            answer = await self._ask(call, PlayMatch(call, fixture, needed))
        finally:
            self.running -= 1
            self._faults.pop(call, None)
        if isinstance(answer, MatchPlayed):
            return answer.report
        if isinstance(answer, Voided):
            return Void(answer.reason)
        assert isinstance(answer, Lost)
        return answer

    def release(self, matches: Sequence[str]) -> None:
        """Let these matches be seen in full."""
        self._send(ReleaseMatches(tuple(matches)))

    def abort(self) -> None:
        """Make all its matches void."""
        self._send(Abort())

    def _send(self, order: Order) -> None:
        self.link.send(encode(order))

    async def _ask(self, call: int, order: Order) -> _Reply:
        if self.lost is not None:
            return self.lost
        waiting: asyncio.Future[_Reply] = asyncio.get_running_loop().create_future()
        self._calls[call] = waiting
        try:
            self._send(order)
            return await waiting
        finally:
            del self._calls[call]

    async def _listen(self) -> None:
        while (text := await self.link.receive()) is not None:
            answer = decode(text)
            if isinstance(answer, Faulted):
                if answer.call in self._faults:
                    fixture, on_fault = self._faults[answer.call]
                    on_fault(fixture, answer.fault)
            elif isinstance(answer, Preflown | MatchPlayed | Voided):
                waiting = self._calls.get(answer.call)
                if waiting is not None and not waiting.done():  # else the caller has gone
                    waiting.set_result(answer)
        self._lose(self.link.ending)
        self._on_lost()

    def _lose(self, reason: str) -> None:
        if self.lost is None:
            self.lost = Lost(f"worker {self.number} {reason}")
        for waiting in self._calls.values():
            if not waiting.done():
                waiting.set_result(self.lost)
