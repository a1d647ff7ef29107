from __future__ import annotations

import pytest

from arena.errors import FormatError
from arena.games.byzanz import moves as bm
from arena.games.counts import pack
from arena.games.game import Move, Seat
from arena.games.schwarzmarkt import moves as sm
from arena.v1 import byzanz_pb2, play_pb2, schwarzmarkt_pb2
from arena.wire.codec import codec_for
from tests.wire import reference
from tests.wire.played import BYZANZ, SCHWARZMARKT

BYZANZ_MOVES = (
    bm.Pass(),
    bm.Bid(pack([0, 0, 23])),
    bm.Give(24),
    bm.Take(6),
    bm.Sell(pack([3, 24, 24])),
    bm.Discard(0),
    bm.Done(),
)
SCHWARZMARKT_MOVES = (
    sm.Play(0),
    sm.Play(7, Seat(0)),
    sm.Play(5, None, pack([0, 4, 4])),
    sm.Find(4),
    sm.Bury(0),
    sm.Trade(pack([0, 0, 1])),
    sm.Step(3),
    sm.Hold(),
    sm.Return(0),
)
ALL = [(BYZANZ, move) for move in BYZANZ_MOVES] + [
    (SCHWARZMARKT, move) for move in SCHWARZMARKT_MOVES
]


def test_every_type_of_move_is_tried():
    """A new type of move must be added here, and to its codec."""
    for module, moves, game in (
        (bm, BYZANZ_MOVES, BYZANZ),
        (sm, SCHWARZMARKT_MOVES, SCHWARZMARKT),
    ):
        types = {
            kind
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, Move) and kind is not Move
        }

        assert {type(move) for move in moves} == types
        assert set(codec_for(game).move_tables) == types  # type: ignore[attr-defined]


@pytest.mark.parametrize(("game", "move"), ALL)
def test_a_move_is_what_the_generated_classes_write_and_comes_back(game, move):
    """Also when it is met for the second time."""
    seen = game.deal(b"seed", 3).observe(None)
    for _ in range(2):
        written = codec_for(game).decision(seen, [move], ())

        expected = reference.decision(game.name, seen, [move], ())
        assert written == expected.SerializeToString(deterministic=True)
        assert codec_for(game).read_decision(expected) == (seen, [move])


@pytest.mark.parametrize(("game", "move"), [(BYZANZ, sm.Hold()), (SCHWARZMARKT, bm.Pass())])
def test_a_move_of_another_game_is_refused(game, move):
    """It is our own bug, so it is no FormatError."""
    with pytest.raises(TypeError, match="cannot be written here"):
        codec_for(game).decision(game.deal(b"seed", 3).observe(None), [move], ())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"type": 99},
        {"type": "TYPE_PASS", "cards": [1]},
        {"type": "TYPE_BID"},
        {"type": "TYPE_BID", "cards": [0]},
        {"type": "TYPE_BID", "cards": [26]},
        {"type": "TYPE_BID", "cards": [300]},
        {"type": "TYPE_BID", "cards": [-1]},
        {"type": "TYPE_BID", "cards": [1] * 128},
        {"type": "TYPE_BID", "cards": [1], "kind": 1},
        {"type": "TYPE_GIVE", "cards": [1, 1]},
        {"type": "TYPE_TAKE"},
        {"type": "TYPE_TAKE", "kind": 8},
        {"type": "TYPE_DISCARD"},
        {"type": "TYPE_DONE", "kind": 1},
    ],
)
def test_a_move_of_byzanz_that_makes_no_sense(fields):
    """What no rule knows is refused, not guessed."""
    state = BYZANZ.deal(b"seed", 3)
    message = reference.decision("byzanz", state.observe(None), [], ())
    message.byzanz.legal_moves.append(byzanz_pb2.ByzanzMove(**fields))

    with pytest.raises(FormatError):
        codec_for(BYZANZ).read_decision(message)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"type": 99},
        {"type": "TYPE_PLAY"},
        {"type": "TYPE_PLAY", "card": 64},
        {"type": "TYPE_PLAY", "card": 0, "spaces": 1},
        {"type": "TYPE_FIND"},
        {"type": "TYPE_FIND", "goods": [6]},
        {"type": "TYPE_BURY", "card": 0, "target": 1},
        {"type": "TYPE_TRADE"},
        {"type": "TYPE_TRADE", "goods": [0]},
        {"type": "TYPE_STEP"},
        {"type": "TYPE_HOLD", "spaces": 1},
        {"type": "TYPE_RETURN", "goods": [1, 2]},
    ],
)
def test_a_move_of_schwarzmarkt_that_makes_no_sense(fields):
    """What no rule knows is refused, not guessed."""
    state = SCHWARZMARKT.deal(b"seed", 3)
    message = reference.decision("schwarzmarkt", state.observe(None), [], ())
    message.schwarzmarkt.legal_moves.append(schwarzmarkt_pb2.SchwarzmarktMove(**fields))

    with pytest.raises(FormatError):
        codec_for(SCHWARZMARKT).read_decision(message)


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=lambda game: game.name)
def test_a_decision_of_another_game_is_refused(game):
    """The complaint says what was there instead."""
    other = "schwarzmarkt" if game is BYZANZ else "byzanz"

    with pytest.raises(FormatError, match=f"not one of {game.name}: it has nothing"):
        codec_for(game).read_decision(play_pb2.Decision())
    message = play_pb2.Decision()
    getattr(message, other).SetInParent()
    with pytest.raises(FormatError, match=f"not one of {game.name}: it has {other}"):
        codec_for(game).read_decision(message)


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=lambda game: game.name)
def test_an_observation_that_makes_no_sense(game):
    """Without seats or with an unknown phase there is nothing to decide about."""
    seen = game.deal(b"seed", 3).observe(None)
    codec = codec_for(game)
    unknown = reference.decision(game.name, seen, [], ())
    getattr(unknown, game.name).observation.phase = 77
    with pytest.raises(FormatError, match="phase 77 does not exist"):
        codec.read_decision(unknown)
    empty = reference.decision(game.name, seen, [], ())
    del getattr(empty, game.name).observation.seats[:]
    with pytest.raises(FormatError, match="it has none"):
        codec.read_decision(empty)
