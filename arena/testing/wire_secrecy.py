"""`check_wire`: does anything leave the arena that depends on what its receiver cannot see?

Whole matches are played twice, by the referee, sessions and hall of a real arena without its
network, in two worlds that look the same to a watcher (`arena.testing.twin_worlds`). Every byte
sent to that seat, and to spectators, must be the same. Its bot also sends what it should not, so
that the texts of refusals are compared; the bots of the other seats write notes, think, misbehave
and leave in their own way in each world.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from random import Random
from typing import cast

from arena.games.game import AnyGame, AnyState, Event, Seat
from arena.games.shuffle import bot_seed
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match
from arena.referee.player import Question
from arena.referee.replay import Entrant
from arena.server.auth import AdmitAll
from arena.server.hall import Hall, Spectator
from arena.server.limits import SessionLimits
from arena.server.lobby import Lobby
from arena.server.session import Session
from arena.testing.trial import ContractError, Trial, seen_events
from arena.testing.twin_worlds import (
    FIRST,
    MAX_FAULTS,
    SECOND,
    Conduct,
    TwinMatch,
    TwinStep,
    plan_twins,
)
from arena.testing.virtual import VirtualClock, VirtualLoop, run_virtually
from arena.v1 import play_pb2, watch_pb2
from arena.wire.codec import codec_for
from arena.wire.protocol import PROTOCOL

MATCH = "m1"
REDEAL_EVERY = (None, 1, 5)
"""How often the second world is dealt anew, by match in turn; None: only where it must be."""

_CONDITIONS = Conditions(TimeControl(1.0, 1_000.0), FaultPolicy(max_faults=MAX_FAULTS))
_TOO_LONG_S = 2_000.0
_THINKS_S = (0.1, 0.4, 1.05)
_NOTES = (0, 0, 10, 5_000)  # characters; the last is too long
_ONE_SPECTATOR_IN = 20  # moves


@dataclass(frozen=True, slots=True)
class WireTally:
    """What `check_wire` has compared."""

    matches: int = 0
    messages: int = 0
    sent_bytes: int = 0
    decisions: int = 0  # of all seats
    differing: int = 0  # of these, with another hidden hand in the second world


@dataclass(slots=True)
class Transcript:
    """All that one world's arena sent to the watching seat, or to spectators as they came."""

    sent: list[bytes] = field(default_factory=list)
    shown: list[list[bytes]] = field(default_factory=list)


def check_wire(
    game: AnyGame, *, table_sizes: Sequence[int] | None = None, matches: int = 3
) -> WireTally:
    """Raise ContractError if bytes sent to anybody depend on what they cannot see.

    At each table size, for each seat and the public, `matches` are played, the same ones every
    time. Raises UnknownGameError if the game has no codec. `check_game` should hold already: here
    worlds are compared on the wire that are alike by the rules.
    """
    tally = WireTally()
    for seats in table_sizes or game.table_sizes:
        check_codec(Trial(game, seats, 0))
        for watcher in (*map(Seat, range(seats)), None):
            plans = []
            for number in range(matches):
                every = REDEAL_EVERY[number % len(REDEAL_EVERY)]
                plan = plan_twins(Trial(game, seats, number), watcher, every)
                plans.append(plan)
                tally = _add(tally, plan, compare_worlds(plan))
            if not any(plan.differing for plan in plans):
                raise ContractError(
                    f"{game.name}, {seats} players: nothing was tested for {_name(watcher)}: no "
                    "hidden hand ever differed, see `redeal` of the game"
                )
    return tally


def check_codec(trial: Trial) -> None:
    """Raise ContractError unless what is sent of a match is read as it was written."""
    codec = codec_for(trial.game)
    for legal in trial.decisions():
        happened = trial.state.copy().apply(trial.rng.choice(legal))
        for watcher in trial.watchers:
            seen, events = trial.state.observe(watcher), seen_events(happened, watcher)
            asked = play_pb2.Decision.FromString(codec.decision(seen, legal, events))
            told = play_pb2.MatchEnded.FromString(codec.events(events))
            table = watch_pb2.WatchedTable.FromString(codec.observation(seen))
            trial.require(
                codec.read_decision(asked) == (seen, list(legal))
                and codec.read_observation(table) == seen,
                f"{seen} is sent and read back as another",
            )
            same = codec.read_events(asked) == codec.read_events(told) == events
            trial.require(same, f"{events} are sent and read back as others")


