"""A session of a bot class: what the arena asks goes to its objects, their answers go back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

import grpc
import grpc.aio

import arena_client
from arena_client.bot import GameBot
from arena_client.channel import open_channel
from arena_client.errors import BotFailed, Refused, Unreachable
from arena_client.heads import response_with_heads
from arena_client.lasting_session import GRACE_S, Call, LastingSession, SessionState
from arena_client.players import FLUSH_S, Interrupted, Players
from arena_client.settings import Settings
from arena_client.texts import ADVICE, inert, refusal, silence_hint
from arena_client.v1 import play_pb2
from arena_client.v1.play_pb2 import MatchEnded, MatchStarted, PlayResponse

PROTOCOL = 1
TURNS = 5  # of the event loop until a message that has arrived is at hand


class Session(LastingSession):
    """Plays matches with objects of a bot class until the arena says goodbye.

    Args:
        bot_class: what the author wrote.
        settings: where the arena is.
        report: takes a line for the author.
    """

    messages = play_pb2
    response = response_with_heads(play_pb2)
    refused = Refused
    unreachable = Unreachable
    advice = ADVICE

    def __init__(
        self,
        bot_class: type[GameBot[Any, Any]],
        settings: Settings,
        report: Callable[[str], object],
    ) -> None:
        super().__init__(settings.address, settings.connect_timeout_s, settings.resume_timeout_s)
        self._bot_class = bot_class
        self._settings = settings
        self._report = report
        self._players = Players(bot_class, self._send_soon, self._fail, report)
        self._loop = asyncio.get_running_loop()
        self._failure: BotFailed | None = None
        self._asked = asyncio.Event()  # decisions wait, or the stream has ended

    async def play(self) -> None:
        """Play until the arena says goodbye or leave() is called. To be called once.

        Raises:
            BotFailed: the author's code failed; the arena has been told.
            Refused: the arena does not want this session.
            Unreachable: it cannot be reached, or not again.
        """
        try:
            await self._run()
        finally:
            self._players.close()
            await self._players.settle(GRACE_S)
        if self._failure is not None:
            raise self._failure
        self._check_goodbye()

    def interrupt(self, reason: str) -> None:
        """Leave soon. For signal handlers of the main thread: may break off a running decide()."""
        self._loop.call_soon_threadsafe(self.leave, reason)
        if self._players.is_deciding:
            raise Interrupted(reason)

    def _dial(self) -> grpc.aio.Channel:
        return open_channel(self._settings)

    def _hello(self) -> play_pb2.Hello:
        bot = self._bot_class
        return play_pb2.Hello(
            protocol=PROTOCOL,
            token=self._settings.token,
            bot=bot.name or bot.__name__,
            version=bot.version,
            language="python",
            sdk=f"arena-python {arena_client.__version__}",
            games=bot.games,
            max_matches=bot.max_matches,
            batches_matches=True,
        )

    def _begin(self, welcome: Any) -> None:
        self._players.connected(welcome.limits, resumed=welcome.resumed)

    async def _serve(self, call: Call) -> None:
        listening = self._spawn(self._listen(call))
        while not listening.done():
            begun = monotonic()
            is_late = self._decide()
            if monotonic() - begun > FLUSH_S:  # what has come meanwhile may settle what was found
                await self._give_way()
            if self._players.should_flush:
                await self._send(call, self._players.take_ready())
            if not is_late:
                await self._asked.wait()
                self._asked.clear()
        await listening  # raises why it ended

    async def _listen(self, call: Call) -> None:
        """Take in what the arena says until the stream ends.

        gRPC fetches the next message while a plain decide() has the program.
        """
        try:
            while (response := await self._read(call)) is not None:
                self._take_in(response)
        finally:
            self._asked.set()

    async def _give_way(self) -> None:
        """Let what waits for its turn on the event loop have it."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    def _decide(self) -> bool:
        """Decide what waits, for a moment; return whether something still waits."""
        try:
            return self._players.decide()
        except BotFailed as failure:
            self._fail(failure)
        except Interrupted as interrupted:
            self.leave(str(interrupted))
        return False

    def _take_in(self, response: PlayResponse) -> None:
        """Note what the arena says. What this version does not know is ignored."""
        if self.state is SessionState.LEAVING:
            return
        message = response.WhichOneof("message")
        if message == "decisions":
            batch = response.decisions
            self._take_matches(batch.match_ended, batch.match_started)
            self._players.ask(batch.decisions)
            self._asked.set()
        elif message == "match_started":
            self._take_matches([], [response.match_started])
        elif message == "match_ended":
            self._take_matches([response.match_ended], [])
        elif message == "goodbye":
            self._take_goodbye(response.goodbye)
        elif message == "rejected":
            self._tell_rejected(response.rejected)

    def _take_matches(self, ended: Iterable[MatchEnded], started: Iterable[MatchStarted]) -> None:
        try:
            for one in ended:
                self._players.end(one)
            for other in started:
                self._players.start(other)
        except BotFailed as failure:
            self._fail(failure)

    def _expire(self) -> None:
        super()._expire()
        self._players.close()

    def _end(self, leave: Any) -> None:
        super()._end(leave)
        self._players.close()

    def _fail(self, failure: BotFailed) -> None:
        if self._failure is None:
            self._failure = failure
        cause = failure.__cause__ or failure
        self.leave(f"{type(cause).__name__}: {cause}".partition("\n")[0], failed=True)

    def _send_soon(self) -> None:
        if self._call is not None and self.state is SessionState.PLAYING:
            self._spawn(self._flush(self._call))

    async def _flush(self, call: Call) -> None:
        if answers := self._players.take_ready():
            await self._send(call, answers)

    def _tell(self, text: str, *, is_warning: bool = False) -> None:
        self._report(f"warning: {text}" if is_warning else text)

    def _inert(self, text: str) -> str:
        return inert(text)

    def _refusal(self, status: grpc.StatusCode, details: str) -> str:
        return refusal(status, details, self._address, PROTOCOL)

    def _silence(self, details: str) -> str:
        hint = silence_hint(details, self._settings)
        return f"no arena answers at {self._address} ({inert(details)}): {hint}"
