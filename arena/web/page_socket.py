"""The WebSocket of a page at which a person plays: messages as JSON, not too many."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping

from starlette.websockets import WebSocket, WebSocketDisconnect

from arena.games.game import Json
from arena.referee.replay import encode
from arena.web.person_seat import PersonSeat

_IDLE_S = 900.0  # a page that says nothing for longer is closed
_WRITE_S = 30.0
_MESSAGES_PER_S = 20.0
_BURST = 60


async def read_page(websocket: WebSocket, seat: PersonSeat) -> None:
    """Take what a page says, not too fast."""
    left, since = float(_BURST), time.monotonic()
    while True:
        async with asyncio.timeout(_IDLE_S):
            message = await receive(websocket)
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


async def write_page(websocket: WebSocket, page: asyncio.Queue[bytes | None]) -> None:
    """Pass on what is told to a page, until it is let go."""
    while (message := await page.get()) is not None:
        async with asyncio.timeout(_WRITE_S):
            await websocket.send_text(message.decode())


async def receive(websocket: WebSocket) -> object:
    """Return the next message as JSON, None if it is none; raises WebSocketDisconnect."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    try:
        return json.loads(message.get("text") or "")
    except (ValueError, RecursionError):
        return None


async def say(websocket: WebSocket, message: Mapping[str, Json]) -> None:
    """Send a message, if somebody is there."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.send_text(encode(message))


async def close(websocket: WebSocket, code: int, reason: str) -> None:
    """Close, if that has not happened."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close(code, reason)
