"""A session of whoever plays for the arena itself: built-in bots and bridged programs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import grpc
import grpc.aio

from arena.client.channel import Destination
from arena.client.lasting_session import Call, LastingSession, SessionState
from arena.errors import InputError, LostError
from arena.inert import inert
from arena.v1 import play_pb2

LOG = logging.getLogger("arena.play")


class SessionHandler(Protocol):
    """Who plays in a session. Called from the event loop; nothing here may wait.

    It knows nothing of connections, but that what is still open is asked again over a new one.
    """

    @property
    def response(self) -> Any:
        """The class of what the arena says: PlayResponse, or one that reads less of it."""

    def hello(self) -> play_pb2.Hello:
        """Return the introduction, without protocol, token and resume token if it likes."""

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        """A connection is there. Unless it is `resumed`, all matches so far are lost.

        What is still open will be asked again, and is to be answered then.
        """

    def take_in(self, response: Any) -> Sequence[play_pb2.Answer]:
        """Take any other message, goodbyes included; return the answers that are known at once."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying."""

    connect_s: float = 5.0
    resume_s: float = 30.0


class PlaySession(LastingSession):
    """A session of one player. What it has to tell a person it logs."""

    messages = play_pb2
    refused = InputError
    unreachable = LostError

    def __init__(
        self, destination: Destination, player: SessionHandler, patience: Patience | None = None
    ) -> None:
        """Prepare to dial."""
        patience = patience or Patience()
        super().__init__(destination.address, patience.connect_s, patience.resume_s)
        self.response = player.response
        self._destination = destination
        self._player = player

    async def play(self) -> None:
        """Play until the arena says goodbye or after leave(). To be called once.

        Raises InputError if the arena refuses or misbehaviour ended it, LostError if the arena
        cannot be reached, or not again.
        """
        try:
            await self._run()
        except LostError:
            from arena.client.tls_mistakes import find_tls_mistake  # noqa: PLC0415 - seldom needed

            if mistake := await find_tls_mistake(self._destination):
                raise LostError(mistake) from None
            raise
        self._check_goodbye()

    async def send(self, answers: Sequence[play_pb2.Answer]) -> None:
        """Send answers; without a connection nothing is sent, and they will be asked for again."""
        if self._call is not None and self.state is SessionState.PLAYING:
            await self._send(self._call, [answer.SerializeToString() for answer in answers])

    def _dial(self) -> grpc.aio.Channel:
        return self._destination.dial()

    def _hello(self) -> play_pb2.Hello:
        hello = self._player.hello()
        hello.token = hello.token or self._destination.token
        hello.batches_matches = True
        return hello

    def _begin(self, welcome: Any) -> None:
        self._player.welcome(welcome)

    async def _serve(self, call: Call) -> None:
        while (response := await self._read(call)) is not None:
            is_goodbye = response.HasField("goodbye")
            if self.state is SessionState.LEAVING and not is_goodbye:
                continue
            for one in self._unpack(response.decisions):
                self._player.take_in(one)
            answers = self._player.take_in(response)
            if is_goodbye:
                self._take_goodbye(response.goodbye)
            elif response.HasField("rejected"):
                self._tell_rejected(response.rejected)
            elif answers:
                await self.send(answers)

    def _unpack(self, decisions: Any) -> list[Any]:
        """Take the matches out that ended or started, as messages of their own.

        Whoever plays need not know that they came with decisions; programs behind a bridge do not.
        """
        ended = [self.response(match_ended=one) for one in decisions.match_ended]
        started = [self.response(match_started=one) for one in decisions.match_started]
        if ended or started:
            decisions.ClearField("match_ended")
            decisions.ClearField("match_started")
        return ended + started

    def _tell(self, text: str, *, is_warning: bool = False) -> None:
        LOG.log(logging.WARNING if is_warning else logging.INFO, "%s", text)

    def _inert(self, text: str) -> str:
        return inert(text)

    def _refusal(self, status: grpc.StatusCode, details: str) -> str:
        if status is grpc.StatusCode.UNIMPLEMENTED:
            where = f"the server at {self._address} is not an arena"
            return f"{where}: {details} (is ARENA_ADDRESS right?)"
        return f"the arena refused: {details} ({status.name})"

    def _silence(self, details: str) -> str:
        return f"no arena at {self._address}: {details} (is it running there?)"
