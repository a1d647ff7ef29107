"""Programs of a few lines, bridged to the scripted arena of the Python SDK's tests."""

from __future__ import annotations

import asyncio
import io
import sys
import textwrap
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fake_arena import FakeArena, Script

from arena.bridge.bridge import Bridge, BridgeSettings
from arena.client.channel import Destination
from arena.errors import ArenaError
from arena.server.loop import LOOP_FACTORY

PRELUDE = """
import json, sys
def say(**message):
    print(json.dumps(message), flush=True)
def hello(**more):
    say(hello={"bot": "mine", **more})
def answer(decision, index=0, **more):
    ids = {"matchId": decision["matchId"], "decisionId": decision["decisionId"]}
    say(answers={"answers": [{**ids, "moveIndex": index, **more}]})
def messages():
    for line in sys.stdin:
        yield json.loads(line)
def decisions():
    for message in messages():
        yield from message.get("decisions", {}).get("decisions", [])
"""
FIRST = """
hello()
for decision in decisions():
    answer(decision)
"""


@dataclass
class Bridged:
    """How it went."""

    received: list[list[Any]]  # by connection, what the arena got
    error: ArenaError | None = None
    lines: list[str] = field(default_factory=list)  # the transcript

    @property
    def told(self) -> list[str]:
        """Which messages the program was told of, by their fields."""
        return [line.split('"')[1] for line in self.lines if line.startswith("> ")]

    @property
    def leave(self) -> Any:
        """The last message of the bridge, which must be a leave."""
        last = self.received[-1][-1]
        assert last.WhichOneof("message") == "leave", last
        return last.leave


def python(source: str) -> tuple[str, ...]:
    """Return the command of a small program, which has the functions of the prelude."""
    return (sys.executable, "-I", "-S", "-c", PRELUDE + textwrap.dedent(source))


def bridge(
    path: Path,
    program: str | tuple[str, ...],
    *scripts: Script,
    during: Callable[[Bridge], Awaitable[None]] | None = None,
    transcript: io.StringIO | None = None,
    **settings: Any,
) -> Bridged:
    """Bridge a program to scripts, one a connection; `during` runs beside it."""
    command = python(program) if isinstance(program, str) else program
    transcript = transcript or io.StringIO()

    async def bridging() -> Bridged:
        address = f"unix:{path}/arena"
        async with FakeArena(address, *scripts) as arena:
            played = Bridged(arena.received)
            bridged = Bridge(
                BridgeSettings(command, transcript=transcript, **settings), Destination(address)
            )
            beside = asyncio.ensure_future(during(bridged)) if during else None
            try:
                async with asyncio.timeout(60):
                    await bridged.run()
            except ArenaError as error:
                played.error = error
            if beside:
                await beside
            assert not arena.scripts or played.error or during, "a script was not used"
        return played

    with asyncio.Runner(loop_factory=LOOP_FACTORY) as runner:
        played = runner.run(bridging())
    played.lines = transcript.getvalue().splitlines()
    return played
