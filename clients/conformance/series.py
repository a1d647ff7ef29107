"""Processes that play one scenario after the other, for programs that are slow to start.

A scenario expects the same in a shared process as in one of its own. What it says about the process
itself can be tested in one of its own alone: can_share() knows which scenarios do.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from clients.conformance.program import LOOK_S, Process, Program
from clients.conformance.scenario import Output, Scenario

_OWN_VARIABLES = ("ARENA_", "CONFORMANCE")  # of the SDK and its bot; others are of the process


def can_share(scenario: Scenario) -> bool:
    """Return whether a scenario may be played in a process that has played others.

    Not if it is about variables that belong to the process, and not if its file says so.
    """
    return not scenario.has_own_process and all(
        name.startswith(_OWN_VARIABLES) for name in scenario.environment
    )


class Turn(Program):
    """What a process does between the line that begins a scenario and those that end it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._kept: dict[Output, str] = {}  # what was written, once the process is released
        self._mark = secrets.token_hex(16)  # which no bot can print by chance, nor an earlier turn
        self._end = re.compile(rf"{self._mark} (\d+)\n")

    async def begin(self, variables: Mapping[str, str], flags: Sequence[str]) -> None:
        """Let the process play once more, with these variables and flags."""
        self._process.forget()
        order = {"mark": self._mark, "variables": dict(variables), "flags": list(flags)}
        await self._process.tell(json.dumps(order))

    async def wait(self) -> int:
        while (code := self._code()) is None:  # noqa: ASYNC110 - a process may end without a word
            await asyncio.sleep(LOOK_S)
        return code

    async def settle(self) -> bool:
        return self._process.code is not None and await self._process.settle()

    async def has_written(self, output: Output, text: str) -> None:
        await self._process.has_written(output, text)

    def written(self, output: Output) -> str:
        if self._kept:
            return self._kept[output]
        return self._process.written(output).partition(self._mark)[0]

    def signal(self, number: signal.Signals) -> None:
        self._process.signal(number)

    def release(self) -> None:
        # Not a process that has ended, or that wrote something although the turn was over.
        ends = (self._end.search(self._process.written(output)) for output in Output)
        is_over = all(end is not None and end.end() == len(end.string) for end in ends)
        if is_over and self._process.code is None:
            self._kept = {output: self.written(output) for output in Output}

    @property
    def is_released(self) -> bool:
        """Whether the process may be used again."""
        return bool(self._kept)

    def _code(self) -> int | None:
        """Return the code that both outputs end with, or that of a process which has ended."""
        found = [self._end.search(self._process.written(output)) for output in Output]
        codes = [int(one[1]) for one in found if one]
        return codes[0] if len(codes) == len(found) else self._process.code


class Series:
    """Processes of a program that plays one scenario after the other. An async context manager.

    Each plays one scenario at a time; one whose turn was not released never plays another.
    """

    def __init__(self, command: Sequence[str], directory: Path) -> None:
        self._command = command
        self._directory = directory
        self._idle: list[Process] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        while self._idle:
            await self._idle.pop().end()

    @asynccontextmanager
    async def turn(
        self, variables: Mapping[str, str], flags: Sequence[str] = ()
    ) -> AsyncIterator[Turn]:
        """Let a process that does nothing, or a new one, play with these variables and flags."""
        process = await self._take()
        turn = Turn(process)
        try:
            await turn.begin(variables, flags)
            yield turn
        finally:
            if turn.is_released:
                self._idle.append(process)
            else:
                await process.end()

    async def _take(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.code is None:
                return process
            await process.end()
        process = Process(self._command, self._directory, {}, is_told=True)
        await process.start()
        return process
