from __future__ import annotations

import pytest

from arena.errors import FormatError
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.answers import KINDS, Answer, list_answers
from tests.wire.compiled_encoder import fuzz_reader

PLAIN = [
    play_pb2.Answer(match_id="t1/7.2", decision_id=1, move_index=0),
    play_pb2.Answer(match_id="m", decision_id=300, move_index=127, note="why not"),
    play_pb2.Answer(match_id="m" * 200, decision_id=(1 << 28) - 1, move_index=128),
    play_pb2.Answer(move_index=0),
    play_pb2.Answer(),
]
ODD = [
    play_pb2.Answer(match_id="Zürich", decision_id=1, move_index=0),
    play_pb2.Answer(match_id="m", decision_id=1, move_index=0, note="…"),
    play_pb2.Answer(decision_id=1 << 28, move_index=0),
    play_pb2.Answer(move_index=(1 << 32) - 1),
]


def request(*answers: play_pb2.Answer) -> bytes:
    answered = play_pb2.Answers(answers=answers)
    return play_pb2.PlayRequest(answers=answered).SerializeToString()


def decoded(data: bytes) -> list[Answer] | None:
    """Return what the generated classes say; None if it is no message of answers."""
    try:
        message = play.read_request(data)
    except FormatError:
        return None
    return list_answers(message.answers) if message.HasField("answers") else None


@pytest.fixture(scope="module")
def read(compiled_module):
    outer = play_pb2.PlayRequest.ANSWERS_FIELD_NUMBER
    inner = play_pb2.Answers.ANSWERS_FIELD_NUMBER
    return compiled_module.Reader(Answer, outer, inner, KINDS).read


def test_plain_answers_are_read_without_the_generated_classes(read):
    """They are the same records, of the same types."""
    for answers in ([], PLAIN, *([one] for one in PLAIN)):
        data = request(*answers)

        assert read(data) == decoded(data)
        assert all(type(one) is Answer for one in read(data))


@pytest.mark.parametrize("answer", ODD, ids=range(len(ODD)))
def test_what_is_less_plain_is_left_to_the_generated_classes(read, answer):
    """The others of the message with it."""
    assert read(request(PLAIN[0], answer)) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x12",
        b"\x12\x05\x0a",
        b"\x12\x00\x12\x00",  # two fields that merge
        b"\x12\x04\x0a\x02\x08\x01",  # a number where a text belongs
        b"\x12\x06\x0a\x04\x10\x01\x10\x02",  # twice the same field
        b"\x12\x06\x0a\x04\x18\x01\x10\x02",  # out of order
        b"\x12\x04\x0a\x02\x28\x01",  # an unknown field
        b"\x12\x0a\x0a\x08\x10\xff\xff\xff\xff\xff\xff\x01",
        b"\x12\xff\xff\xff\xff\x0f",
        play_pb2.PlayRequest(leave=play_pb2.Leave()).SerializeToString(),
    ],
)
def test_other_messages_are_left_to_the_generated_classes(read, data):
    """Also those that nobody can read."""
    assert read(data) is None


@pytest.mark.slow
def test_random_messages(compiled_module):
    """Whatever was changed in a message: either it is left to the generated classes, or equal."""
    seeds = [request(*answers) for answers in (PLAIN, ODD, *([one] for one in PLAIN))]
    read = 0
    for data, answers in fuzz_reader(compiled_module, seeds, 3, 50_000):
        read += answers is not None
        assert answers is None or answers == decoded(data), data
    assert read > 5_000


@pytest.mark.parametrize(
    "arguments",
    [
        (list, 2, 1, KINDS),
        (5, 2, 1, KINDS),
        (Answer, 0, 1, KINDS),
        (Answer, 2, 16, KINDS),
        (Answer, 2, 1, [0]),
        (Answer, 2, 1, (3,)),
        (Answer, 2, 1, (-1,)),
        (Answer, 2, 1, ("text",)),
        (Answer, 2, 1, (0,) * 9),
    ],
)
def test_a_reader_that_makes_no_sense_is_refused(compiled_module, arguments):
    """The compiled reader trusts nobody."""
    with pytest.raises((TypeError, ValueError)):
        compiled_module.Reader(*arguments)


def test_only_bytes_are_read(read):
    """Anything else is a mistake of the caller."""
    with pytest.raises(TypeError):
        read("text")
