"""One person in one match: the seat lives here, not in the page.

A page that is loaded again, or comes back after a lost connection, is told everything anew.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from google.protobuf.duration_pb2 import Duration

from arena import __version__
from arena.client.play_session import PlaySession
from arena.errors import (
    FormatError,
    IllegalMoveError,
)
from arena.games.game import AnyGame, Event, Json, Move, Seat
from arena.games.registry import get_game
from arena.inert import inert
from arena.referee.faults import Fault
from arena.referee.replay import encode
from arena.v1 import play_pb2
from arena.web.documents import quoted
from arena.web.replay import head, outcome_of
from arena.web.steps import Decision, Made, StepWriter, seat_names
from arena.wire.codec import Codec, codec_for
from arena.wire.faults import read_fault
from arena.wire.protocol import PROTOCOL

AWAY_S = 600.0  # a person who is away for longer has left
_BACKLOG = 256  # messages that wait for a page


class PersonSeat:
    """One person in one match: the player of a session, told to whichever page is there."""

    response = play_pb2.PlayResponse

    def __init__(self, name: str, game: AnyGame) -> None:
        """Know nothing of the match yet."""
        self.key = secrets.token_urlsafe(24)
        self.name = name
        self.match_id = ""
        self.is_over = False
        self.left_at = time.monotonic()
        self.session: PlaySession | None = None
        self.welcomed = asyncio.Event()
        self.ended = asyncio.Event()
        self._game = game
        self._codec: Codec = codec_for(game)
        self._names: Sequence[str] = ()
        self._seat = Seat(0)
        self._writer: StepWriter | None = None
        self._document: dict[str, Json] = {}
        self._steps: list[Json] = []
        self._asked: play_pb2.Decision | None = None
        self._asked_at = 0.0
        self._observation: Any = None
        self._legal: Sequence[Move] = ()
        self._made: tuple[Move, float] | None = None  # the last move and the seconds it took
        self._last_words: dict[str, Json] | None = None
        self._page: asyncio.Queue[bytes | None] | None = None

    # As the player of a session.

    def hello(self) -> play_pb2.Hello:
        return play_pb2.Hello(
            protocol=PROTOCOL,
            bot=self.name,
            version="person",
            language="browser",
            sdk=f"arena web {__version__}",
            games=[self._game.name],
            max_matches=1,
        )

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        if not welcome.resumed and self.match_id:
            self._finish({"outcome": None, "void": "the arena was restarted", "replay": None})
        self.name = welcome.bot
        self.welcomed.set()

    def take_in(self, response: Any) -> Sequence[play_pb2.Answer]:
        match response.WhichOneof("message"):
            case "match_started" if response.match_started.match_id != self.match_id:
                self._begin(response.match_started)
            case "decisions":
                for decision in response.decisions.decisions:
                    self._ask(decision)
            case "match_ended" if not self.is_over:
                self._end(response.match_ended)
            case "rejected":
                self._tell({"type": "refused", "text": inert(response.rejected.message)})
        return ()

    def _begin(self, started: play_pb2.MatchStarted) -> None:
        self.match_id = started.match_id
        self._game = get_game(started.game).configure(json.loads(started.options_json or "{}"))
        self._codec = codec_for(self._game)
        self._seat = Seat(started.seat)
        self._names = seat_names([seat.bot for seat in started.seats])
        self._writer = StepWriter(self._game, self._names)
        control = started.time_control
        has_limit = control.HasField("move_time")
        self._document = {
            **head(
                self._game,
                [(seat.bot, seat.version) for seat in started.seats],
                [str(started.seat)],
            ),
            "match": inert(started.match_id),
            "tournament": None,
            "clock": {
                "move_ms": _ms(control.move_time) if has_limit else None,
                "bank_ms": _ms(control.bank),
            },
            "outcome": None,
            "download": None,
        }
        self._tell_seated(self._writer)

    def _ask(self, decision: play_pb2.Decision) -> None:
        if self._asked is not None and decision.decision_id == self._asked.decision_id:
            self._tell(self._question())  # asked again after a lost connection
            return
        observation, legal = self._codec.read_decision(decision)
        faults = [read_fault(fault.fault) for fault in decision.faults if fault.seat == self._seat]
        self._step(observation, self._codec.read_events(decision), faults)
        self._asked, self._asked_at = decision, time.monotonic()
        self._observation, self._legal = observation, legal
        self._tell(self._question())

    def _step(
        self, observation: Any, events: Sequence[Event], faults: Sequence[Fault | None]
    ) -> None:
        """Tell what happened since the last decision; the person's own move is its first part."""
        assert self._writer is not None
        writer = self._writer
        moves, lines, marks = len(writer.moves), len(writer.lines), len(writer.marks)
        made = None
        if self._made is not None:
            move, used_s = self._made
            decision = Decision(
                self._seat, self._observation, self._legal, move, round(used_s * 1000, 1)
            )
            fault = next((fault for fault in faults if fault is not None), None)
            made = Made(self._seat, self._game.move_to_json(move), fault, decision)
            self._made = None
        view = str(self._seat)
        step = writer.write({view: observation}, {view: events}, made)
        self._steps.append(step)
        self._tell(
            {
                "type": "step",
                "number": len(self._steps) - 1,
                "step": step,
                "moves": writer.moves[moves:],
                "lines": [*writer.lines[lines:]],
                "marks": [*writer.marks[marks:]],
            }
        )

    def _question(self) -> dict[str, Json]:
        asked = self._asked
        assert asked is not None
        has_limit = asked.HasField("move_time")
        used_ms = (time.monotonic() - self._asked_at) * 1000
        return {
            "type": "decision",
            "decision": asked.decision_id,
            "text": self._game.show_decision(self._observation, self._legal, self._names),
            "legal": [
                [
                    self._game.move_to_json(move),
                    self._game.show_move(move, self._observation, self._names),
                ]
                for move in self._legal
            ],
            "move_ms": round(_ms(asked.move_time) - used_ms) if has_limit else None,
            "bank_ms": _ms(asked.bank) if has_limit else None,
        }

    def _end(self, ended: play_pb2.MatchEnded) -> None:
        if ended.ranks and self._writer is not None and self._observation is not None:
            told = self._codec.read_events(ended)
            self._step(self._observation, told, ())
        outcome: Json = None
        if ended.ranks:
            forfeits = tuple(map(read_fault, ended.forfeits))
            outcome = outcome_of(ended.scores, ended.ranks, forfeits)
        replay = None if outcome is None else f"data/replays/{quoted(self.match_id)}.json.gz"
        self._finish(
            {"outcome": outcome, "void": inert(ended.void_reason) or None, "replay": replay}
        )

    def _finish(self, words: dict[str, Json]) -> None:
        self.is_over = True
        self._asked = None
        self._last_words = {"type": "ended", **words}
        self.ended.set()
        self._tell(self._last_words)

    def resign(self) -> None:
        """End because the person gave up; the arena goes on without."""
        if not self.is_over:
            self._finish({"outcome": None, "void": "you have resigned", "replay": None})

    def fail(self, reason: str) -> None:
        """End because it cannot go on."""
        if not self.is_over:
            self.is_over = True
            self._last_words = {"type": "error", "text": inert(reason)}
            self._tell(self._last_words)
        self.ended.set()

    # As the seat of a person.

    def attach(self) -> asyncio.Queue[bytes | None]:
        """Return what a page is to be told from now on, how it stands first; another page leaves.

        None is the end.
        """
        if self._page is not None:
            _push(self._page, None)
        self._page = asyncio.Queue(_BACKLOG)
        if self._writer is not None:
            self._tell_seated(self._writer)
        if self._last_words is not None:
            self._tell(self._last_words)
        elif self._asked is not None:
            self._tell(self._question())
        return self._page

    def _tell_seated(self, writer: StepWriter) -> None:
        document: dict[str, Json] = {
            **self._document,
            "moves": writer.moves,
            "lines": writer.lines,
            "marks": writer.marks,
            "steps": self._steps,
        }
        self._tell({"type": "seated", "key": self.key, "seat": self._seat, "match": document})

    def detach(self, page: asyncio.Queue[bytes | None]) -> None:
        """Note that a page has gone."""
        if self._page is page:
            self._page = None
            self.left_at = time.monotonic()

    @property
    def is_abandoned(self) -> bool:
        """Whether nobody has been looking for long."""
        return self._page is None and time.monotonic() - self.left_at > AWAY_S

    async def move(self, number: object, value: object) -> None:
        """Make a move; whatever is wrong with it is told, and nothing has changed."""
        asked = self._asked
        if asked is None or number != asked.decision_id:
            self._tell({"type": "refused", "text": "it is not your turn"})
            return
        try:
            move: Move = self._game.move_from_json(value)
        except FormatError as error:
            self._tell({"type": "refused", "text": inert(str(error))})
            return
        if move not in self._legal:
            text, _rule = self._reason(move)
            self._tell({"type": "refused", "text": text})
            return
        index = list(self._legal).index(move)
        self._asked = None
        self._made = (move, time.monotonic() - self._asked_at)
        assert self.session is not None
        answer = play_pb2.Answer(
            match_id=self.match_id, decision_id=asked.decision_id, move_index=index
        )
        await self.session.send([answer])

    def why(self, number: object, value: object) -> None:
        """Tell why a move is not legal, in the words of the rules."""
        text = rule = ""
        if self._asked is None or number != self._asked.decision_id:
            text = "it is not your turn"
        else:
            try:
                move = self._game.move_from_json(value)
                if move not in self._legal:
                    text, rule = self._reason(move)
            except FormatError as error:
                text = inert(str(error))
        move_json: Json = value if isinstance(value, dict) else None
        self._tell(
            {"type": "reason", "decision": self._number(number), "move": move_json, "text": text}
            | {"rule": rule}
        )

    def _reason(self, move: Move) -> tuple[str, str]:
        """Return why the rules refuse a move, and the rule.

        They are asked in a match that looks the same to the seat: a reason depends on nothing else.
        """
        state = self._game.determinize(self._observation, Random(0))
        try:
            state.apply(move)
        except IllegalMoveError as error:
            return inert(str(error)), error.rule
        return "this move is not legal now", ""

    @staticmethod
    def _number(value: object) -> Json:
        return value if isinstance(value, int) else None

    def refuse(self, text: str) -> None:
        """Tell that a message made no sense."""
        self._tell({"type": "refused", "text": text})

    def _tell(self, message: Mapping[str, Json]) -> None:
        if self._page is not None:
            _push(self._page, encode(message).encode())


def _push(page: asyncio.Queue[bytes | None], message: bytes | None) -> None:
    """Add a message; a page that does not read is let go, and may come back."""
    try:
        page.put_nowait(message)
    except asyncio.QueueFull:
        while not page.empty():
            page.get_nowait()
        page.put_nowait(None)


def _ms(duration: Duration) -> int:
    return round(duration.ToMilliseconds())
