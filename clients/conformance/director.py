"""Goes through the steps of a scenario, from the arena's side."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import grpc
import grpc.aio
from google.protobuf import json_format
from google.protobuf.message import DecodeError

from arena.examine.proxy import Proxy
from arena.examine.scripted import ScriptedArena, Stream
from arena.v1 import play_pb2
from arena.v1.play_pb2 import PlayRequest, PlayResponse
from clients.conformance.expectation import difference, shortened
from clients.conformance.program import Program
from clients.conformance.scenario import (
    Answer,
    Answers,
    Back,
    Closed,
    Connection,
    Cut,
    Freeze,
    Gone,
    Goodbye,
    Pause,
    Quiet,
    Request,
    Scenario,
    Send,
    Shown,
    Signal,
    Status,
    Step,
)

PROTOCOL = 1
DIAL_S = 30.0  # for the bot to start and dial; generous, machines may be busy
STEP_S = 15.0  # for what a step awaits
AFTERMATH_S = 0.5  # for what a program said before it ended to arrive

T = TypeVar("T")


class Failure(Exception):
    """The bot did not do what the scenario expects; says what was expected and what came."""


class Director:
    """Plays the arena's part of one scenario against one program."""

    def __init__(
        self,
        scenario: Scenario,
        language: str,
        arena: ScriptedArena,
        proxy: Proxy,
        program: Program,
    ) -> None:
        self._scenario = scenario
        self._language = language
        self._arena = arena
        self._proxy = proxy
        self._program = program
        self._ended = asyncio.ensure_future(program.wait())
        self._streams: list[Stream] = []
        self._over: set[Stream] = set()  # nothing more will be said on these
        self._limits = play_pb2.Limits()  # what the last welcome said the bot must keep to

    async def play(self) -> None:
        """Go through all steps; raises Failure at the first that goes wrong."""
        for number, connection in enumerate(self._scenario.connections, 1):
            place = f"connection {number}"
            for count, step in enumerate(connection.before, 1):
                await self._do(None, step, f"{place}, before it, step {count}")
            stream = await self._await(self._arena.dialled(), place, "the bot to dial", DIAL_S)
            self._streams.append(stream)
            await self._open(stream, connection, place)
            for count, step in enumerate(connection.steps, 1):
                await self._do(stream, step, f"{place}, step {count}")

    async def finish(self) -> int:
        """Wait for the program to end; return its exit code. Raises Failure."""
        within_s = self._scenario.end.within_s
        await asyncio.wait({self._ended}, timeout=within_s)
        if self._arena.unasked:
            raise Failure("the bot dialled once more after the last connection of the scenario")
        if not self._ended.done():
            raise Failure(f"the program still runs {within_s:g} s after the last step")
        for number, stream in enumerate(self._streams, 1):
            if stream.unread and stream not in self._over:
                request = await self._next(stream, f"connection {number}")
                raise Failure(f"connection {number}: the bot also sent {_show(request)}")
        return self._ended.result()

    def close(self) -> None:
        """Stop watching the program."""
        self._ended.cancel()

    async def _open(self, stream: Stream, connection: Connection, place: str) -> None:
        self._limits = play_pb2.Limits()  # none before the welcome
        request = await self._next(stream, place, "a hello")
        if request is None or not request.HasField("hello"):
            raise Failure(f"{place}: expected a hello, got {_show(request)}")
        expected = {"protocol": PROTOCOL, **connection.hello}
        found = difference(_filled(expected, self._language), _json(request)["hello"], "hello")
        if found:
            raise Failure(f"{place}: {found}")
        token, wanted = request.hello.resume_token, connection.resume_token
        if token != wanted:
            raise Failure(f"{place}: expected a hello with resume token {wanted!r}, got {token!r}")
        if connection.welcome is not None:
            self._limits = PlayResponse.FromString(connection.welcome.content).welcome.limits
            await self._send(stream, connection.welcome.content, place, "welcome")

    async def _do(self, stream: Stream | None, step: Step, place: str) -> None:
        match step:
            case Pause(seconds):
                await asyncio.sleep(seconds)
            case Gone():
                self._over.update(self._streams)
                self._proxy.close()
            case Freeze():
                self._over.update(self._streams)
                self._proxy.freeze()
            case Back():
                await self._proxy.open()
            case Signal(number):
                self._program.signal(number)
            case Shown(output, text):
                waiting = self._program.has_written(output, text)
                await self._await(waiting, place, f"{text!r} on {output.value}")
            case Cut():
                self._over.update(self._streams)
                self._proxy.cut()
            case _ if stream is None:
                raise Failure(f"{place}: there is no stream yet for this step")
            case _:
                await self._do_on(stream, step, place)

    async def _do_on(self, stream: Stream, step: Step, place: str) -> None:
        match step:
            case Send(what, content):
                await self._send(stream, content, place, what)
            case Goodbye(content):
                await self._send(stream, content, place, "goodbye")
                await self._expect_closed(stream, place)
                self._end(stream, grpc.StatusCode.OK, "")
            case Answers():
                await self._expect_answers(stream, step, place)
            case Request(expected):
                request = await self._next(stream, place, f"{dict(expected)}")
                found = difference(_filled(expected, self._language), _json(request))
                if found:
                    raise Failure(f"{place}: {found}; got {_show(request)}")
            case Closed():
                await self._expect_closed(stream, place)
            case Quiet(seconds):
                await self._expect_quiet(stream, seconds, place)
            case Status(code, message):
                if stream.unread:
                    request = await self._next(stream, place)
                    raise Failure(f"{place}: the bot also sent {_show(request)}")
                self._end(stream, code, message)

    async def _expect_answers(self, stream: Stream, step: Answers, place: str) -> None:
        expected = list(step.expected)
        wanted = f"the answers {_listed(expected)}"
        got: list[Answer] = []
        count = 0
        while len(got) < len(expected):
            request = await self._next(stream, place, f"{wanted}, {len(got)} of which came")
            if request is None or not request.HasField("answers"):
                raise Failure(f"{place}: expected {wanted}, got {_show(request)}")
            got += [_answer(answer, place) for answer in request.answers.answers]
            count += 1
        if not step.is_ordered:
            got.sort(key=_place)
            expected.sort(key=_place)
        if len(got) != len(expected) or not all(map(_agrees, expected, got)):
            raise Failure(f"{place}: expected {wanted}, got {_listed(got)}")
        if not step.fewest <= count <= step.most:
            span = f"{step.fewest} to {step.most}" if step.most > step.fewest else f"{step.most}"
            raise Failure(f"{place}: the answers came in {count} messages instead of {span}")

    async def _expect_closed(self, stream: Stream, place: str) -> None:
        request = await self._next(stream, place, "the bot to close its side")
        if request is not None:
            raise Failure(f"{place}: expected the bot to close its side, got {_show(request)}")

    async def _expect_quiet(self, stream: Stream, seconds: float, place: str) -> None:
        try:
            async with asyncio.timeout(seconds):
                content = await stream.read()
        except TimeoutError:
            return
        if content is None and await stream.is_broken_off():
            raise Failure(f"{place}: the bot broke the stream off")
        request = None if content is None else PlayRequest.FromString(content)
        raise Failure(f"{place}: expected nothing for {seconds:g} s, got {_show(request)}")

    async def _send(self, stream: Stream, content: bytes, place: str, what: str) -> None:
        if not await self._await(stream.send(content), place, f"{what} to be taken"):
            raise Failure(f"{place}: {what} could not be sent: the bot has ended the stream")

    async def _next(
        self, stream: Stream, place: str, what: str = "a message"
    ) -> PlayRequest | None:
        """Return the next message, None if the bot has closed its side; checks its limits."""
        content = await self._await(stream.read(), place, what)
        if content is None:
            if await stream.is_broken_off():
                raise Failure(f"{place}: expected {what}, but the bot broke the stream off")
            return None
        limits = self._limits
        if limits.max_message_bytes and len(content) > limits.max_message_bytes:
            size = f"{len(content)} bytes, {limits.max_message_bytes} are allowed"
            raise Failure(f"{place}: the bot sent a message of {size}")
        try:
            request = PlayRequest.FromString(content)
        except DecodeError:
            raise Failure(
                f"{place}: the bot sent what is no PlayRequest: {content.hex()}"
            ) from None
        for answer in request.answers.answers:
            if limits.max_note_bytes and len(answer.note.encode()) > limits.max_note_bytes:
                raise Failure(f"{place}: a note is longer than {limits.max_note_bytes} bytes")
        return request

    async def _await(
        self, waiting: Coroutine[Any, Any, T], place: str, what: str, timeout_s: float = STEP_S
    ) -> T:
        """Return what is waited for; raises Failure if it does not come in time, or never can."""
        task = asyncio.ensure_future(waiting)
        await asyncio.wait(
            {task, self._ended}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
        )
        if not task.done() and self._ended.done():
            await asyncio.wait({task}, timeout=AFTERMATH_S)
        if task.done():
            return task.result()
        task.cancel()
        if self._ended.done():
            why = f"the program had ended with {self._ended.result()}"
        else:
            why = f"not within {timeout_s:g} s"
        raise Failure(f"{place}: expected {what}: {why}")

    def _end(self, stream: Stream, code: grpc.StatusCode, message: str) -> None:
        self._over.add(stream)
        stream.close(code, message)


def _answer(answer: play_pb2.Answer, place: str) -> Answer:
    if not answer.HasField("move_index"):
        raise Failure(f"{place}: the answer {_show(answer)} has no move_index: 0 must be set too")
    return Answer(answer.match_id, answer.decision_id, answer.move_index, answer.note)


def _place(answer: Answer) -> tuple[str, int]:
    return answer.match_id, answer.decision_id


def _agrees(expected: Answer, got: Answer) -> bool:
    is_same = _place(expected) == _place(got) and expected.move_index == got.move_index
    return is_same and difference(expected.note, got.note) is None


def _filled(expected: Any, language: str) -> Any:
    """Return what is expected with the name of the language put in."""
    if isinstance(expected, str):
        return expected.replace("{language}", language)
    if isinstance(expected, dict):
        return {key: _filled(value, language) for key, value in expected.items()}
    return expected


def _json(request: PlayRequest | None) -> dict[str, Any]:
    return {} if request is None else json_format.MessageToDict(request)


def _show(message: PlayRequest | play_pb2.Answer | None) -> str:
    if message is None:
        return "the end of its side"
    return shortened(str(json_format.MessageToDict(message)))


def _listed(answers: list[Answer]) -> str:
    return shortened(", ".join(map(str, answers))) or "none"
