"""People at the table: a seat from the browser is an ordinary session of the arena.

The seat lives here, not in the page: a page that is loaded again, or comes back after a lost
connection, finds it by a key that only this page knows. Whoever stays away for long resigns.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from google.protobuf.duration_pb2 import Duration
from starlette.websockets import WebSocket, WebSocketDisconnect

from arena import __version__
from arena.bots.catalog import TIERS, has_bot
from arena.client.channel import Destination
from arena.client.play_session import Patience, PlaySession
from arena.config.bot_fields import check_name
from arena.errors import (
    ArenaError,
    FormatError,
    IllegalMoveError,
    InputError,
    LimitError,
    UnknownMatchError,
)
from arena.games.game import AnyGame, Event, Json, Move, Seat
from arena.games.registry import get_game
from arena.inert import inert
from arena.referee.faults import Fault
from arena.referee.replay import encode
from arena.v1 import play_pb2
from arena.web.arena_calls import Table
from arena.web.documents import ReplayFile, Viewer, quoted
from arena.web.gateway import ArenaDocuments
from arena.web.replay import head, outcome_of
from arena.web.safety import Limits, client_of
from arena.web.steps import Decision, Made, StepWriter, seat_names
from arena.wire.codec import Codec, codec_for
from arena.wire.faults import read_fault
from arena.wire.play import PROTOCOL

LOG = logging.getLogger("arena.web")

SUBPROTOCOL = "arena.play.1"

_FIRST_MESSAGE_S = 20.0
_AWAY_S = 600.0  # a person who is away for longer has left
_IDLE_S = 900.0  # a page that says nothing for longer is closed
_SEATED_S = 30.0  # until bots have come to the table
_MOVE_TIME_S = 300.0
_BANK_S = 1_800.0
_BACKLOG = 256
_MESSAGES_PER_S = 20.0
_BURST = 60
_KEPT_REPLAYS = 32
_MOST_BOT_PROCESSES = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asks for when sitting down."""

    game: AnyGame
    bots: Sequence[str | None]  # the other seats in order; None: any bot in the lobby
    name: str
    seat: int


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
        return self._page is None and time.monotonic() - self.left_at > _AWAY_S

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


