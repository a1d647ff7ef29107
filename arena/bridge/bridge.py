"""A session of a program that only reads and writes lines."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from arena import __version__
from arena.bridge.language import language_of
from arena.bridge.lines import read_line, write_line
from arena.bridge.matches import Matches
from arena.bridge.program import Program
from arena.client.channel import Destination
from arena.client.lasting_session import GRACE_S
from arena.client.play_session import Patience, PlaySession
from arena.config.bot_fields import Command
from arena.errors import ArenaError, ProgramError
from arena.v1 import play_pb2
from arena.wire.protocol import PROTOCOL

LOG = logging.getLogger("arena.bridge")

HELLO = '{"hello":{"bot":"mine","version":"1"}}'


@dataclass(frozen=True, slots=True)
class BridgeSettings:
    """Which program is to be bridged, and how."""

    command: Command
    memory_mb: int | None = None
    hello_timeout_s: float = 30.0  # as long as an arena waits for a bot to be ready
    patience: Patience = field(default_factory=Patience)
    transcript: TextIO | None = None


class Bridge:
    """Plays with a program until the arena says goodbye. One object for one run."""

    response = play_pb2.PlayResponse  # all of it: the program reads everything

    def __init__(self, settings: BridgeSettings, destination: Destination) -> None:
        """Prepare; nothing runs yet."""
        self._settings = settings
        self._destination = destination
        self._transcript = settings.transcript
        self._matches = Matches()
        self._hello = play_pb2.Hello()
        self._program: Program | None = None
        self._session: PlaySession | None = None
        self._failure: ArenaError | None = None  # the first one; what follows is its consequence
        self._is_interrupted = False
        self._is_over = False  # nothing that the program writes counts any more
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Play to the end; the program has then ended.

        Raises ProgramError if the program failed, InputError if the arena refuses or there is no
        such program, LostError if the arena cannot be reached, or not again.
        """
        self._program = program = await Program.start(
            self._settings.command, self._settings.memory_mb
        )
        grace_s = GRACE_S
        try:
            if not self._is_over:
                await self._greet()
            if not self._is_over:
                self._session = PlaySession(self._destination, self, self._settings.patience)
                self._spawn(self._read())
                await self._session.play()
        except ArenaError as error:
            if isinstance(error, ProgramError):
                grace_s = 0.0
            self._failure = self._failure or error
        finally:
            self._is_over = True
            await program.end(grace_s)
        if self._failure is not None:
            raise self._failure
        if not self._is_interrupted and program.exit is not None and program.exit.code != 0:
            LOG.info("the program %s", program.exit.describe())

    def interrupt(self, reason: str) -> None:
        """Leave soon, and end the program."""
        self._is_over = self._is_interrupted = True
        if self._session is not None:
            self._session.leave(reason)
        if self._program is not None:
            self._spawn(self._program.end(0.0))

    def hello(self) -> play_pb2.Hello:
        hello = play_pb2.Hello()
        hello.CopyFrom(self._hello)
        return hello

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        self._tell(self._matches.welcome(welcome))

    def take_in(self, response: play_pb2.PlayResponse) -> Sequence[play_pb2.Answer]:
        told, answers = self._matches.hear(response)
        self._tell(told)
        if response.HasField("goodbye"):
            self._is_over = True
            if self._program is not None:
                self._spawn(self._program.end(GRACE_S))
        return answers

    async def _greet(self) -> None:
        """Read the program's hello; raises ProgramError if it says none."""
        limit_s = self._settings.hello_timeout_s
        try:
            async with asyncio.timeout(limit_s):
                request = await self._next()
        except TimeoutError:
            raise ProgramError(
                f"the program has not said hello within {limit_s:g} s: its first line must be "
                f"like {HELLO}; does it flush its output after each line?"
            ) from None
        if request is None:
            return
        if not request.HasField("hello"):
            raise ProgramError(f"the first line of the program's output must be like {HELLO}")
        if request.hello.resume_token:
            raise ProgramError("leave resumeToken out of the hello: the bridge resumes by itself")
        self._hello = hello = request.hello
        hello.protocol = hello.protocol or PROTOCOL
        hello.sdk = hello.sdk or f"arena-bridge {__version__}"
        hello.language = hello.language or language_of(self._settings.command)

    async def _read(self) -> None:
        """Take what the program writes until the session is over, and read on until it ends."""
        assert self._program is not None
        try:
            while (request := await self._next()) is not None:
                await self._take(request)
        except ProgramError as error:
            self._fail(error)
        await self._program.drain()

    async def _next(self) -> play_pb2.PlayRequest | None:
        """Return the program's next message; None when the session is over."""
        assert self._program is not None
        line = await self._program.read_line()
        if self._is_over:
            return None
        if line is not None:
            self._note("<", line.decode(errors="replace").rstrip("\r\n"))
            return read_line(line, self._program.lines)
        how = await self._program.how_it_ended()
        when = "the arena said goodbye" if self._session is not None else "it said hello"
        raise ProgramError(f"the program {how} before {when}")

    async def _take(self, request: play_pb2.PlayRequest) -> None:
        assert self._program is not None
        assert self._session is not None
        number = self._program.lines
        match request.WhichOneof("message"):
            case "answers":
                answers = self._matches.answer(request.answers, number)
                if answers:
                    await self._session.send(answers)
            case "leave":
                if request.leave.failed:
                    reason, *more = request.leave.reason.partition("\n")
                    raise ProgramError(reason or "the program said that it failed", "".join(more))
                self._is_over = True
                self._session.leave(request.leave.reason)
            case "hello":
                raise ProgramError(f"line {number} of the program's output says hello again")

    def _fail(self, error: ProgramError) -> None:
        """End everything: the program has failed, or is not to be trusted any more."""
        if self._is_over:
            return
        self._is_over = True
        self._failure = error
        assert self._session is not None
        assert self._program is not None
        self._session.leave(error.reason, failed=True)
        self._spawn(self._program.end(0.0))

    def _tell(self, message: play_pb2.PlayResponse | None) -> None:
        if message is None or self._program is None:
            return
        line = write_line(message)
        self._note(">", line)
        try:
            self._program.write_line(line)
        except ProgramError as error:
            self._fail(error)

    def _note(self, direction: str, line: str) -> None:
        if self._transcript is None:
            return
        try:
            self._transcript.write(f"{direction} {line}\n")
            self._transcript.flush()
        except OSError as error:  # the session matters more
            LOG.warning("the transcript ends here: %s", error.strerror)
            self._transcript = None

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
