"""The matches of an arena: those that run, and the last that have ended, for their spectators."""

from __future__ import annotations

import asyncio
import enum
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from arena.errors import InputError, UnknownMatchError
from arena.games.game import AnyState, Event, seen_by
from arena.referee.clock import Clock
from arena.referee.faults import SeatFault
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match, PlayedMatch
from arena.referee.player import Player
from arena.server.metrics import Metrics
from arena.server.players import SessionPlayer, seat_infos
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire import watch
from arena.wire.codec import codec_for

LOG = logging.getLogger("arena.match")

_STOPPED = "the arena was stopped"
_REMEMBERED = 100  # matches that have ended
_SPECTATOR_BACKLOG = 256  # messages

RECORD = b"record"
"""In the queue of a spectator: here `Spectator.read_record` is to be sent."""


class Sight(enum.Enum):
    """How much of a match a spectator is shown."""

    EVENTS = "events"  # as everybody may see them
    TABLES = "tables"  # the same, and how the table stands after each move
    EVERYTHING = "everything"  # its replay as it grows: for organisers alone


class Spectator:
    """Somebody who follows a match; whoever reads too slowly is dropped, never waited for."""

    def __init__(self, sight: Sight = Sight.EVENTS) -> None:
        """Start with nothing to read."""
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_SPECTATOR_BACKLOG)
        self.sight = sight
        self.is_dropped = False
        self._tail: Iterator[list[str]] | None = None
        self._is_record_due = False

    def push(self, message: bytes | None) -> None:
        """Add a message (None: the end)."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.is_dropped = True

    def push_record(self, tail: Iterator[list[str]] | None = None) -> None:
        """Add what has been recorded when it is read: moves that come fast are one message."""
        self._tail = tail or self._tail
        if not self._is_record_due:
            self._is_record_due = True
            self.push(RECORD)

    def read_record(self) -> bytes:
        """Return what has been recorded since the last time; empty if nothing was."""
        self._is_record_due = False
        assert self._tail is not None
        lines = next(self._tail)
        return watch.watched_record(lines) if lines else b""


class HostedMatch:
    """A match with its spectators."""

    def __init__(
        self,
        key: str,
        fixture: Fixture,
        players: Sequence[Player],
        conditions: Conditions,
        *,
        is_released: bool,
    ) -> None:
        """Deal; the match begins later. It is seen in full after its end once released."""
        self.id = key
        self.is_released = is_released
        self._spectators: set[Spectator] = set()
        self._owner = conditions  # who is told after the spectators
        hooks = replace(conditions, on_fault=self._on_fault, on_end=self._on_end)
        self.match = Match(fixture, players, hooks)
        self._listen()

    def watch(self, sight: Sight = Sight.EVENTS) -> Spectator:
        """Return a new spectator who has been shown the table, or the end."""
        spectator = Spectator(sight)
        match = self.match
        spectator.push(
            watch.table(
                match_id=self.id,
                game=match.game,
                seats=self.seats(),
                observation=codec_for(match.game).observation(match.state.observe(None)),
            )
        )
        if sight is Sight.EVERYTHING:
            tail = match.recording.tail()
            spectator.push(watch.watched_record(next(tail), self._owner.control))
            spectator.push_record(tail)
        if match.played is None:
            self._spectators.add(spectator)
            self._listen()
        else:
            spectator.push(self._end_message(match.played))
            spectator.push(None)
        return spectator

    def seats(self) -> list[play_pb2.SeatInfo]:
        """Return who plays, as far as the public may know: players may be watching too."""
        is_open = self._owner.shows_names or (self.match.is_over and self.is_released)
        return seat_infos(self.match.fixture.seats, is_open)

    def shows(self, bot: str) -> bool:
        """Return whether the public may know that this bot plays in it."""
        return any(seat.bot == bot for seat in self.seats())

    def leave(self, spectator: Spectator) -> None:
        """Forget a spectator."""
        self._spectators.discard(spectator)

    def _listen(self) -> None:
        """Have the match tell of events once somebody wants to know: it costs a call a move."""
        if self._spectators or self._owner.on_events is not None:
            self.match.conditions = replace(self.match.conditions, on_events=self._on_events)

    def _on_events(self, state: AnyState, events: Sequence[Event]) -> None:
        """Show spectators what everybody may see: where that is nothing, not even that it was."""
        if self._spectators:
            self._tell_record()
            public = [seen for event in events if (seen := seen_by(event, None)) is not None]
            if public:
                self._tell_events(state, public)
        if self._owner.on_events is not None:
            self._owner.on_events(state, events)

    def _tell_events(self, state: AnyState, public: Sequence[Event]) -> None:
        """Tell what happened; to those who want it, with the table."""
        plain, wanting = self._with(Sight.EVENTS), self._with(Sight.TABLES)
        if not plain and not wanting:
            return
        codec = codec_for(self.match.game)
        events = codec.events(public)
        if wanting:
            table = codec.observation(state.observe(None))
            self._tell(watch.watched_events(events=events, observation=table), wanting)
        if plain:
            self._tell(watch.watched_events(events=events), plain)

    def _tell_record(self) -> None:
        """Show organisers what has been recorded since."""
        for spectator in self._with(Sight.EVERYTHING):
            spectator.push_record()

    def _with(self, sight: Sight) -> set[Spectator]:
        return {spectator for spectator in self._spectators if spectator.sight is sight}

    def _on_fault(self, fault: SeatFault) -> None:
        if self._spectators:
            self._tell(watch.watched_events(faults=[fault]))
        if self._owner.on_fault is not None:
            self._owner.on_fault(fault)

    def _on_end(self, played: PlayedMatch) -> None:
        """Show spectators how it ended, and everything if it may be shown."""
        if self._spectators:
            self._tell_record()
            self._tell(self._end_message(played))
            self._tell(None)
        self._spectators = set()
        on_end = self._owner.on_end
        self._owner = self._owner.untold()  # the owner may hold this match: no cycle
        if on_end is not None:
            on_end(played)

    def _end_message(self, played: PlayedMatch) -> bytes:
        return watch.watched_end(
            scores=played.outcome.scores if played.outcome else (),
            ranks=played.outcome.ranks if played.outcome else (),
            forfeits=played.forfeits,
            void_reason=played.void_reason or "",
            replay=played.replay if self.is_released else "",
        )

    def _tell(self, message: bytes | None, whom: Iterable[Spectator] | None = None) -> None:
        for spectator in list(self._spectators if whom is None else whom):
            spectator.push(message)
            if spectator.is_dropped:
                self._spectators.discard(spectator)


Watching = tuple[HostedMatch, Spectator]


class Hall:
    """Plays matches among sessions."""

    def __init__(self, clock: Clock, metrics: Metrics | None = None) -> None:
        """Start without matches."""
        self._clock = clock
        self._metrics = metrics
        self._running: dict[str, HostedMatch] = {}
        self._ended: OrderedDict[str, HostedMatch] = OrderedDict()
        self._awaited: dict[
            asyncio.Future[Watching], tuple[Callable[[HostedMatch], bool], Sight]
        ] = {}
        self._is_closing = False
        self._idle = asyncio.Event()
        self._idle.set()

    def start(
        self,
        fixture: Fixture,
        seats: Sequence[Session | Player],
        conditions: Conditions,
        *,
        key: str | None = None,
        is_released: bool = True,
    ) -> asyncio.Future[PlayedMatch]:
        """Begin a match; the future is done when it has ended, void or not. It never fails.

        Here, and to bots and spectators, it goes by its key, if that is not the fixture's id.
        Unless it is released, now or later by `release`, spectators never see it in full.

        Once the hall is closing a match is void at once. Raises InputError for a table that cannot
        be: a match that runs already, or a session that would sit twice.
        """
        key = key or fixture.match
        self._check_table(key, seats)
        done: asyncio.Future[PlayedMatch] = asyncio.get_running_loop().create_future()

        def report_end(played: PlayedMatch) -> None:
            self._retire(hosted, played)
            if not done.done():
                done.set_result(played)

        hosted = HostedMatch(
            key,
            fixture,
            [SessionPlayer(seat, key) if isinstance(seat, Session) else seat for seat in seats],
            replace(
                conditions,
                clock=self._clock,
                on_fault=self._counted(conditions.on_fault),
                on_end=report_end,
            ),
            is_released=is_released,
        )
        self._running[key] = hosted
        self._idle.clear()
        self._count()
        self._show_beginning(hosted)
        LOG.info("match started", extra={"match": key, "game": fixture.game.name})
        if self._is_closing:
            hosted.match.abort(_STOPPED)  # before anybody is told of it
        else:
            hosted.match.begin()
        return done

    def _show_beginning(self, hosted: HostedMatch) -> None:
        for found, (suits, sight) in self._awaited.items():
            if not found.done() and suits(hosted):
                found.set_result((hosted, hosted.watch(sight)))

    async def next_match(
        self, suits: Callable[[HostedMatch], bool], sight: Sight = Sight.EVENTS
    ) -> Watching:
        """Return the next match that begins and suits, with a spectator of all its moves."""
        found: asyncio.Future[Watching] = asyncio.get_running_loop().create_future()
        self._awaited[found] = (suits, sight)
        try:
            return await found
        finally:
            del self._awaited[found]

    def find(self, match_id: str) -> HostedMatch:
        """Return a match that runs or has ended lately; raises UnknownMatchError."""
        hosted = self._find(match_id)
        if hosted is None:
            raise UnknownMatchError(f"no match {match_id!r} is running here or has ended recently")
        return hosted

    def _find(self, match_id: str) -> HostedMatch | None:
        return self._running.get(match_id) or self._ended.get(match_id)

    def matches(self) -> list[HostedMatch]:
        """Return the running matches, then the ended ones, newest first."""
        return [*reversed(self._running.values()), *reversed(self._ended.values())]

    def find_running(self, suits: Callable[[HostedMatch], bool]) -> HostedMatch | None:
        """Return the newest running match that suits, None if there is none."""
        return next(filter(suits, reversed(self._running.values())), None)

    def release(self, matches: Iterable[str]) -> None:
        """Let these matches be seen in full after their end, if they are still remembered."""
        for hosted in filter(None, map(self._find, matches)):
            hosted.is_released = True

    def abort(self, matches: Iterable[str], reason: str) -> None:
        """Make these matches void, now, unless they have ended."""
        for hosted in filter(None, map(self._running.get, list(matches))):
            hosted.match.abort(reason)

    @property
    def running(self) -> int:
        """How many matches run."""
        return len(self._running)

    async def drain(self, grace_s: float) -> None:
        """Take no more matches, wait for running ones so long, then make the rest void."""
        self._is_closing = True
        try:
            async with asyncio.timeout(grace_s):
                await self._idle.wait()
        except TimeoutError:
            self.abort(self._running, _STOPPED)

    def _retire(self, hosted: HostedMatch, played: PlayedMatch) -> None:
        del self._running[hosted.id]
        self._ended[hosted.id] = hosted
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
        if not self._running:
            self._idle.set()
        if self._metrics is not None:
            self._metrics.ended(played)
        self._count()
        LOG.info(
            "match ended",
            extra={
                "match": hosted.id,
                "scores": played.outcome.scores if played.outcome else None,
                "ended": played.ended,
                "void": played.void_reason,
            },
        )

    def _count(self) -> None:
        if self._metrics is not None:
            self._metrics.running.set(len(self._running))

    def _counted(
        self, on_fault: Callable[[SeatFault], None] | None
    ) -> Callable[[SeatFault], None] | None:
        """Return a hook that also counts the faults, where figures are kept."""
        metrics = self._metrics
        if metrics is None:
            return on_fault

        def count(fault: SeatFault) -> None:
            metrics.fault(fault)
            if on_fault is not None:
                on_fault(fault)

        return count

    def _check_table(self, key: str, seats: Sequence[Session | Player]) -> None:
        if key in self._running:
            raise InputError(f"a match {key!r} is already running: give each match its own id")
        sessions = [seat for seat in seats if isinstance(seat, Session)]
        if len(set(sessions)) < len(sessions):
            raise InputError(f"match {key!r}: a session can sit at a table only once")
