"""People at the table: a seat from the browser is an ordinary session of the arena.

The seat lives here, not in the page: a page that is loaded again, or comes back after a lost
connection, finds it by a key that only this page knows. Whoever stays away for long resigns.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from arena.bots.catalog import TIERS, has_bot
from arena.client.channel import Destination
from arena.client.play_session import Patience, PlaySession
from arena.config.bot_fields import check_name
from arena.errors import (
    ArenaError,
    FormatError,
    InputError,
    LimitError,
    UnknownMatchError,
)
from arena.games.game import AnyGame, Json
from arena.games.registry import get_game
from arena.inert import inert
from arena.web.arena_calls import WantedMatch
from arena.web.documents import ReplayFile, Viewer
from arena.web.gateway import ArenaDocuments
from arena.web.page_socket import close, read_page, receive, say, write_page
from arena.web.person_seat import AWAY_S, PersonSeat
from arena.web.safety import ClientLimits, client_of

LOG = logging.getLogger("arena.web")

SUBPROTOCOL = "arena.play.1"

_FIRST_MESSAGE_S = 20.0
_SEATED_S = 30.0  # until bots have come to the table
_MOVE_TIME_S = 300.0
_BANK_S = 1_800.0
_KEPT_REPLAYS = 32
_MOST_BOT_PROCESSES = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asks for when sitting down."""

    game: AnyGame
    bots: Sequence[str | None]  # the other seats in order; None: any bot in the lobby
    name: str
    seat: int


class PeopleTables:
    """Seats people, with bots that it starts or that wait in the lobby."""

    def __init__(
        self,
        documents: ArenaDocuments,
        destination: Destination,
        limits: ClientLimits,
        *,
        guests: bool,
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
                first = await receive(websocket)
            seat = await self._find_seat(first, viewer, client, websocket)
        except (WebSocketDisconnect, TimeoutError):
            await close(websocket, 1008, "sit or resume first")
            return
        except ArenaError as error:
            await say(websocket, {"type": "error", "text": inert(str(error))})
            await close(websocket, 1000, "")
            return
        await self._attend(websocket, seat)

    async def _attend(self, websocket: WebSocket, seat: PersonSeat) -> None:
        """Carry messages between a page and its seat."""
        page = seat.attach()
        writing = asyncio.create_task(write_page(websocket, page))
        reading = asyncio.create_task(read_page(websocket, seat))
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
        await close(websocket, 1000, "")

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
        await say(websocket, {"type": "waiting", "text": "The table is being set up."})
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
                table = WantedMatch(wish.game.name, bots, _MOVE_TIME_S, _BANK_S)
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
            asyncio.get_running_loop().call_later(AWAY_S, self._seats.pop, seat.key, None)

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