class Tables:
    """Seats people, with bots that it starts or that wait in the lobby."""

    def __init__(
        self, documents: ArenaDocuments, destination: Destination, limits: Limits, *, guests: bool
    ) -> None:
        """Play in the arena at the destination; `guests` choose their names."""
        self._documents = documents
        self._destination = destination
        self._limits = limits
        self._guests = guests
        self._seats: dict[str, PersonSeat] = {}
        self._clients: Counter[str] = Counter()
        self._house: dict[str, asyncio.subprocess.Process] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def offer(self, games: Sequence[str]) -> dict[str, Json]:
        """Return what the home page says about playing."""
        bots: dict[str, Json] = {
            name: [tier for tier in TIERS if has_bot(tier, get_game(name))] if self._guests else []
            for name in games
        }
        return {"games": [*games], "bots": bots, "name": self._guests}

    async def close(self) -> None:
        """End all seats and the bots that were started."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for process in self._house.values():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        for process in self._house.values():
            await process.wait()

    async def play(self, websocket: WebSocket, viewer: Viewer) -> None:
        """Serve one page."""
        if SUBPROTOCOL not in websocket.scope.get("subprotocols", ()):
            await websocket.close(1002, f"the subprotocol is {SUBPROTOCOL}")
            return
        await websocket.accept(SUBPROTOCOL)
        client = client_of(websocket.scope)
        try:
            async with asyncio.timeout(_FIRST_MESSAGE_S):
                first = await _receive(websocket)
            seat = await self._find_seat(first, viewer, client, websocket)
        except (WebSocketDisconnect, TimeoutError):
            await _close(websocket, 1008, "sit or resume first")
            return
        except ArenaError as error:
            await _say(websocket, {"type": "error", "text": inert(str(error))})
            await _close(websocket, 1000, "")
            return
        await self._attend(websocket, seat)

    async def _attend(self, websocket: WebSocket, seat: PersonSeat) -> None:
        """Carry messages between a page and its seat."""
        page = seat.attach()
        writing = asyncio.create_task(_write(websocket, page))
        reading = asyncio.create_task(_read(websocket, seat))
        try:
            await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writing, reading):
                task.cancel()
            results = await asyncio.gather(writing, reading, return_exceptions=True)
            seat.detach(page)
        for result in results:
            expected = (asyncio.CancelledError, WebSocketDisconnect, TimeoutError, RuntimeError)
            if isinstance(result, BaseException) and not isinstance(result, expected):
                LOG.error("a page at a table failed", exc_info=result)
        await _close(websocket, 1000, "")

    async def _find_seat(
        self, first: object, viewer: Viewer, client: str, websocket: WebSocket
    ) -> PersonSeat:
        if not isinstance(first, dict):
            raise FormatError("send a JSON object with a type")
        if first.get("type") == "resume":
            seat = self._seats.get(str(first.get("key")))
            if seat is None:
                raise UnknownMatchError("this seat is no longer there: start a new match")
            return seat
        if first.get("type") != "sit":
            raise FormatError("the first message must be sit or resume")
        if len(self._seats) >= self._limits.tables:
            raise LimitError("all tables are taken: try again later")
        if self._clients[client] >= self._limits.tables_per_client:
            raise LimitError("too many matches run for you already: finish one first")
        wish = self._read_wish(first)
        await _say(websocket, {"type": "waiting", "text": "The table is being set up."})
        return await self._sit_down(wish, viewer, client)

    def _read_wish(self, first: Mapping[str, object]) -> Wish:
        name = first.get("game")
        if not isinstance(name, str):
            raise FormatError("game must be the name of a game")
        game = get_game(name)
        bots = first.get("bots")
        if not isinstance(bots, list) or not all(b is None or isinstance(b, str) for b in bots):
            raise FormatError("bots must be a list of names, null for any bot in the lobby")
        game.check_table(len(bots) + 1)
        asked = first.get("name")
        person = check_name(asked) if isinstance(asked, str) and asked else "guest"
        seat = first.get("seat")
        if seat is None:
            seat = secrets.randbelow(len(bots) + 1)
        if not isinstance(seat, int) or seat not in range(len(bots) + 1):
            raise FormatError(f"seat must be 0 to {len(bots)}, or null")
        return Wish(game, bots, person, seat)

    async def _sit_down(self, wish: Wish, viewer: Viewer, client: str) -> PersonSeat:
        """Open a session for the person, have the bots come, and begin."""
        token = viewer.token
        if not self._guests and not token:
            raise InputError("log in with your token to play here")
        name = wish.name if token else await self._free_name(wish.name)
        if self._guests:
            await self._documents.calls.reserve_bots([name], token)
        seat = PersonSeat(name, wish.game)
        destination = replace(self._destination, token=token)
        seat.session = PlaySession(destination, seat, Patience(5.0, 120.0))
        self._seats[seat.key] = seat
        self._clients[client] += 1
        self._spawn(self._live(seat, client))
        try:
            async with asyncio.timeout(_SEATED_S):
                await self._welcomed(seat)
                bots = await self._bring_bots(wish, seat.name)
                bots.insert(wish.seat, seat.name)
                table = Table(wish.game.name, bots, _MOVE_TIME_S, _BANK_S)
                await self._documents.calls.start_match(table, token)
        except (ArenaError, TimeoutError) as error:
            late = "the bots have not come in time: try again"
            reason = late if isinstance(error, TimeoutError) else str(error)
            seat.fail(reason)
            raise InputError(reason) from None
        return seat

    async def _welcomed(self, seat: PersonSeat) -> None:
        welcomed = asyncio.ensure_future(seat.welcomed.wait())
        ended = asyncio.ensure_future(seat.ended.wait())
        try:
            await asyncio.wait({welcomed, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            welcomed.cancel()
            ended.cancel()
        if not seat.welcomed.is_set():
            raise InputError("the arena does not let you in under that name or token")

    async def _live(self, seat: PersonSeat, client: str) -> None:
        """Keep the session of a seat until its match is over and nobody looks any more."""
        assert seat.session is not None
        playing = asyncio.create_task(seat.session.play())
        try:
            while not seat.ended.is_set() and not playing.done():
                ended = asyncio.ensure_future(seat.ended.wait())
                await asyncio.wait(
                    {ended, playing}, timeout=10.0, return_when=asyncio.FIRST_COMPLETED
                )
                ended.cancel()
                if seat.is_abandoned:
                    break
            await self._keep_replay(seat)
            seat.session.leave("the person has left the table")
            with contextlib.suppress(ArenaError):
                await playing
        except ArenaError as error:
            seat.fail(str(error))
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            seat.fail("the session with the arena has ended")
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]
            asyncio.get_running_loop().call_later(_AWAY_S, self._seats.pop, seat.key, None)

    async def _keep_replay(self, seat: PersonSeat) -> None:
        """Remember the replay, which the arena itself soon forgets."""
        if not seat.match_id:
            return
        with contextlib.suppress(ArenaError):
            found = await self._documents.replay_file(Viewer(), "", seat.match_id)
            kept = self._documents.kept
            kept[seat.match_id] = ReplayFile(found.content)
            while len(kept) > _KEPT_REPLAYS:
                kept.popitem(last=False)

    # Bots.

    async def _free_name(self, name: str) -> str:
        there = {bot.name for bot in await self._documents.calls.list_bots()}
        taken = there | {seat.name for seat in self._seats.values() if not seat.is_over}
        free, number = name, 2
        while free in taken:
            free, number = f"{name}-{number}", number + 1
        return check_name(free)

    async def _bring_bots(self, wish: Wish, person: str) -> list[str]:
        """Return the names of the bots at the table, all of which are in the lobby."""
        names: list[str] = []
        for bot in wish.bots:
            if bot is None:
                continue
            if self._guests and bot in TIERS and has_bot(bot, wish.game):
                names.append(await self._start_bot(bot, names))
            else:
                names.append(bot)
        others = iter([*names])
        chosen: list[str] = []
        free = await self._free_bots(wish.game, {*names, person})
        for bot in wish.bots:
            if bot is not None:
                chosen.append(next(others))
            elif free:
                chosen.append(free.pop(0))
            else:
                raise InputError("there are not enough free bots in the lobby: choose others")
        return chosen

    async def _free_bots(self, game: AnyGame, taken: set[str]) -> list[str]:
        people = {seat.name for seat in self._seats.values()}
        return [
            bot.name
            for bot in await self._documents.calls.list_bots()
            if bot.present
            and bot.free
            and game.name in bot.games
            and bot.name not in taken | people
            and bot.name not in self._house
        ]

    async def _start_bot(self, tier: str, taken: Sequence[str]) -> str:
        """Return the name of a built-in bot of that tier in the lobby, started if need be."""
        there = {bot.name for bot in await self._documents.calls.list_bots()} - self._house.keys()
        number = 1
        while (name := tier if number == 1 else f"{tier}-{number}") in {*taken, *there}:
            number += 1
        await self._documents.calls.reserve_bots([name], "")
        process = self._house.get(name)
        if process is None or process.returncode is not None:
            if len(self._house) >= _MOST_BOT_PROCESSES:
                self._house = {n: p for n, p in self._house.items() if p.returncode is None}
            if len(self._house) >= _MOST_BOT_PROCESSES:
                raise LimitError("no more bots can be started: choose others")
            self._house[name] = await self._launch(tier, name)
        while not any(bot.name == name for bot in await self._documents.calls.list_bots()):
            if self._house[name].returncode is not None:
                raise InputError(f"the bot {name} could not be started")
            await asyncio.sleep(0.1)
        return name

    async def _launch(self, tier: str, name: str) -> asyncio.subprocess.Process:
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("ARENA_")
        }
        environment["ARENA_ADDRESS"] = self._destination.address
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "arena", "bot", tier, "--name", name),
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _read(websocket: WebSocket, seat: PersonSeat) -> None:
    """Take what a page says, not too fast."""
    left, since = float(_BURST), time.monotonic()
    while True:
        async with asyncio.timeout(_IDLE_S):
            message = await _receive(websocket)
        now = time.monotonic()
        left, since = min(_BURST, left + (now - since) * _MESSAGES_PER_S) - 1, now
        if left < 0:
            seat.refuse("too many messages")
            return
        match message:
            case {"type": "move", "decision": number, "move": move}:
                await seat.move(number, move)
            case {"type": "why", "decision": number, "move": move}:
                seat.why(number, move)
            case {"type": "resign"}:
                assert seat.session is not None
                seat.session.leave("the person has resigned")
                seat.resign()
            case _:
                seat.refuse("this message is not understood")


async def _write(websocket: WebSocket, page: asyncio.Queue[bytes | None]) -> None:
    while (message := await page.get()) is not None:
        async with asyncio.timeout(30.0):
            await websocket.send_text(message.decode())


async def _receive(websocket: WebSocket) -> object:
    """Return the next message as JSON, None if it is none; raises WebSocketDisconnect."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    try:
        return json.loads(message.get("text") or "")
    except (ValueError, RecursionError):
        return None


async def _say(websocket: WebSocket, message: Mapping[str, Json]) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.send_text(encode(message))


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close(code, reason)


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
