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
from arena.v1 import play_pb2
from arena.v1.play_pb2 import PlayRequest, PlayResponse
from clients.conformance.arena import Arena, Broken, Link
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
        self, scenario: Scenario, language: str, arena: Arena, proxy: Proxy, program: Program
    ) -> None:
        self._scenario = scenario
        self._language = language
        self._arena = arena
        self._proxy = proxy
        self._program = program
        self._ended = asyncio.ensure_future(program.wait())
        self._links: list[Link] = []

    async def play(self) -> None:
        """Go through all steps; raises Failure at the first that goes wrong."""
        for number, connection in enumerate(self._scenario.connections, 1):
            place = f"connection {number}"
            for count, step in enumerate(connection.before, 1):
                await self._do(None, step, f"{place}, before it, step {count}")
            link = await self._await(self._arena.next_link(), place, "the bot to dial", DIAL_S)
            self._links.append(link)
            await self._open(link, connection, place)
            for count, step in enumerate(connection.steps, 1):
                await self._do(link, step, f"{place}, step {count}")

    async def finish(self) -> int:
        """Wait for the program to end; return its exit code. Raises Failure."""
        within_s = self._scenario.end.within_s
        await asyncio.wait({self._ended}, timeout=within_s)
        if self._arena.unexpected:
            raise Failure("the bot dialled once more after the last connection of the scenario")
        if not self._ended.done():
            raise Failure(f"the program still runs {within_s:g} s after the last step")
        for number, link in enumerate(self._links, 1):
            if link.unread and not link.is_over:
                request = await self._next(link, f"connection {number}")
                raise Failure(f"connection {number}: the bot also sent {_show(request)}")
        return self._ended.result()

    def close(self) -> None:
        """Stop watching the program."""
        self._ended.cancel()

    async def _open(self, link: Link, connection: Connection, place: str) -> None:
        request = await self._next(link, place, "a hello")
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
            link.limits = PlayResponse.FromString(connection.welcome.content).welcome.limits
            await self._send(link, connection.welcome.content, place, "welcome")

    async def _do(self, link: Link | None, step: Step, place: str) -> None:
        match step:
            case Pause(seconds):
                await asyncio.sleep(seconds)
            case Gone():
                self._end_links()
                self._proxy.close()
            case Freeze():
                self._end_links()
                self._proxy.freeze()
            case Back():
                await self._proxy.open()
            case Signal(number):
                self._program.signal(number)
            case Shown(output, text):
                waiting = self._program.has_written(output, text)
                await self._await(waiting, place, f"{text!r} on {output.value}")
            case Cut():
                self._end_links()
                self._proxy.cut()
            case _ if link is None:
                raise Failure(f"{place}: there is no stream yet for this step")
            case _:
                await self._do_on(link, step, place)

    async def _do_on(self, link: Link, step: Step, place: str) -> None:
        match step:
            case Send(what, content):
                await self._send(link, content, place, what)
            case Goodbye(content):
                await self._send(link, content, place, "goodbye")
                await self._expect_closed(link, place)
                link.end(grpc.StatusCode.OK, "")
            case Answers():
                await self._expect_answers(link, step, place)
            case Request(expected):
                request = await self._next(link, place, f"{dict(expected)}")
                found = difference(_filled(expected, self._language), _json(request))
                if found:
                    raise Failure(f"{place}: {found}; got {_show(request)}")
            case Closed():
                await self._expect_closed(link, place)
            case Quiet(seconds):
                await self._expect_quiet(link, seconds, place)
            case Status(code, message):
                if link.unread:
                    request = await self._next(link, place)
                    raise Failure(f"{place}: the bot also sent {_show(request)}")
                link.end(code, message)

    async def _expect_answers(self, link: Link, step: Answers, place: str) -> None:
        expected = list(step.expected)
        wanted = f"the answers {_listed(expected)}"
        got: list[Answer] = []
        count = 0
        while len(got) < len(expected):
            request = await self._next(link, place, f"{wanted}, {len(got)} of which came")
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

    async def _expect_closed(self, link: Link, place: str) -> None:
        request = await self._next(link, place, "the bot to close its side")
        if request is not None:
            raise Failure(f"{place}: expected the bot to close its side, got {_show(request)}")

    async def _expect_quiet(self, link: Link, seconds: float, place: str) -> None:
        try:
            async with asyncio.timeout(seconds):
                content = await link.read()
        except TimeoutError:
            return
        except Broken:
            raise Failure(f"{place}: the bot broke the stream off") from None
        request = None if content is None else PlayRequest.FromString(content)
        raise Failure(f"{place}: expected nothing for {seconds:g} s, got {_show(request)}")

    async def _send(self, link: Link, content: bytes, place: str, what: str) -> None:
        try:
            await self._await(link.send(content), place, f"{what} to be taken")
        except (grpc.aio.BaseError, asyncio.InvalidStateError):
            raise Failure(
                f"{place}: {what} could not be sent: the bot has ended the stream"
            ) from None

    async def _next(self, link: Link, place: str, what: str = "a message") -> PlayRequest | None:
        """Return the next message, None if the bot has closed its side; checks its limits."""
        try:
            content = await self._await(link.read(), place, what)
        except Broken:
            raise Failure(f"{place}: expected {what}, but the bot broke the stream off") from None
        if content is None:
            return None
        limits = link.limits
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

    def _end_links(self) -> None:
        for link in self._links:
            link.is_over = True


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
