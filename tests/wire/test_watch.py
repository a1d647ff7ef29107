from __future__ import annotations

from arena.games.byzanz.events import Passed
from arena.games.game import Seat
from arena.referee.faults import Fault, SeatFault
from arena.v1 import play_pb2, watch_pb2
from arena.wire import watch
from arena.wire.codec import codec_for
from tests.wire import reference
from tests.wire.played import BYZANZ, UNEVEN


def test_the_table_says_all_it_is_given():
    """With the options and the public's observation."""
    seats = [play_pb2.SeatInfo(bot=f"bot {seat}") for seat in range(4)]
    seen = UNEVEN.deal(b"seed", 4).observe(None)
    written = watch.table(
        match_id="m1", game=UNEVEN, seats=seats, observation=codec_for(UNEVEN).observation(seen)
    )

    expected = reference.watched_table("schwarzmarkt", seen)
    expected.MergeFrom(
        watch_pb2.WatchedTable(
            match_id="m1", game="schwarzmarkt", options_json='{"deck":"uneven"}', seats=seats
        )
    )
    assert written == watch_pb2.WatchResponse(table=expected).SerializeToString(deterministic=True)


def test_events_say_all_they_are_given():
    """Faults and events of the game, either of which may be missing."""
    events = [Passed(Seat(3), 0)]
    written = watch.watched_events(
        faults=[SeatFault(3, 9, Fault.FLOOD, "a secret", False)],
        events=codec_for(BYZANZ).events(events),
    )

    expected = reference.watched_events("byzanz", events)
    expected.faults.add(seat=3, fault="FAULT_FLOOD")
    assert written == watch_pb2.WatchResponse(events=expected).SerializeToString()
    empty = watch_pb2.WatchResponse.FromString(watch.watched_events())
    assert empty == watch_pb2.WatchResponse(events=watch_pb2.WatchedEvents())


def test_the_end_says_all_it_is_given():
    """Scores, ranks, forfeits and the replay, or the reason why there are none."""
    written = watch.watched_end(
        scores=(3, -1), ranks=(1, 2), forfeits=(None, Fault.DISCONNECT), replay="{}\n"
    )
    void = watch.watched_end(void_reason="the arena stopped")

    assert watch_pb2.WatchResponse.FromString(written).ended == watch_pb2.WatchedEnd(
        scores=(3, -1),
        ranks=(1, 2),
        forfeits=("FAULT_UNSPECIFIED", "FAULT_DISCONNECT"),
        replay="{}\n",
    )
    assert watch_pb2.WatchResponse.FromString(void).ended == watch_pb2.WatchedEnd(
        void_reason="the arena stopped"
    )
