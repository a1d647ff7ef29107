"""Answers are written without protobuf, in the bytes that protobuf would write."""

from __future__ import annotations

from itertools import product

from fake_arena import decision, started

from arena_client import Bot, Decision
from arena_client.players import Players
from arena_client.v1 import play_pb2

LARGEST = 2**32 - 1


class Noting(Bot):
    def decide(self, decision: Decision) -> int:
        decision.note = decision.message.faults[0].seat * "ä"
        return decision.legal_count - 1


NUMBERS = (1, 127, 128, 16_383, 16_384, LARGEST)
INDICES = (0, 1, 127, 128, 300, LARGEST - 1)
LENGTHS = (0, 1, 63, 64, 10_000)
NAMES = ("m", "ü" * 64)


def test_an_answer_is_what_protobuf_writes() -> None:
    """Numbers, names and notes of all sizes, to the byte."""
    for number, index, length, match_id in product(NUMBERS, INDICES, LENGTHS, NAMES):
        players = Players(Noting, print, print, print)
        players.start(started(match_id))
        asked = decision(match_id, number)
        asked.legal_count = index + 1
        asked.faults.add(seat=length)
        players.ask([asked])
        players.decide()

        [answer] = players.take_ready()
        expected = play_pb2.Answer(
            match_id=match_id, decision_id=number, move_index=index, note=length * "ä"
        )
        assert answer == expected.SerializeToString(deterministic=True)


def test_answers_of_a_match_that_has_ended_are_withdrawn() -> None:
    """Those of other matches stay, however alike their names are."""
    names = ["m", "m1", "\n\x01m"]
    players = Players(Noting, print, print, print)
    for name in names:
        players.start(started(name))
    asked = [decision(name, 1) for name in names]
    for one in asked:
        one.faults.add()
    players.ask(asked)
    players.decide()
    players.end(play_pb2.MatchEnded(match_id="m"))

    kept = [play_pb2.Answer.FromString(answer).match_id for answer in players.take_ready()]
    assert kept == names[1:]
