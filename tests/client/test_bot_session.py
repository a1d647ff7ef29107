from __future__ import annotations

import pytest
from arena_client.session import Session
from google.protobuf.message import DecodeError

from arena.bots.catalog import make_bot
from arena.client.bot_session import BotSession
from arena.client.channel import Destination
from arena.games.game import seen_by
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.codec import codec_for
from tests.wire.played import BYZANZ, SCHWARZMARKT

SEED = bytes(32)
SEATS = [play_pb2.SeatInfo(bot="b")] * 4
CONTROL = play.time_control(move_time_s=None, bank_s=0.0, max_faults=3)


def hear(session: BotSession, data: bytes) -> list[play_pb2.Answer]:
    return list(session.take_in(session.response.FromString(data)))


def sit_down(bot: str, game=BYZANZ) -> BotSession:
    """Return the session of a bot that has a seat in the match m."""
    session = BotSession(bot, Destination("unix:/none"), 4, None)
    started = play.match_started(
        match_id="m", game=game, seat=0, seats=SEATS, time_control=CONTROL, bot_seed=SEED
    )
    hear(session, started)
    return session


def ask(number: int, count: int, game: bytes) -> bytes:
    return play.decisions([play.decision("m", number, None, 0.0, count, (), game)])


@pytest.mark.parametrize("name", ["random", "greedy", "planner"])
@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=["byzanz", "schwarzmarkt"])
def test_a_built_in_bot_answers_as_it_decides_in_process(game, name):
    """Whether it reads all of a decision or nothing."""
    session, here = sit_down(name, game), make_bot(name, game, SEED)
    codec, state = codec_for(game), game.deal(b"deal", 4)
    happened = list(game.opening(state))
    for number in range(1, 60):
        seat, legal = state.to_act, state.legal_moves()
        if seat is None:
            break
        move = legal[0]
        if len(legal) > 1:
            seen = state.observe(seat)
            events = [one for event in happened if (one := seen_by(event, seat))]
            move = here.decide(seen, legal)
            [answer] = hear(session, ask(number, len(legal), codec.decision(seen, legal, events)))

            assert (answer.match_id, answer.decision_id) == ("m", number)
            assert legal[answer.move_index] == move
        happened = list(state.apply(move))


def test_a_random_bot_looks_at_the_number_of_moves_alone():
    """Of a decision that cannot be read it does not even notice that."""
    broken = b"\x52\x01\xff"  # the field byzanz, with a byte that is no message
    [answer] = hear(sit_down("random"), ask(1, 1, broken))
    assert answer.move_index == 0

    with pytest.raises(DecodeError):
        hear(sit_down("greedy"), ask(1, 1, broken))


def test_a_decision_that_comes_again_is_not_decided_again():
    """After a reconnect the same place is answered, and no chance is used up."""
    session, other = sit_down("random"), sit_down("random")
    first, second = ask(1, 1000, b""), ask(2, 1000, b"")

    assert hear(session, first) == hear(session, first) == hear(other, first)
    assert hear(session, second) == hear(other, second)


def test_the_sdk_and_the_arena_can_be_in_one_program():
    """Their messages have the same fields and different names, and so have the heads of both."""
    assert Session.response.DESCRIPTOR.full_name == "arena_client.v1.heads.PlayResponse"
    assert BotSession.response.DESCRIPTOR.full_name == "arena.v1.heads.PlayResponse"
