from __future__ import annotations

import pytest

from arena.bots.catalog import make_bot
from arena.games.game import seen_by
from arena.v1 import play_pb2
from arena.wire.codec import codec_for
from tests.wire.played import BYZANZ, SCHWARZMARKT, UNEVEN


@pytest.mark.parametrize("name", ["random", "greedy", "planner"])
@pytest.mark.parametrize(
    ("game", "seats"), [(BYZANZ, 4), (SCHWARZMARKT, 4), (UNEVEN, 3)], ids=["byzanz", "sm", "uneven"]
)
def test_a_built_in_bot_plays_the_same_over_the_wire(game, seats, name):
    """Fed from messages it makes every move that it makes in process."""
    codec = codec_for(game)
    state = game.deal(b"bots", seats)
    here = [make_bot(name, game, bytes([seat])) for seat in range(seats)]
    there = [make_bot(name, game, bytes([seat])) for seat in range(seats)]
    happened = list(game.opening(state))
    while (seat := state.to_act) is not None:
        legal = state.legal_moves()
        move = legal[0]
        if len(legal) > 1:
            seen = state.observe(seat)
            events = [one for event in happened if (one := seen_by(event, seat))]
            message = play_pb2.Decision.FromString(codec.decision(seen, legal, events))
            move = here[seat].decide(seen, legal)

            assert there[seat].decide(*codec.read_decision(message)) == move
        happened = list(state.apply(move))
