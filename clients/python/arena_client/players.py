"""The bot objects of a session, what they have been asked, and what they answered."""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import Any

from arena_client import byzanz, schwarzmarkt
from arena_client.bot import GameBot
from arena_client.decision import Choice, Decision
from arena_client.errors import BotFailed, IllegalChoice
from arena_client.lasting_session import field, varint
from arena_client.match import Match, Outcome
from arena_client.v1 import play_pb2

FLUSH_S = 0.05  # answers that are found wait no longer than this for others of their batch
MATCH_ID, NOTE = b"\n", b"\x22"  # in front of these fields of an Answer

GAMES: dict[str, tuple[type[Match], type[Decision]]] = {
    "byzanz": (byzanz.Match, byzanz.Decision),
    "schwarzmarkt": (schwarzmarkt.Match, schwarzmarkt.Decision),
}
ANY_GAME: tuple[type[Match], type[Decision]] = (Match, Decision)


class Interrupted(BaseException):
    """Raised by a signal into a plain decide(), with the reason; bots do not swallow it."""


class Player:
    """One match: the bot object that plays it and the last decision it was asked."""

    __slots__ = (
        "answer",
        "asked",
        "bot",
        "decision_class",
        "is_over",
        "link",
        "match",
        "match_id",
        "thinking",
    )

    def __init__(self, bot: Any, match: Match, decision_class: type[Decision]) -> None:
        self.bot = bot
        self.match = match
        self.match_id = field(MATCH_ID, match.id.encode())  # how each of its answers begins
        self.decision_class = decision_class
        self.asked = 0  # the id of the last decision; ids rise
        self.answer: bytes | None = None  # the answer to it, once there is one
        self.link = 0  # the connection it was asked over last
        self.thinking: asyncio.Task[None] | None = None
        self.is_over = False


