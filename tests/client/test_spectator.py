from __future__ import annotations

import grpc
import grpc.aio
import pytest

from arena.client.channel import Destination
from arena.client.spectator import follow
from arena.v1 import watch_pb2
from arena.wire import watch
from tests.integration.bots import open_house
from tests.waiting import until

FILLER = watch.watched_end(replay="x" * 2_000)
MANY = 400  # far more than gRPC and the arena's queue take


@pytest.mark.slow
async def test_a_slow_person_is_no_slow_spectator(tmp_path):
    """What comes is read at once, however slowly it is taken: nobody is dropped for that."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a")
        house.start_alone(session)
        pieces = follow(Destination(house.address), watch_pb2.WatchRequest(match_id="m1"))
        assert (await anext(pieces)).HasField("table")
        hosted = house.arena.hall.find("m1")
        (spectator,) = hosted._spectators
        for _ in range(MANY):
            hosted._tell(FILLER)
            await until(spectator.queue.empty)
        assert not spectator.is_dropped
        hosted._tell(None)
        assert len([piece async for piece in pieces]) == MANY
        assert not hosted._spectators


async def test_what_was_read_comes_before_what_went_wrong(tmp_path):
    """An error is told where it happened, and not before all that came until then."""
    async with open_house(tmp_path) as house:
        request = watch_pb2.WatchRequest(match_id="nothing")
        with pytest.raises(grpc.aio.AioRpcError, match="no match 'nothing' is running here"):
            await anext(follow(Destination(house.address), request))
