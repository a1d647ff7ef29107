"""The matches of an arena: those that run, and the last that have ended, for their spectators."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.errors import InputError, UnknownMatchError
from arena.games.game import AnyState, Event, seen_by
from arena.referee.clock import Clock, TimeControl
from arena.referee.faults import Fault, FaultPolicy, SeatFault
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match, PlayedMatch
from arena.referee.player import Player
from arena.server.metrics import Metrics
from arena.server.players import AbsentPlayer, SessionPlayer, seat_infos
from arena.server.session import Session
from arena.v1 import play_pb2
from arena.wire import watch
from arena.wire.codec import codec_for

LOG = logging.getLogger("arena.match")

_STOPPED = "the arena was stopped"
_REMEMBERED = 100  # matches that have ended
_SPECTATOR_BACKLOG = 256  # messages


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat whose bot is not there, and why."""

    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class TableRules:
    """What a match is played under, beside its game."""

    control: TimeControl
    policy: FaultPolicy
    shows_names: bool = True


class Spectator:
    """Somebody who follows a match; whoever reads too slowly is dropped, never waited for."""

    def __init__(self) -> None:
        """Start with nothing to read."""
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_SPECTATOR_BACKLOG)
        self.is_dropped = False

    def push(self, message: bytes | None) -> None:
        """Add a message (None: the end)."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.is_dropped = True


class HostedMatch:
    """A match with its spectators."""

    def __init__(
        self, match_id: str, shows_names: bool = True, *, is_released: bool = True
    ) -> None:
        """Prepare; the match itself follows. It is seen in full after its end once released."""
        self.id = match_id
        self._shows_names = shows_names
        self.match: Match | None = None
        self.played: PlayedMatch | None = None
        self.is_released = is_released
        self._spectators: set[Spectator] = set()

    def watch(self) -> Spectator:
        """Return a new spectator who has been shown the table, or the end."""
        spectator = Spectator()
        assert self.match is not None
        match = self.match
        spectator.push(
            watch.table(
                match_id=self.id,
                game=match.game,
                seats=self.seats(),
                observation=codec_for(match.game).observation(match.state.observe(None)),
            )
        )
        if self.played is None:
            self._spectators.add(spectator)
        else:
            spectator.push(self._end_message())
            spectator.push(None)
        return spectator

    def seats(self) -> list[play_pb2.SeatInfo]:
        """Return who plays, as far as the public may know: players may be watching too."""
        assert self.match is not None
        is_open = self._shows_names or (self.played is not None and self.is_released)
        return seat_infos(self.match.fixture.seats, is_open)

    def leave(self, spectator: Spectator) -> None:
        """Forget a spectator."""
        self._spectators.discard(spectator)

    def on_events(self, events: Sequence[Event]) -> None:
        """Show spectators what everybody may see: where that is nothing, not even that it was."""
        if self._spectators and self.match is not None:
            public = [seen for event in events if (seen := seen_by(event, None)) is not None]
            if public:
                codec = codec_for(self.match.game)
                self._tell(watch.watched_events(events=codec.events(public)))

    def on_fault(self, fault: SeatFault) -> None:
        """Show spectators a fault."""
        if self._spectators:
            self._tell(watch.watched_events(faults=[fault]))

    def on_end(self, played: PlayedMatch) -> None:
        """Show spectators how it ended, and everything if it may be shown."""
        self.played = played
        if self._spectators:
            self._tell(self._end_message())
            self._tell(None)
        self._spectators = set()

    def _end_message(self) -> bytes:
        played = self.played
        assert played is not None
        return watch.watched_end(
            scores=played.outcome.scores if played.outcome else (),
            ranks=played.outcome.ranks if played.outcome else (),
            forfeits=played.forfeits,
            void_reason=played.void_reason or "",
            replay=played.replay if self.is_released else "",
        )

    def _tell(self, message: bytes | None) -> None:
        for spectator in list(self._spectators):
            spectator.push(message)
            if spectator.is_dropped:
                self._spectators.discard(spectator)


class Hall:
    """Plays matches among sessions."""

    def __init__(self, clock: Clock, metrics: Metrics | None = None) -> None:
        """Start without matches."""
        self._clock = clock
        self._metrics = metrics
        self._running: dict[str, HostedMatch] = {}
        self._ended: OrderedDict[str, HostedMatch] = OrderedDict()
        self._is_closing = False
        self._idle = asyncio.Event()
        self._idle.set()

    def start(
        self,
        fixture: Fixture,
        seats: Sequence[Session | Absence],
        rules: TableRules,
        on_events: Callable[[AnyState, Sequence[Event]], None] | None = None,
        on_fault: Callable[[SeatFault], None] | None = None,
        *,
        is_released: bool = True,
    ) -> asyncio.Future[PlayedMatch]:
        """Begin a match; the future is done when it has ended, void or not. It never fails.

        Unless it is released, now or later by `release`, spectators never see it in full.

        Once the hall is closing a match is void at once. Raises InputError for a table that cannot
        be: a match that runs already, or a session that would sit twice.
        """
        _check_table(fixture, seats, self._running)
        hosted = HostedMatch(fixture.match, rules.shows_names, is_released=is_released)
        done: asyncio.Future[PlayedMatch] = asyncio.get_running_loop().create_future()
        players: list[Player] = [_player(seat, rules.shows_names) for seat in seats]
        conditions = self._conditions(hosted, rules, done, on_events, on_fault)
        match = hosted.match = Match(fixture, players, conditions)
        self._running[fixture.match] = hosted
        self._idle.clear()
        self._count()
        LOG.info("match started", extra={"match": fixture.match, "game": fixture.game.name})
        if self._is_closing:
            match.abort(_STOPPED)  # before anybody is told of it
        else:
            match.begin()
        return done

    def _conditions(
        self,
        hosted: HostedMatch,
        rules: TableRules,
        done: asyncio.Future[PlayedMatch],
        on_events: Callable[[AnyState, Sequence[Event]], None] | None,
        on_fault: Callable[[SeatFault], None] | None,
    ) -> Conditions:
        """Return what the match is played under; it tells spectators, metrics and its owner."""

        def report_events(state: AnyState, events: Sequence[Event]) -> None:
            hosted.on_events(events)
            if on_events is not None:
                on_events(state, events)

        def report_fault(fault: SeatFault) -> None:
            hosted.on_fault(fault)
            if self._metrics is not None:
                self._metrics.fault(fault)
            if on_fault is not None:
                on_fault(fault)

        def report_end(played: PlayedMatch) -> None:
            self._retire(hosted, played)
            if not done.done():
                done.set_result(played)

        return Conditions(
            control=rules.control,
            policy=rules.policy,
            clock=self._clock,
            on_events=report_events,
            on_fault=report_fault,
            on_end=report_end,
        )

    def find(self, match_id: str) -> HostedMatch:
        """Return a match that runs or has ended lately; raises UnknownMatchError."""
        hosted = self._running.get(match_id) or self._ended.get(match_id)
        if hosted is None:
            raise UnknownMatchError(f"no match {match_id!r} runs here or has ended lately")
        return hosted

    def matches(self) -> list[HostedMatch]:
        """Return the running matches, then the ended ones, newest first."""
        return [*reversed(self._running.values()), *reversed(self._ended.values())]

    def release(self, matches: Sequence[str]) -> None:
        """Let these matches be seen in full after their end, if they are still remembered."""
        for match_id in matches:
            hosted = self._running.get(match_id) or self._ended.get(match_id)
            if hosted is not None:
                hosted.is_released = True

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
            self.abort_all()

    def abort_all(self) -> None:
        """Make all running matches void, now."""
        for hosted in list(self._running.values()):
            if hosted.match is not None:
                hosted.match.abort(_STOPPED)

    def _retire(self, hosted: HostedMatch, played: PlayedMatch) -> None:
        hosted.on_end(played)
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


def _check_table(
    fixture: Fixture, seats: Sequence[Session | Absence], running: Mapping[str, HostedMatch]
) -> None:
    if fixture.match in running:
        raise InputError(f"a match {fixture.match!r} runs already: give each its own id")
    sessions = [seat for seat in seats if isinstance(seat, Session)]
    if len(set(sessions)) < len(sessions):
        raise InputError(f"match {fixture.match!r}: a session can sit at a table only once")


def _player(seat: Session | Absence, shows_names: bool) -> Player:
    if isinstance(seat, Absence):
        return AbsentPlayer(seat.fault, seat.detail)
    return SessionPlayer(seat, shows_names)
