"""An arena in this process and scripted bots on raw gRPC that dial it, byte for byte."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import grpc.aio
from grpc._cython import cygrpc  # type: ignore[attr-defined] # a compiled module

from arena.games.registry import get_game
from arena.games.shuffle import bot_seed
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, FaultPolicy
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, PlayedMatch
from arena.referee.replay import Entrant
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.players import Absence
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire.play import rejected
from arena.wire.protocol import PROTOCOL
from tests.recorded import seed_of

Code = grpc.StatusCode
Kind = str

PATIENT = Conditions(TimeControl(60.0, 60.0), FaultPolicy())
"""No honest bot is ever too slow for this, however loaded the machine."""

NOBODY = Absence(Fault.NO_START, "nobody sits here")

_PLAY = "/arena.v1.PlayService/Play"
_CHANNEL = [
    ("grpc.use_local_subchannel_pool", 1),  # two channels are two connections
    ("grpc.max_send_message_length", -1),
    # A client that does not read must not have it all taken in for it.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 64 * 1024),
]


# What bots say.


def hello(bot: str = "", **fields: Any) -> bytes:
    message = play_pb2.Hello(**{"protocol": PROTOCOL, "bot": bot, "version": "1", **fields})
    return play_pb2.PlayRequest(hello=message).SerializeToString()


def answers(*parts: play_pb2.Answer) -> bytes:
    return play_pb2.PlayRequest(answers=play_pb2.Answers(answers=parts)).SerializeToString()


def answer(
    decision: play_pb2.Decision, move_index: int | None = 0, note: str = ""
) -> play_pb2.Answer:
    return play_pb2.Answer(
        match_id=decision.match_id,
        decision_id=decision.decision_id,
        move_index=move_index,
        note=note,
    )


def leave(reason: str = "", *, failed: bool = False) -> bytes:
    message = play_pb2.Leave(reason=reason, failed=failed)
    return play_pb2.PlayRequest(leave=message).SerializeToString()


def overfill(session: Session, size: int = 400_000) -> None:
    """Have more written to a session than gRPC takes in for a bot that does not read."""
    reason = play_pb2.Rejected.REASON_UNKNOWN_MATCH
    message = rejected(match_id="x", decision_id=1, reason=reason, message="x" * 1_000)
    for _ in range(size // len(message)):
        session.send(message)


# The bots.


class Stream:
    """One stream to PlayService: says any bytes, hears messages, and ends with a status."""

    def __init__(self, channel: grpc.aio.Channel, compression: Any = None) -> None:
        self.call: Any = channel.stream_stream(_PLAY)(compression=compression)

    async def say(self, *messages: bytes) -> bool:
        """Write; return whether the stream still took it all.

        Below the public API: its write replaces the arena's status by INTERNAL if the arena has
        ended the stream meanwhile.
        """
        await self.call._metadata_sent.wait()
        for message in messages:
            try:
                await self.call._cython_call.send_serialized_message(message)
            except cygrpc.InternalError:
                return False
        return True

    async def hear(self) -> play_pb2.PlayResponse | None:
        """Return the next message, None at the end."""
        try:
            data = await self.call.read()
        except (grpc.aio.AioRpcError, asyncio.CancelledError):
            if not self.call.done():
                raise
            return None
        return play_pb2.PlayResponse.FromString(data) if isinstance(data, bytes) else None

    async def hear_all(self) -> list[play_pb2.PlayResponse]:
        """Return everything up to the end."""
        heard = []
        while (message := await self.hear()) is not None:
            heard.append(message)
        return heard

    async def hear_until(self, kind: Kind) -> play_pb2.PlayResponse:
        """Return the next message of that kind; those before it are passed over."""
        while (message := await self.hear()) is not None:
            if message.WhichOneof("message") == kind:
                return message
        raise AssertionError(f"{kind} expected, not {await self.status()}")

    async def expect(self, kind: Kind) -> Any:
        """Return the next message, which must be of that kind."""
        message = await self.hear()
        assert message is not None, f"{kind} expected, not {await self.status()}"
        assert message.WhichOneof("message") == kind, message
        return getattr(message, kind)

    async def decision(self) -> play_pb2.Decision:
        """Return the next message, which must be a single decision."""
        decisions = (await self.expect("decisions")).decisions
        assert len(decisions) == 1
        return decisions[0]  # type: ignore[no-any-return]

    async def rejection(self, reason: str) -> play_pb2.Rejected:
        """Return the next message, which must be a rejection for that reason."""
        message: play_pb2.Rejected = await self.expect("rejected")
        assert play_pb2.Rejected.Reason.Name(message.reason) == f"REASON_{reason}", message
        assert message.message
        return message

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """Read to the end; return status and message."""
        await self.hear_all()
        return await self.call.code(), await self.call.details() or ""

    async def close(self) -> None:
        """Say that nothing more is said."""
        await self.call.done_writing()

    async def cut(self) -> None:
        """Break the stream as a lost connection would."""
        self.call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.call.code()


class HonestBot:
    """Answers every decision with a legal move, until goodbye. `run` is its whole life."""

    def __init__(self, stream: Stream, seed: int = 0) -> None:
        self.heard: list[play_pb2.PlayResponse] = []
        self._stream = stream
        self._rng = Random(seed)

    async def run(self) -> None:
        """Play until the stream ends."""
        while (message := await self._stream.hear()) is not None:
            self.heard.append(message)
            if message.WhichOneof("message") == "decisions":
                await self._stream.say(
                    answers(
                        *(
                            answer(decision, self._rng.randrange(decision.legal_count))
                            for decision in message.decisions.decisions
                        )
                    )
                )

    def heard_of(self, kind: Kind) -> list[Any]:
        """Return the messages of a kind."""
        return [getattr(m, kind) for m in self.heard if m.WhichOneof("message") == kind]


class House:
    """An arena with an address, and those who dial it."""

    def __init__(self, arena: Arena, address: str) -> None:
        self.arena = arena
        self.address = address
        self._channels: list[grpc.aio.Channel] = []
        self._streams: list[Stream] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._matches = 0

    def channel(self) -> grpc.aio.Channel:
        """Return a new connection."""
        channel = grpc.aio.insecure_channel(self.address, options=_CHANNEL)
        self._channels.append(channel)
        return channel

    def stream(self, channel: grpc.aio.Channel | None = None, compression: Any = None) -> Stream:
        """Return a new stream, on a connection of its own if none is given."""
        stream = Stream(channel or self.channel(), compression)
        self._streams.append(stream)
        return stream

    async def enter(
        self, bot: str, channel: grpc.aio.Channel | None = None, **fields: Any
    ) -> tuple[Stream, Session, play_pb2.Welcome]:
        """Return a stream that has been welcomed, with its session and the welcome."""
        stream = self.stream(channel)
        await stream.say(hello(bot, **fields))
        welcome: play_pb2.Welcome = await stream.expect("welcome")
        session = self.arena.lobby.find(welcome.bot)
        assert session is not None
        return stream, session, welcome

    async def honest(self, bot: str, max_matches: int = 16) -> tuple[HonestBot, Session]:
        """Return a bot that plays by itself, and its session."""
        stream, session, _ = await self.enter(bot, max_matches=max_matches)
        player = HonestBot(stream, sum(bot.encode()))
        self._tasks.append(asyncio.ensure_future(player.run()))
        return player, session

    def start(
        self,
        seats: Sequence[Session | Absence],
        rules: Conditions = PATIENT,
        game: str = "byzanz",
        number: int = 0,
        *,
        is_released: bool = True,
        **hooks: Any,
    ) -> asyncio.Future[PlayedMatch]:
        """Begin the next match: m1, m2, …; `number` chooses the deal."""
        self._matches += 1
        match_id = f"m{self._matches}"
        entrants = [
            Entrant(seat.bot, seat.profile.version)
            if isinstance(seat, Session)
            else Entrant("", "")
            for seat in seats
        ]
        seed = seed_of(number or self._matches)
        seeds = [bot_seed(seed, match_id, seat) for seat in range(len(seats))]
        fixture = Fixture(get_game(game), match_id, "d1", seed, entrants, None, seeds)
        rules = replace(rules, **hooks)
        return self.arena.hall.start(fixture, seats, rules, is_released=is_released)

    def start_alone(
        self, session: Session, rules: Conditions = PATIENT, **hooks: Any
    ) -> asyncio.Future[PlayedMatch]:
        """Begin a match in which only seat 0 is ever asked."""
        return self.start([session, NOBODY, NOBODY], rules, **hooks)

    async def close(self) -> None:
        """Hang up, all of them."""
        for stream in self._streams:
            await stream.cut()
        for channel in self._channels:
            await channel.close()
        await asyncio.gather(*self._tasks)


@contextlib.asynccontextmanager
async def open_house(path: Path, **options: Any) -> AsyncIterator[House]:
    """Open an arena on a unix socket in that directory; everybody is gone afterwards."""
    address = Address(f"unix:{path}/arena")
    games = ["byzanz", "schwarzmarkt"]
    async with Arena(ArenaOptions(**{"games": games, **options})) as arena:
        await arena.listen([address])
        house = House(arena, address.text)
        try:
            yield house
        finally:
            await house.close()


async def finish(
    stream: Stream, match: asyncio.Future[PlayedMatch], move_index: int = 0
) -> play_pb2.MatchEnded:
    """Answer every decision until the only match has ended; return how."""
    while True:
        message = await stream.hear()
        assert message is not None, "the stream ended within the match"
        if message.WhichOneof("message") == "decisions":
            await stream.say(answers(*(answer(d, move_index) for d in message.decisions.decisions)))
        elif message.WhichOneof("message") == "match_ended":
            await match
            return message.match_ended
