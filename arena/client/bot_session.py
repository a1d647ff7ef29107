"""A built-in bot as a program: dials an arena and plays until it is told goodbye."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass

import grpc
import grpc.aio

from arena import __version__
from arena.bots.bot import Bot
from arena.bots.catalog import make_bot
from arena.client.channel import Destination
from arena.errors import InputError, LostError
from arena.games.registry import get_game
from arena.v1 import play_pb2
from arena.wire.codec import Codec, codec_for
from arena.wire.play import PROTOCOL

LOG = logging.getLogger("arena.bot")

_DIAL_FOR_S = 10.0
_RESUME_FOR_S = 30.0
_PAUSE_S = 0.05

_LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN)


@dataclass(slots=True)
class _Seat:
    """One match: the bot that plays it and what it was last asked."""

    bot: Bot
    codec: Codec
    last_id: int = 0
    last_index: int = 0


class BotSession:
    """One session of a built-in bot; survives lost connections."""

    def __init__(
        self, bot: str, destination: Destination, max_matches: int, seed: str | None
    ) -> None:
        """Prepare to dial; `seed` replaces the seeds that the arena gives."""
        self._bot = bot
        self._destination = destination
        self._max_matches = max_matches
        self._seed = seed
        self._resume_token = b""
        self._seats: dict[str, _Seat] = {}
        self._is_over = False

    async def run(self) -> None:
        """Play until goodbye; raises InputError if refused, LostError if the arena is gone."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _DIAL_FOR_S
        pause = _PAUSE_S
        while not self._is_over:
            try:
                if await self._play_once():
                    deadline, pause = loop.time() + _RESUME_FOR_S, _PAUSE_S
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.NOT_FOUND and self._resume_token:
                    self._resume_token = b""
                    self._seats = {}
                elif error.code() not in _LOST:
                    name = error.code().name
                    raise InputError(f"the arena refused: {error.details()} ({name})") from None
                elif loop.time() > deadline:
                    where = self._destination.address
                    raise LostError(
                        f"no arena at {where}: {error.details()} (is it running there, and does "
                        "it use TLS? then set ARENA_CA_FILE or ARENA_TLS=1)"
                    ) from None
            if not self._is_over:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)

    async def _play_once(self) -> bool:
        """Serve one stream to its end; return whether it came to a welcome."""
        is_welcome = False
        async with self._destination.dial() as channel:
            method = channel.stream_stream(
                "/arena.v1.PlayService/Play",
                request_serializer=play_pb2.PlayRequest.SerializeToString,
                response_deserializer=play_pb2.PlayResponse.FromString,
            )
            call = method()
            await call.write(play_pb2.PlayRequest(hello=self._hello()))
            try:
                while isinstance(response := await call.read(), play_pb2.PlayResponse):
                    is_welcome = True
                    answers = self._handle(response)
                    if answers:
                        request = play_pb2.PlayRequest(answers=play_pb2.Answers(answers=answers))
                        await call.write(request)
                    if self._is_over:
                        await call.done_writing()  # the arena ends the stream then
            except grpc.aio.AioRpcError as error:
                if not is_welcome or error.code() not in _LOST:
                    raise
            except asyncio.InvalidStateError:
                pass  # the stream broke while an answer was being written
            if not self._is_over and not is_welcome:
                raise grpc.aio.AioRpcError(
                    await call.code(),
                    await call.initial_metadata(),
                    await call.trailing_metadata(),
                    await call.details(),
                )
        return is_welcome

    def _hello(self) -> play_pb2.Hello:
        return play_pb2.Hello(
            protocol=PROTOCOL,
            token=self._destination.token,
            bot=self._bot,
            version="1",
            language="python",
            sdk=f"arena {__version__}",
            max_matches=self._max_matches,
            resume_token=self._resume_token,
        )

    def _handle(self, response: play_pb2.PlayResponse) -> list[play_pb2.Answer]:
        match response.WhichOneof("message"):
            case "decisions":
                decisions = response.decisions.decisions
                return [self._decide(decision) for decision in decisions]
            case "match_started":
                self._sit_down(response.match_started)
            case "match_ended":
                self._seats.pop(response.match_ended.match_id, None)
            case "welcome":
                self._resume_token = response.welcome.resume_token
            case "rejected":
                LOG.warning("answer rejected: %s", response.rejected.message)
            case "goodbye":
                self._is_over = True
                if response.goodbye.reason == play_pb2.Goodbye.REASON_MISBEHAVED:
                    raise InputError(f"the arena ended the session: {response.goodbye.message}")
        return []

    def _sit_down(self, started: play_pb2.MatchStarted) -> None:
        if started.match_id in self._seats:
            return  # said again after a reconnect
        game = get_game(started.game).configure(json.loads(started.options_json))
        seed = started.bot_seed if self._seed is None else self._seed.encode()
        self._seats[started.match_id] = _Seat(make_bot(self._bot, game, seed), codec_for(game))

    def _decide(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        seat = self._seats[decision.match_id]
        if decision.decision_id != seat.last_id:
            observation, legal = seat.codec.read_decision(decision)
            seat.last_index = legal.index(seat.bot.decide(observation, legal))
            seat.last_id = decision.decision_id
        return play_pb2.Answer(
            match_id=decision.match_id,
            decision_id=decision.decision_id,
            move_index=seat.last_index,
        )