def compare_worlds(plan: TwinMatch) -> Transcript:
    """Play a plan in both worlds; raise ContractError unless all bytes sent are the same."""
    first, second = [run_virtually(_World(plan, world).play()) for world in (FIRST, SECOND)]
    compare_transcripts(plan, first, second)
    return first


def compare_transcripts(plan: TwinMatch, first: Transcript, second: Transcript) -> None:
    """Raise ContractError unless two worlds sent the same bytes."""
    _compare(plan, f"what {_name(plan.watcher)} is sent", first.sent, second.sent)
    nothing: list[bytes] = []
    for one, other in zip_longest(first.shown, second.shown, fillvalue=nothing):
        _compare(plan, "what spectators are shown", one, other)


def without_chance(message: bytes) -> bytes:
    """Return a message without what is random in each session: its name and resume token."""
    response = play_pb2.PlayResponse.FromString(message)
    if response.WhichOneof("message") != "welcome":
        return message
    response.welcome.session = "s" * len(response.welcome.session)
    response.welcome.resume_token = bytes(len(response.welcome.resume_token))
    return response.SerializeToString()


def fixture_in(plan: TwinMatch, world: int) -> Fixture:
    """Return the match of one world: the deal has its own name and seed there, the bots do not."""
    codec_for(plan.trial.game)  # made for the game itself, and found for its worlds
    seats = range(plan.trial.seats)
    return Fixture(
        game=cast("AnyGame", plan.game_in(world)),
        match=MATCH,
        deal=f"deal-{world}",
        seed=hashlib.sha256(f"world {world}".encode()).digest(),
        seats=[Entrant(f"bot-{seat}", "1") for seat in seats],
        bot_seeds=[bot_seed(b"master", MATCH, seat) for seat in seats],
    )


