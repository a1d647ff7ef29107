"""A scripted arena: each connection is served by the next script of a list."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import grpc
import grpc.aio

from arena_client.errors import ArenaClientError
from arena_client.lasting_session import METHOD
from arena_client.session import Session
from arena_client.settings import Settings
from arena_client.v1 import play_pb2
from arena_client.v1.byzanz_pb2 import ByzanzDecision, ByzanzMove, ByzanzObservation
from arena_client.v1.play_pb2 import PlayRequest, PlayResponse
from arena_client.v1.schwarzmarkt_pb2 import (
    SchwarzmarktCard,
    SchwarzmarktDecision,
    SchwarzmarktMaterial,
    SchwarzmarktMove,
    SchwarzmarktObservation,
    SchwarzmarktSpace,
)

READ_S = 30.0  # a bot that says nothing for so long fails the test

MATERIAL = SchwarzmarktMaterial(
    track=[SchwarzmarktSpace(price=1, steps=4), SchwarzmarktSpace(price=50)],
    cards=[
        SchwarzmarktCard(
            name="offer:potatoes-2,butter-2",
            copies=1,
            demand=[
                "SCHWARZMARKT_GOOD_POTATOES",
                "SCHWARZMARKT_GOOD_POTATOES",
                "SCHWARZMARKT_GOOD_BUTTER",
                "SCHWARZMARKT_GOOD_BUTTER",
            ],
        ),
        SchwarzmarktCard(name="old_debt", copies=2, effect="SCHWARZMARKT_EFFECT_OLD_DEBT"),
        SchwarzmarktCard(name="foraging", copies=1, effect="SCHWARZMARKT_EFFECT_FORAGING"),
    ],
    goods=["SCHWARZMARKT_GOOD_POTATOES", "SCHWARZMARKT_GOOD_FLOUR"],
)

Script = Callable[["Link"], Awaitable[None]]


class Link:
    """One connection from a bot, as the arena has it."""

    def __init__(self, context: Any, received: list[PlayRequest]) -> None:
        self.context = context
        self.received = received

    async def read(self) -> PlayRequest | None:
        """Return the next message of the bot; None when it has closed its side."""
        request = await asyncio.wait_for(self.context.read(), READ_S)
        if request is grpc.aio.EOF:
            return None
        assert isinstance(request, PlayRequest)
        self.received.append(request)
        return request

    async def request(self) -> PlayRequest:
        """Return the next message of the bot, which must say something."""
        request = await self.read()
        assert request is not None
        return request

    async def answers(self) -> list[tuple[str, int, int]]:
        """Return the answers of the next message: match, decision and index."""
        request = await self.request()
        assert request.WhichOneof("message") == "answers", request
        found = request.answers.answers
        assert all(answer.HasField("move_index") for answer in found)
        return [(answer.match_id, answer.decision_id, answer.move_index) for answer in found]

    async def send(self, **message: Any) -> None:
        """Send one message, given by its field."""
        await self.context.write(PlayResponse(**message).SerializeToString())

    async def send_bytes(self, content: bytes) -> None:
        """Send bytes as they are."""
        await self.context.write(content)

    async def welcome(self, *, resumed: bool = False, token: bytes = b"r1", **limits: int) -> Any:
        """Read the hello, send a welcome and return the hello."""
        request = await self.request()
        welcome = play_pb2.Welcome(
            session="s1",
            resume_token=token,
            resumed=resumed,
            arena="0.1.0",
            bot="mine",
            limits=play_pb2.Limits(**limits),
        )
        await self.send(welcome=welcome)
        return request.hello

    async def start(self, *match_ids: str, game: str = "byzanz") -> None:
        """Give the bot a seat in some matches."""
        for match_id in match_ids:
            await self.send(match_started=started(match_id, game))

    async def ask(self, *questions: tuple[str, int], game: str = "byzanz") -> None:
        """Ask decisions, given by match and id, in one message."""
        make = DECISIONS[game]
        decisions = [make(match_id, number) for match_id, number in questions]
        await self.send(decisions=play_pb2.Decisions(decisions=decisions))

    async def end(self, match_id: str) -> None:
        """End a match."""
        ended = play_pb2.MatchEnded(
            match_id=match_id,
            scores=[3, 9],
            ranks=[2, 1],
            forfeits=["FAULT_UNSPECIFIED", "FAULT_TIMEOUT"],
        )
        await self.send(match_ended=ended)

    async def goodbye(self, reason: int = play_pb2.Goodbye.REASON_FINISHED) -> None:
        """Say goodbye and wait until the bot has closed its side."""
        await self.send(goodbye={"reason": reason, "message": "that was all"})
        assert await self.read() is None

    async def abort(self, code: grpc.StatusCode, details: str = "because") -> None:
        """End the stream with a status."""
        await self.context.abort(code, details)


class FakeArena:
    """Serves the scripts, one per connection, in order. An async context manager."""

    def __init__(
        self,
        address: str,
        *scripts: Script,
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        self.address = address
        self._credentials = credentials
        self.scripts = list(scripts)
        self.received: list[list[PlayRequest]] = []
        self.failures: list[BaseException] = []
        self._server: grpc.aio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.cut()
        if self.failures:
            raise self.failures[0]

    async def listen(self) -> None:
        """Begin to listen."""
        handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(
            self._play, request_deserializer=PlayRequest.FromString
        )
        service, method = METHOD.strip("/").split("/")
        self._server = grpc.aio.server()
        self._server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(service, {method: handler})]
        )
        if self._credentials is None:
            port = self._server.add_insecure_port(self.address)
        else:
            port = self._server.add_secure_port(self.address, self._credentials)
        if self.address.endswith(":0"):
            self.address = f"{self.address.removesuffix(':0')}:{port}"
        await self._server.start()

    async def cut(self) -> None:
        """Cut all connections and stop listening."""
        if self._server is not None:
            server, self._server = self._server, None
            await server.stop(None)

    async def _play(self, _requests: Any, context: Any) -> None:
        received: list[PlayRequest] = []
        self.received.append(received)
        try:
            assert self.scripts, "one connection more than scripts"
            await self.scripts.pop(0)(Link(context, received))
        except (AssertionError, TimeoutError) as error:
            self.failures.append(error)
            raise


def started(match_id: str, game: str = "byzanz") -> play_pb2.MatchStarted:
    """Return the start of a match with the bot in seat 1 of 2."""
    return play_pb2.MatchStarted(
        match_id=match_id,
        game=game,
        options_json='{"deck":"uneven"}',
        seat=1,
        seats=[play_pb2.SeatInfo(bot="other", version="2"), play_pb2.SeatInfo(bot="mine")],
        time_control=play_pb2.TimeControl(
            move_time={"nanos": 500_000_000}, bank={"seconds": 10}, max_faults=3
        ),
        bot_seed=bytes(range(32)),
        schwarzmarkt=MATERIAL if game == "schwarzmarkt" else None,
    )


def decision(match_id: str, number: int) -> play_pb2.Decision:
    """Return an auction of Byzanz with three legal moves: pass and two bids."""
    moves = [
        ByzanzMove(type=ByzanzMove.TYPE_PASS),
        ByzanzMove(type=ByzanzMove.TYPE_BID, cards=["BYZANZ_CARD_WINE_1"]),
        ByzanzMove(type=ByzanzMove.TYPE_BID, cards=["BYZANZ_CARD_SPICE_2", "BYZANZ_CARD_WINE_1"]),
    ]
    seen = ByzanzObservation(
        seat=1, hand=["BYZANZ_CARD_SPICE_2", "BYZANZ_CARD_WINE_1"], seats=[{}, {}]
    )
    return play_pb2.Decision(
        match_id=match_id,
        decision_id=number,
        legal_count=3,
        bank={"seconds": 7},
        byzanz=ByzanzDecision(observation=seen, legal_moves=moves),
    )


def schwarzmarkt_decision(match_id: str, number: int) -> play_pb2.Decision:
    """Return an exchange round of Schwarzmarkt with two legal moves: trade and step."""
    potatoes = ["SCHWARZMARKT_GOOD_POTATOES"]
    moves = [
        SchwarzmarktMove(type=SchwarzmarktMove.TYPE_TRADE, goods=potatoes),
        SchwarzmarktMove(type=SchwarzmarktMove.TYPE_STEP, spaces=1),
    ]
    seen = SchwarzmarktObservation(seat=1, goods=potatoes, demand=potatoes, offer=0)
    return play_pb2.Decision(
        match_id=match_id,
        decision_id=number,
        legal_count=2,
        schwarzmarkt=SchwarzmarktDecision(observation=seen, legal_moves=moves),
    )


DECISIONS = {"byzanz": decision, "schwarzmarkt": schwarzmarkt_decision}


@dataclass
class Played:
    """How a session went."""

    received: list[list[PlayRequest]]
    lines: list[str] = field(default_factory=list)
    error: ArenaClientError | None = None

    @property
    def leave(self) -> play_pb2.Leave:
        """The last message of the bot, which must be a leave."""
        last = self.received[-1][-1]
        assert last.WhichOneof("message") == "leave", last
        return last.leave


def play(bot_class: Any, path: Path, *scripts: Script, **settings: Any) -> Played:
    """Let a bot play against scripts in this process, and return how it went."""

    async def session() -> Played:
        address = f"unix:{path}/arena"
        async with FakeArena(address, *scripts) as arena:
            played = Played(arena.received)
            chosen = Settings(address=address, **{"resume_timeout_s": 5.0, **settings})
            try:
                async with asyncio.timeout(60):
                    await Session(bot_class, chosen, played.lines.append).play()
            except ArenaClientError as error:
                played.error = error
            assert not arena.scripts or played.error, "a script was not used"
        return played

    return asyncio.run(session())


@dataclass
class Ended:
    """How a bot program ended."""

    code: int
    errors: str


async def launch(command: Sequence[str], **environment: str) -> asyncio.subprocess.Process:
    """Start a bot program; its stderr is a pipe."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return await asyncio.create_subprocess_exec(
        sys.executable, *command, stderr=asyncio.subprocess.PIPE, env={**kept, **environment}
    )


async def wait(process: asyncio.subprocess.Process) -> Ended:
    """Wait for a bot program; one that hangs is killed and fails the test."""
    try:
        async with asyncio.timeout(60):
            _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return Ended(process.returncode, errors.decode())


def run_program(
    path: Path, source: str, *scripts: Script, flags: Sequence[str] = (), **environment: str
) -> Ended:
    """Run a bot program against scripts, and return how it ended."""
    program = path / "bot.py"
    program.write_text(textwrap.dedent(source), encoding="utf-8")

    async def running() -> Ended:
        async with FakeArena(f"unix:{path}/arena", *scripts) as arena:
            variables = {"ARENA_ADDRESS": arena.address, **environment}
            return await wait(await launch([str(program), *flags], **variables))

    return asyncio.run(running())
