from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.games.packed import PackedMoves
from arena.wire.byzanz import ByzanzCodec
from arena.wire.fields import bytes_field, message_field
from arena.wire.layout import Field, Kind, PureLayout, tuple_table
from arena.wire.schwarzmarkt import SchwarzmarktCodec
from tests.wire import compiled_encoder
from tests.wire.compiled_encoder import OtherRecord, Record
from tests.wire.played import BYZANZ, TABLES, moments

CODECS = {"byzanz": ByzanzCodec, "schwarzmarkt": SchwarzmarktCodec}


@pytest.fixture(params=["pure", "compiled"])
def make_layout(request):
    return PureLayout if request.param == "pure" else request.getfixturevalue("compiled")


@pytest.mark.parametrize(
    ("game", "seats"), [table[1:] for table in TABLES], ids=[table[0] for table in TABLES]
)
def test_both_writers_write_the_same_decisions(game, seats, compiled, monkeypatch):
    """Observation, moves and events of every decision of a match are the same bytes."""
    codecs = []
    for make in (PureLayout, compiled):
        monkeypatch.setattr("arena.wire.typed.make_layout", make)
        codecs.append(CODECS[game.name](game))
    pure, other = codecs

    for moment in moments(game, seats, 0):
        for seen, legal, events in moment.views():
            assert other.decision(seen, legal, events) == pure.decision(seen, legal, events)
            assert other.observation(seen) == pure.observation(seen)
            assert other.events(events) == pure.events(events)


@pytest.mark.slow
@pytest.mark.parametrize("writer", ["pure", "compiled"])
def test_packed_moves_are_written_as_the_moves_they_stand_for(writer, request, monkeypatch):
    """Not a byte tells whether moves were listed, or written from packed counts."""
    make = PureLayout if writer == "pure" else request.getfixturevalue("compiled")
    monkeypatch.setattr("arena.wire.typed.make_layout", make)
    codec = ByzanzCodec(BYZANZ)
    packed = 0
    for seats in BYZANZ.table_sizes:
        for number in range(3):
            for moment in moments(BYZANZ, seats, number):
                seen, events = moment.observations[-1], moment.events[-1]
                legal = moment.legal_moves

                written = codec.decision(seen, legal, events)

                assert written == codec.decision(seen, list(legal), events)
                packed += isinstance(legal, PackedMoves) and legal.number
    assert packed > 10_000


@pytest.mark.slow
def test_random_records(compiled):
    """Any table and any record: the same bytes; what cannot be written raises."""
    compiled_encoder.fuzz(compiled, seed=2, count=2000)


@pytest.mark.slow
def test_sanitizers_find_nothing(compiler, tmp_path):
    """Neither memory is misused nor an operation undefined, whatever is to be written."""
    path = tmp_path / "_encoder.so"
    flags = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    compiled_encoder.build(compiler, path, *flags)
    library = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0",  # Python leaves what it needs until the end
        "PYTHONMALLOC": "malloc",  # so that every object is watched
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.wire.compiled_encoder", path, "2", "1000"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "no crash\n"), done.stderr


@pytest.mark.parametrize("length", [0, 1, 127, 128, 16_383, 16_384, 100_000])
def test_messages_of_any_length(make_layout, length):
    """The length in front takes as many bytes as it needs, and what is nested moves along."""
    outer = [Field(1, Kind.MESSAGE, None, [Field(2, Kind.ENUMS, 0)])]
    numbers = b"\x01" * length

    written = make_layout(outer).write(((0,) * length,))

    assert written == message_field(1, bytes_field(2, numbers))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Kind.NUMBER, -1),
        (Kind.OPTIONAL, -1),
        (Kind.NUMBER, 2**64),
        (Kind.ENUM, 2**64 - 1),
        (Kind.COUNTS, -1),
        (Kind.COUNTS, 1 << 512),
        (Kind.INDICES, 1 << 512),
    ],
)
def test_a_number_that_has_no_place_on_the_wire_is_refused(make_layout, kind, value):
    """It would be an endless, a wrong or a shortened one."""
    with pytest.raises(ValueError, match="cannot be written"):
        make_layout([Field(1, kind, 0)]).write((value,))