class _World:
    """One world's arena with its bots. For one match."""

    def __init__(self, plan: TwinMatch, world: int) -> None:
        self._plan = plan
        self._world = world
        self._transcript = Transcript()
        self._spectators: list[Spectator] = []
        self._shows = 0

    async def play(self) -> Transcript:
        """Play the match to its end and return what was sent."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        self._clock = VirtualClock(loop)
        self._hall = Hall(self._clock)
        self._lobby = Lobby(AdmitAll(), [self._plan.trial.game.name], SessionLimits(), self._clock)
        self._sessions = [self._enter(seat) for seat in range(self._plan.trial.seats)]
        fixture = fixture_in(self._plan, self._world)
        conditions = replace(_CONDITIONS, on_events=self._on_events)
        done = self._hall.start(fixture, self._sessions, conditions)
        match = self._hall.find(MATCH).match
        self._write()
        while not done.done():
            await self._act(match, self._plan.steps[match.moves])
            self._write()
        self._say_too_late()
        self._write()
        return self._transcript

    def _enter(self, seat: int) -> Session:
        hello = play_pb2.Hello(protocol=PROTOCOL, bot=f"bot-{seat}", version="1", max_matches=1)
        return self._lobby.enter(hello)

    def _come_back(self, session: Session) -> None:
        """Lose the stream and resume over a new one."""
        session.park()
        self._lobby.enter(play_pb2.Hello(protocol=PROTOCOL, resume_token=self._resume_token))

    # What the arena sends.

    def _write(self) -> None:
        """Write all that waits, to bots and spectators."""
        for seat, session in enumerate(self._sessions):
            while (batch := session.outbox.take()) is not None:
                message, questions = batch
                if seat == self._plan.watcher:
                    self._record(message)
                for question in questions:
                    question.sent(self._clock.time())
        self._show()

    def _record(self, message: bytes) -> None:
        response = play_pb2.PlayResponse.FromString(message)
        if response.WhichOneof("message") == "welcome":
            self._resume_token = response.welcome.resume_token
        self._transcript.sent.append(without_chance(message))

    def _show(self) -> None:
        for spectator, shown in zip(self._spectators, self._transcript.shown, strict=True):
            while not spectator.queue.empty():
                shown.append(spectator.queue.get_nowait() or b"")

    def _on_events(self, _state: AnyState, _events: Sequence[Event]) -> None:
        """Let a spectator come now and then: at the start, and between later moves."""
        if self._plan.watcher is None and self._shows % _ONE_SPECTATOR_IN == 0:
            hosted = self._hall.find(MATCH)
            hosted.is_released = False  # a replay tells everything, as it should
            self._spectators.append(hosted.watch())
            self._transcript.shown.append([])
        self._shows += 1
        self._show()

    # What the bots send.

    async def _act(self, match: Match, step: TwinStep) -> None:
        seat = match.state.to_act
        assert seat is not None
        session = self._sessions[seat]
        question = session.seats[MATCH].question
        assert question is not None
        place = f"{self._plan.trial.number}/{match.moves}"
        if seat == self._plan.watcher:
            # It does the same in both worlds, and speaks only while it is asked: how long the
            # others take, and so what comes between, may differ.
            rng = Random(place)
            self._pester(session, question, rng)
            # A planned timeout has used up the bank.
            await asyncio.sleep(min(rng.choice(_THINKS_S), 0.9 + question.bank_s))
            await self._decide(session, question, step, rng)
        else:
            rng = Random(f"{place}/{self._world}")
            await self._decide(session, question, step, rng)
            if rng.randrange(4) == 0:
                self._answer(session, MATCH, question.id, 0)  # once more

    async def _decide(
        self, session: Session, question: Question, step: TwinStep, rng: Random
    ) -> None:
        """Do with the open decision what is planned."""
        index: int | None = question.legal_moves.index(step.moves[self._world])
        if step.conduct is Conduct.LEAVE:
            leave = play_pb2.Leave(reason="x" * rng.randrange(100), failed=True)
            self._send(session, play_pb2.PlayRequest(leave=leave))
            return
        if step.conduct is Conduct.TIMEOUT:
            await asyncio.sleep(_TOO_LONG_S)
        elif step.conduct is Conduct.ILLEGAL:
            index = len(question.legal_moves) + rng.randrange(3)
        elif step.conduct is Conduct.INCOMPLETE:
            index = None
        self._answer(session, MATCH, question.id, index, "n" * rng.choice(_NOTES))

    def _pester(self, session: Session, question: Question, rng: Random) -> None:
        """Say something that makes no sense, or come back over a new stream."""
        what = rng.randrange(12)
        if what == 0:
            self._answer(session, "m2", question.id, 0)
        elif what == 1:
            self._answer(session, MATCH, question.id - 1, 0)
        elif what == 2:
            self._answer(session, MATCH, question.id + 1, 0)
        elif what == 3:
            self._come_back(session)
        self._write()

    def _say_too_late(self) -> None:
        for session in self._sessions:
            self._answer(session, MATCH, 1, 0)

    def _answer(
        self, session: Session, match: str, decision: int, index: int | None, note: str = ""
    ) -> None:
        answer = play_pb2.Answer(
            match_id=match, decision_id=max(decision, 0), move_index=index, note=note
        )
        self._send(session, play_pb2.PlayRequest(answers=play_pb2.Answers(answers=[answer])))

    def _send(self, session: Session, request: play_pb2.PlayRequest) -> None:
        session.receive(request.SerializeToString(), self._clock.time())


def _compare(plan: TwinMatch, what: str, first: Sequence[bytes], second: Sequence[bytes]) -> None:
    for place, (one, other) in enumerate(zip_longest(first, second, fillvalue=b"")):
        if one != other:
            trial = plan.trial
            raise ContractError(
                f"{trial.game.name}, {trial.seats} players, match {trial.number}: {what} depends "
                f"on what {_name(plan.watcher)} cannot see: message {place + 1} "
                f"{_difference(plan, one, other)}"
            )


def _difference(plan: TwinMatch, one: bytes, other: bytes) -> str:
    """Return where two messages differ first, in words."""
    kind = watch_pb2.WatchResponse if plan.watcher is None else play_pb2.PlayResponse
    lines = [str(kind.FromString(message)).splitlines() for message in (one, other)]
    head = (lines[0] or lines[1] or ["empty"])[0].removesuffix(" {")
    for mine, yours in zip_longest(*lines, fillvalue="nothing"):
        if mine != yours:
            return f"({head}) has `{mine.strip()}`, after another deal `{yours.strip()}`"
    return f"({head}) says the same in other bytes, {len(one)} and {len(other)} of them"


def _name(watcher: Seat | None) -> str:
    return "the public" if watcher is None else f"seat {watcher}"


def _add(tally: WireTally, plan: TwinMatch, transcript: Transcript) -> WireTally:
    messages = [*transcript.sent, *(message for shown in transcript.shown for message in shown)]
    return WireTally(
        matches=tally.matches + 1,
        messages=tally.messages + len(messages),
        sent_bytes=tally.sent_bytes + sum(map(len, messages)),
        decisions=tally.decisions + len(plan.steps),
        differing=tally.differing + plan.differing,
    )
