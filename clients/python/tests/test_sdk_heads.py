from __future__ import annotations

import asyncio
import gc
from typing import Any

import grpc.aio
import pytest
from fake_arena import DECISIONS, started
from google.protobuf.any_pb2 import Any as AnyMessage
from sdk_bots import First

from arena_client.players import ANY_GAME, GAMES
from arena_client.session import Session
from arena_client.settings import Settings
from arena_client.v1 import play_pb2
from arena_client.v1.play_pb2 import PlayRequest, PlayResponse


def full(game: str) -> play_pb2.Decision:
    """Return a decision with every field set."""
    decision = DECISIONS[game]("m1", 7)
    decision.move_time.nanos = 5
    decision.faults.add(seat=1, fault="FAULT_TIMEOUT", forfeited=True)
    return decision


def other() -> play_pb2.Decision:
    wrapped = AnyMessage(type_url="type/chess.Decision", value=b"\x08\x01")
    return play_pb2.Decision(match_id="m1", decision_id=7, legal_count=9, other=wrapped)


def sent(**message: Any) -> bytes:
    return PlayResponse(**message).SerializeToString()


@pytest.mark.parametrize(
    ("game", "decision"),
    [
        ("byzanz", full("byzanz")),
        ("schwarzmarkt", full("schwarzmarkt")),
        ("chess", other()),
    ],
    ids=["byzanz", "schwarzmarkt", "chess"],
)
def test_a_head_is_the_whole_decision_as_soon_as_somebody_looks(game, decision):
    """What names it is known before; then every field is there, those nobody knows included."""
    unknown = decision.SerializeToString() + b"\xfa\x3f\x03new"
    response = Session.response.FromString(
        sent(decisions={"decisions": [play_pb2.Decision.FromString(unknown)]})
    )
    [head] = response.decisions.decisions
    match_class, decision_class = GAMES.get(game, ANY_GAME)
    read = decision_class(match_class(started("m1")), head)

    assert (head.match_id, read.id, read.legal_count) == ("m1", 7, decision.legal_count)
    assert not isinstance(read._message, play_pb2.Decision)
    assert read.message == play_pb2.Decision.FromString(unknown)
    assert read.message is read.message


def test_other_messages_are_read_as_ever():
    """Only decisions are read by their heads."""
    for message in (
        {"welcome": play_pb2.Welcome(bot="b")},
        {"match_started": started("m1")},
        {"match_ended": play_pb2.MatchEnded(match_id="m1", ranks=[1, 2])},
        {"goodbye": play_pb2.Goodbye(message="that was all")},
    ):
        [(name, value)] = message.items()
        response = Session.response.FromString(sent(**message))
        assert response.WhichOneof("message") == name
        assert getattr(response, name) == value


class Talk:
    """A call that says what it is given and notes what it is told."""

    def __init__(self, messages: list[bytes]) -> None:
        self._messages = iter(messages)
        self.told: list[PlayRequest] = []

    async def read(self) -> Any:
        await asyncio.sleep(0)
        data = next(self._messages, None)
        return grpc.aio.EOF if data is None else Session.response.FromString(data)

    async def write(self, request: bytes) -> None:
        self.told.append(PlayRequest.FromString(request))


async def garbage_after(batches: int) -> tuple[int, int]:
    """Return how many answers a session gave, and what only the collector can free."""
    make = DECISIONS["byzanz"]
    asked = [
        sent(decisions={"decisions": [make(f"m{match}", number) for match in range(12)]})
        for number in range(1, batches + 1)
    ]
    talk = Talk([sent(match_started=started(f"m{match}")) for match in range(12)] + asked)
    session = Session(First, Settings(address="unix:/none"), print)
    session._begin(play_pb2.Welcome())
    gc.collect()
    gc.disable()
    try:
        await session._serve(talk)  # type: ignore[arg-type]
        found = gc.collect()
    finally:
        gc.enable()
    return sum(len(request.answers.answers) for request in talk.told), found


async def test_decisions_leave_nothing_to_the_garbage_collector():
    """However many are decided: there are no cycles on the way."""
    few, many = await garbage_after(5), await garbage_after(105)

    assert (few[0], many[0]) == (60, 1260)
    assert few[1] == many[1]