def test_fields_that_are_bytes_already_go_in_as_they_are(make_layout):
    """What is no bytes is refused."""
    layout = make_layout([Field(1, Kind.MESSAGE, None, [Field(2, Kind.FIELDS, 0)])])

    assert layout.write((bytes_field(3, b"ready"),)) == message_field(1, bytes_field(3, b"ready"))
    with pytest.raises(TypeError, match="bytes"):
        layout.write((5,))


def test_a_record_of_an_unknown_type_is_refused(make_layout):
    """Which one it is stands in the complaint."""
    layout = make_layout([Field(1, Kind.CHOICE, None, {Record: []})])

    with pytest.raises(TypeError, match="'stranger' cannot be written here"):
        layout.write([Record(), "stranger"])


def test_columns_must_be_equally_long(make_layout):
    """Else a seat would get what is another's."""
    rows = [Field(1, Kind.NUMBER, 0), Field(2, Kind.NUMBER, 1)]

    with pytest.raises(ValueError, match=r"equally long|argument 2 is (shorter|longer)"):
        make_layout([Field(1, Kind.ROWS, None, rows)]).write(((1, 2), (1,)))


@pytest.mark.parametrize(
    "entry",
    [
        "no tuple",
        (1, 2, 3),
        (0, Kind.NUMBER, 0, None),
        (1 << 29, Kind.NUMBER, 0, None),
        (1, 99, 0, None),
        (1, -1, 0, None),
        (1, Kind.NUMBER, -1, None),
        (1, Kind.NUMBER, 1.5, None),
        (1, Kind.CONSTANT, None, "text"),
        (1, Kind.NAME, 0, 5),
        (1, Kind.MESSAGE, 0, 5),
        (1, Kind.MESSAGES, 0, [None]),
        (1, Kind.CHOICE, 0, 5),
        (1, Kind.CHOICE, 0, {int: [None]}),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(compiled, entry):
    """The compiled writer trusts no table: a wrong one must not reach it."""
    with pytest.raises((TypeError, ValueError, OverflowError, AttributeError)):
        compiled([(1, Kind.NUMBER, 0, None), entry])


def test_tables_cannot_nest_for_ever(compiled):
    """The depth is bounded, and so is the stack."""
    table = [Field(1, Kind.NUMBER, 0)]
    for _ in range(20):
        table = [Field(1, Kind.MESSAGE, None, table)]

    with pytest.raises(ValueError, match="nest"):
        compiled(table)


def test_records_may_change_while_they_are_written(compiled):
    """Reading an attribute may run any code: a list that shrinks meanwhile is no danger."""
    records: list[object] = []

    class Shrinking:
        @property
        def number(self):
            records.clear()
            return 1

    records += [Shrinking() for _ in range(10)]
    layout = compiled([Field(1, Kind.CHOICE, None, {Shrinking: [Field(1, Kind.NUMBER, "number")]})])

    assert layout.write(records) == b"\x0a\x02\x08\x01"


def test_a_slot_without_a_value_is_refused(make_layout):
    """As any attribute that is not there."""
    record = OtherRecord(1)
    layout = make_layout([Field(1, Kind.CHOICE, None, {OtherRecord: [Field(1, Kind.NUMBER, "a")]})])
    assert layout.write([record]) == b"\x0a\x02\x08\x01"
    del record.a

    with pytest.raises(AttributeError):
        layout.write([record])


def test_names_of_fields_become_places():
    """A table of a named tuple says names, also of columns."""
    rows = [Field(1, Kind.NUMBER, "source")]
    named = [Field(1, Kind.NUMBER, "kind"), Field(2, Kind.ROWS, inner=rows)]

    assert tuple_table(Field, named) == [
        Field(1, Kind.NUMBER, 1),
        Field(2, Kind.ROWS, None, [Field(1, Kind.NUMBER, 2)]),
    ]
