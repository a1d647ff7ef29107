from __future__ import annotations

import pytest
from google.protobuf import duration_pb2
from hypothesis import given
from hypothesis import strategies as st

from arena.games.counts import pack
from arena.v1 import byzanz_pb2, play_pb2, schwarzmarkt_pb2
from arena.wire import fields

NUMBERS = (0, 1, 127, 128, 255, 4095, 4096, 16383, 16384, 2**31 - 1)


@pytest.mark.parametrize("value", NUMBERS)
def test_a_number_field_is_what_the_generated_classes_write(value):
    """Short and long numbers, in and beyond the table; zero is left out."""
    expected = duration_pb2.Duration(nanos=value)

    assert fields.number_field(2, value) == expected.SerializeToString()


@given(st.integers(min_value=0, max_value=2**63 - 1))
def test_any_number_decodes_as_itself(value):
    """Whatever its length, a number comes back."""
    data = fields.number_field(1, value)

    assert duration_pb2.Duration.FromString(data).seconds == value


def test_a_negative_number_is_refused():
    """A negative number would be an endless or a wrong one."""
    with pytest.raises(ValueError, match="negative"):
        fields.varint(-1)


@pytest.mark.parametrize("value", [None, 0, 1, 300])
def test_an_optional_field_tells_zero_from_nothing(value):
    """Zero is written, None is not."""
    expected = play_pb2.Answer(move_index=value)

    assert fields.optional_field(3, value) == expected.SerializeToString()


@pytest.mark.parametrize("length", [0, 1, 127, 128, 20_000])
def test_a_text_of_any_length_is_what_the_generated_classes_write(length):
    """Lengths of one, two and three bytes; an empty text is left out."""
    expected = play_pb2.Leave(reason="x" * length)

    assert fields.bytes_field(1, b"x" * length) == expected.SerializeToString()


def test_an_empty_message_is_written():
    """That a message field is there says something, even if nothing is in it."""
    expected = play_pb2.PlayRequest(leave=play_pb2.Leave())

    assert fields.message_field(3, b"") == expected.SerializeToString()


@given(st.lists(st.integers(0, 24), max_size=60))
def test_a_multiset_is_a_list_of_enum_values(cards):
    """Cards come in rising order, each as often as it is there, card 0 as 1."""
    numbers = [card + 1 for card in sorted(cards)]
    expected = byzanz_pb2.ByzanzMarketCleared.FromString(fields.counts_field(1, pack(cards)))

    assert list(expected.cards) == numbers
    assert expected.SerializeToString() == fields.counts_field(1, pack(cards))


@given(st.lists(st.integers(0, 63), max_size=100))
def test_a_multiset_is_a_list_of_numbers(cards):
    """Black-market cards keep their numbers, all 64 of them."""
    written = fields.indices_field(18, pack(cards))
    read = schwarzmarkt_pb2.SchwarzmarktObservation.FromString(written)

    assert list(read.seen_cards) == sorted(cards)
    assert read.SerializeToString() == written


def test_parts_are_made_once():
    """A part is written when it is first asked for."""
    asked = []

    def write(key: int) -> bytes:
        asked.append(key)
        return bytes((key,))

    parts = fields.Parts(write)

    assert [parts[1], parts[2], parts[1]] == [b"\x01", b"\x02", b"\x01"]
    assert asked == [1, 2]


def test_parts_do_not_grow_for_ever():
    """When it is full a cache starts again."""
    parts: fields.Parts[int] = fields.Parts(lambda key: b"%d" % key, most=10)
    for key in range(1000):
        assert parts[key] == b"%d" % key
        assert len(parts) <= 10