class Players:
    """All matches of a session. Knows nothing of the network; used from one event loop.

    Args:
        bot_class: what the author wrote.
        on_ready: called when answers of async bots should be sent.
        on_failure: called when an async bot has failed.
        warn: takes a line for the author.
    """

    def __init__(
        self,
        bot_class: type[GameBot[Any, Any]],
        on_ready: Callable[[], object],
        on_failure: Callable[[BotFailed], object],
        warn: Callable[[str], object],
    ) -> None:
        self._bot_class = bot_class
        self._on_ready = on_ready
        self._on_failure = on_failure
        self._warn = warn
        self._players: dict[str, Player] = {}
        self._waiting: deque[tuple[Player, Decision]] = deque()
        self._ready: list[bytes] = []  # answers, serialised
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking = 0
        self._timer: asyncio.TimerHandle | None = None
        self._link = 0
        self._max_note_bytes = 0
        self.is_deciding = False  # a plain decide() is running

    def connected(self, limits: play_pb2.Limits, *, resumed: bool) -> None:
        """A new connection has been welcomed. Unless it resumes, all matches are lost."""
        self._link += 1
        self._max_note_bytes = limits.max_note_bytes
        self.take_ready()  # what is still open will be asked again
        if not resumed:
            self.close()

    def close(self) -> None:
        """Drop all matches and cancel what still thinks."""
        for player in self._players.values():
            player.is_over = True
            if player.thinking:
                player.thinking.cancel()
        self._players.clear()
        self._waiting.clear()
        self.take_ready()

    def start(self, message: play_pb2.MatchStarted) -> None:
        """Make the bot object of a match; a match that is known already goes on.

        Raises:
            BotFailed: the author's __init__ raised.
        """
        if message.match_id in self._players:
            return
        match_class, decision_class = GAMES.get(message.game, ANY_GAME)
        match = match_class(message)
        try:
            bot = self._bot_class(match)
        except (Exception, SystemExit) as error:
            raise self._failure("__init__", match, error) from error
        self._players[match.id] = Player(bot, match, decision_class)

    def ask(self, decisions: Iterable[play_pb2.Decision]) -> None:
        """Queue decisions, of which heads will do. One asked before is never decided twice."""
        for message in decisions:
            player = self._players.get(message.match_id)
            if player is None:
                continue  # its match has ended in the meantime
            player.link = self._link
            decision = player.decision_class(player.match, message)
            if decision.id > player.asked:
                player.asked = decision.id
                player.answer = None
                self._waiting.append((player, decision))
            elif decision.id == player.asked:
                self._repeat(player.answer)

    def decide(self) -> bool:
        """Decide what waits, for FLUSH_S at most; return whether anything still waits.

        Raises:
            BotFailed: the author's code raised, or what it returned is not a legal move.
            Interrupted: a signal came.
        """
        waiting = self._waiting
        until = monotonic() + FLUSH_S
        self.is_deciding = True
        try:
            while waiting:
                player, decision = waiting.popleft()
                if player.is_over:
                    continue
                try:
                    choice = player.bot.decide(decision)
                except (Exception, SystemExit) as error:
                    raise self._failure("decide", player.match, error) from error
                if type(choice) is not int and inspect.isawaitable(choice):
                    self._think(player, decision, choice)
                else:
                    self._answer(player, decision, choice)
                if monotonic() > until:
                    break
        finally:
            self.is_deciding = False
        return bool(waiting)

    def end(self, message: play_pb2.MatchEnded) -> None:
        """Drop a match and tell its bot object.

        Raises:
            BotFailed: the author's ended() raised.
        """
        player = self._players.pop(message.match_id, None)
        if player is None:
            return
        player.is_over = True
        self._withdraw(player)
        if player.thinking:
            player.thinking.cancel()
        try:
            waited = player.bot.ended(Outcome(player.match, message))
        except (Exception, SystemExit) as error:
            raise self._failure("ended", player.match, error) from error
        if inspect.isawaitable(waited):
            self._spawn(self._finish(player, waited))

    def take_ready(self) -> list[bytes]:
        """Return the answers found since the last call, serialised; perhaps none."""
        ready, self._ready = self._ready, []
        return ready

    @property
    def should_flush(self) -> bool:
        """Whether there are answers and nothing that might soon give more."""
        return bool(self._ready) and not self._thinking

    async def settle(self, timeout_s: float) -> None:
        """Wait for async code of the author: ended() to return, cancelled ones to clean up."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=timeout_s)
            for task in late:
                task.cancel()

    def _answer(self, player: Player, decision: Decision, choice: object) -> None:
        if type(choice) is int and 0 <= choice < decision.legal_count:
            index = choice
        else:
            try:
                index = decision.index_of(choice)
            except IllegalChoice as error:
                code = inspect.unwrap(type(player.bot).decide).__code__
                where = f'  File "{code.co_filename}", line {code.co_firstlineno}, in decide'
                raise IllegalChoice(f"{error}\n{where}") from None
        # The bytes of a play_pb2.Answer; making one and setting its fields costs more.
        number = decision.id
        answer = b"%b\x10%b\x18%b" % (player.match_id, varint(number), varint(index))
        if decision.note:
            answer += field(NOTE, self._note(player, decision.note))
        # One asked over a lost connection is kept only: it will be asked again over the new one.
        if player.link == self._link:
            self._ready.append(answer)
        if number == player.asked:  # else its time was up, and another is asked now
            player.answer = answer

    def _repeat(self, answer: bytes | None) -> None:
        """Send an answer that got lost with the last connection again, if there is one yet."""
        if answer is not None and answer not in self._ready:
            self._ready.append(answer)

    def _withdraw(self, player: Player) -> None:
        """Forget answers that nobody wants any more."""
        self._ready = [one for one in self._ready if not one.startswith(player.match_id)]

    def _note(self, player: Player, note: object) -> bytes:
        try:
            content = str(note).encode()
        except UnicodeEncodeError as error:
            raise self._failure("decide", player.match, error) from error
        limit = self._max_note_bytes
        if limit and len(content) > limit:
            self._warn(f"warning: a note of {len(content)} bytes was cut to {limit}")
            content = content[:limit]
        return content.decode(errors="ignore").encode()

    def _think(self, player: Player, decision: Decision, choice: Awaitable[Choice]) -> None:
        self._thinking += 1
        before = player.thinking
        player.thinking = self._spawn(self._await_choice(player, decision, choice, before))

    async def _await_choice(
        self,
        player: Player,
        decision: Decision,
        choice: Awaitable[Choice],
        before: asyncio.Task[None] | None,
    ) -> None:
        try:
            await _end_of(before, choice)
            try:
                chosen = await choice
            except (Exception, SystemExit) as error:
                raise self._failure("decide", player.match, error) from error
            if not player.is_over:
                self._answer(player, decision, chosen)
        except BotFailed as failure:
            self._on_failure(failure)
        finally:
            self._thinking -= 1
            self._announce()

    async def _finish(self, player: Player, waited: Awaitable[None]) -> None:
        try:
            await waited
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the author's code raises
            failure = self._failure("ended", player.match, error)
            failure.__cause__ = error
            self._on_failure(failure)

    def _announce(self) -> None:
        """Let answers be sent: at once if nothing thinks any more, else soon."""
        if not self._ready:
            return
        if not self._thinking:
            self._flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_S, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._on_ready()

    def _spawn(self, coroutine: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _failure(self, where: str, match: Match, error: BaseException) -> BotFailed:
        name = self._bot_class.__name__
        return BotFailed(f"{name}.{where}() failed in {match!r}: {type(error).__name__}: {error}")


async def _end_of(before: asyncio.Task[None] | None, choice: Awaitable[Choice]) -> None:
    """Wait until the thought before this one, whose time is up, has ended: one at a time."""
    if before is None or before.done():
        return
    try:
        await asyncio.wait([before])
    except asyncio.CancelledError:
        before.cancel()
        if inspect.iscoroutine(choice):
            choice.close()  # it never began
        raise
