from __future__ import annotations

import pytest

from arena.games.game import Event
from arena.games.schwarzmarkt.events import GoodsDealt
from arena.v1 import play_pb2, watch_pb2
from arena.wire.codec import codec_for
from tests.wire import reference
from tests.wire.played import TABLES, moments

pytestmark = pytest.mark.parametrize(
    ("game", "seats"), [table[1:] for table in TABLES], ids=[table[0] for table in TABLES]
)


def as_read(event: Event) -> Event:
    """That nothing was dealt is no secret: it is read as nothing."""
    if isinstance(event, GoodsDealt) and event.number == 0:
        return GoodsDealt(event.seat, 0, 0)
    return event


def test_decisions_are_what_the_generated_classes_write(game, seats):
    """For every seat and the public, at every decision of a match: the same bytes."""
    codec = codec_for(game)
    for moment in moments(game, seats, 0):
        for seen, legal, events in moment.views():
            written = codec.decision(seen, legal, events)
            expected = reference.decision(game.name, seen, legal, events)

            assert play_pb2.Decision.FromString(written) == expected
            assert written == expected.SerializeToString(deterministic=True)


def test_tables_and_events_are_what_the_generated_classes_write(game, seats):
    """Spectators and the ends of matches get the same bytes as well."""
    codec = codec_for(game)
    for moment in moments(game, seats, 1):
        for seen, _, events in moment.views():
            table = reference.watched_table(game.name, seen)
            ended = reference.match_ended(game.name, events)

            assert codec.observation(seen) == table.SerializeToString(deterministic=True)
            assert codec.events(events) == ended.SerializeToString(deterministic=True)


def test_material_is_what_the_generated_classes_write(game, seats):
    """What is settled before the first move travels whole."""
    written = codec_for(game).material(seats)

    expected = reference.match_started(game, seats)
    assert play_pb2.MatchStarted.FromString(written) == expected
    assert written == expected.SerializeToString(deterministic=True)


def test_a_decision_read_is_the_decision_written(game, seats):
    """A built-in bot gets over the wire exactly what it gets in process."""
    codec = codec_for(game)
    for moment in moments(game, seats, 1):
        for seen, legal, events in moment.views():
            message = play_pb2.Decision.FromString(codec.decision(seen, legal, events))

            observation, moves = codec.read_decision(message)
            assert observation == seen
            assert list(map(type, observation)) == list(map(type, seen))
            assert moves == list(legal)


def test_events_read_are_the_events_written(game, seats):
    """Events come back equal, what is hidden as None."""
    codec = codec_for(game)
    for moment in moments(game, seats, 0):
        for seen, _, events in moment.views():
            decision = play_pb2.Decision.FromString(codec.decision(seen, (), events))
            ended = play_pb2.MatchEnded.FromString(codec.events(events))
            watched = watch_pb2.WatchedEvents.FromString(codec.events(events))

            for message in (decision, ended, watched):
                assert codec.read_events(message) == list(map(as_read, events))


def test_a_table_read_is_the_table_written(game, seats):
    """A spectator in another process sees what the public sees."""
    codec = codec_for(game)
    for moment in moments(game, seats, 0):
        message = watch_pb2.WatchedTable.FromString(codec.observation(moment.observations[-1]))

        assert codec.read_observation(message) == moment.observations[-1]
