"""The encoder compiled from this checkout, whatever is installed; and random records for it.

Run as a program, it fuzzes one that was built with sanitizers: `FILE SEED COUNT`.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

from arena.games.packed import Sums
from arena.wire.answers import KINDS, Answer
from arena.wire.layout import Field, Kind, Layout, PureLayout, Table

SOURCE = Path(__file__).parents[2] / "arena" / "wire" / "_encoder.c"
NAME = "arena.wire._encoder"


def build(compiler: str, target: Path, *flags: str) -> None:
    """Compile the encoder; every warning is an error."""
    include = sysconfig.get_paths()["include"]
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type")
    subprocess.run(
        [compiler, "-shared", "-fPIC", *warnings, *flags, f"-I{include}", SOURCE, "-o", target],
        check=True,
    )


def load(path: Path) -> Any:
    """Return the module in that file."""
    loader = ExtensionFileLoader(NAME, str(path))
    spec = spec_from_file_location(NAME, path, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


class Record:
    """A record with attributes."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


class OtherRecord:
    """One of another type, with its attribute in a slot."""

    __slots__ = ("a",)

    def __init__(self, a: Any) -> None:
        self.a = a


GARBAGE: tuple[Any, ...] = (
    None,
    -1,
    2**64,
    2**512,
    1.5,
    "x",
    b"",
    (),
    [],
    (1,),
    [None],
    {},
    object,
    Record(a=1),
)


def number(rng: Random) -> int:
    """Return a number of any length, small ones mostly."""
    return rng.getrandbits(rng.choice((1, 3, 7, 8, 14, 32, 63)))


def multiset(rng: Random) -> int:
    """Return a multiset of any types of cards; one in three is empty."""
    lanes = rng.choices((0, 0, 1, 2, 127), k=rng.choice((0, 3, 64)))
    return int.from_bytes(lanes, "little")


VALUES: dict[Kind, Callable[[Random], Any]] = {
    Kind.NUMBER: number,
    Kind.OPTIONAL: lambda rng: rng.choice((None, number(rng))),
    Kind.ENUM: lambda rng: rng.choice((None, number(rng))),
    Kind.COUNTS: multiset,
    Kind.INDICES: multiset,
    Kind.ENUMS: lambda rng: tuple(number(rng) for _ in range(rng.choice((0, 1, 40)))),
    Kind.ONE_ENUM: number,
    Kind.NAME: lambda rng: rng.choice(("a", "b")),
    Kind.FIELDS: lambda rng: rng.randbytes(rng.choice((0, 1, 5_000))),
}


def tuple_of(rng: Random, depth: int) -> tuple[Table, Callable[[], tuple[Any, ...]]]:
    """Return a random table for tuples, and what makes random records for it."""
    table: list[Field] = []
    makers: list[Callable[[], Any]] = []
    for field_number in sorted(rng.sample(range(1, 3000), rng.randint(0, 6))):
        kind = rng.choice(list(Kind) if depth else list(VALUES))
        place = len(makers)
        if kind is Kind.CONSTANT:
            table.append(Field(field_number, kind, None, rng.randbytes(3)))
        elif kind is Kind.ROWS:
            columns = [rng.choice(list(VALUES)) for _ in range(rng.randint(1, 3))]
            rows = rng.randint(0, 4)
            table.append(
                Field(
                    field_number,
                    kind,
                    None,
                    [scalar(one, of, place + one - 1) for one, of in enumerate(columns, 1)],
                )
            )
            makers += [partial(column, rng, of, rows) for of in columns]
        elif kind in {Kind.MESSAGE, Kind.MESSAGES}:
            inner, make = tuple_of(rng, depth - 1)
            table.append(Field(field_number, kind, place, inner))
            makers.append(make if kind is Kind.MESSAGE else partial(many, rng, make))
        elif kind is Kind.SUMS:
            of = rng.choice((Kind.COUNTS, Kind.INDICES))
            constant = Field(1, Kind.CONSTANT, None, rng.randbytes(3))
            table.append(Field(field_number, kind, place, [constant, Field(2, of)]))
            makers.append(partial(sums, rng))
        elif kind is Kind.CHOICE:
            of = rng.choice(list(VALUES))
            own = [scalar(1, of, "a")]
            wrapped = [Field(2, Kind.MESSAGE, None, own)]
            table.append(Field(field_number, kind, place, {Record: own, OtherRecord: wrapped}))
            makers.append(partial(many, rng, partial(any_record, rng, of)))
        else:
            table.append(scalar(field_number, kind, place))
            makers.append(partial(VALUES[kind], rng))
    return table, lambda: tuple(make() for make in makers)


def scalar(number: int, kind: Kind, source: int | str) -> Field:
    """Return a field of one value."""
    return Field(number, kind, source, {"a": 0, "b": 7} if kind is Kind.NAME else None)


def column(rng: Random, kind: Kind, rows: int) -> tuple[Any, ...]:
    """Return a value for each row."""
    return tuple(VALUES[kind](rng) for _ in range(rows))


def sums(rng: Random) -> Sums:
    """Return parts of two kinds, the other ones by rising value."""
    parts, others = (column(rng, Kind.COUNTS, rng.choice((0, 1, 6))) for _ in range(2))
    values, more = (tuple(sorted(rng.choices(range(9), k=len(made)))) for made in (parts, others))
    return parts, values[::-1], others, more, rng.randrange(9)


def any_record(rng: Random, kind: Kind) -> Record | OtherRecord:
    """Return a record of either type."""
    types: tuple[type[Record], type[OtherRecord]] = (Record, OtherRecord)
    return rng.choice(types)(a=VALUES[kind](rng))


def many(rng: Random, make: Callable[[], Any]) -> Sequence[Any]:
    """Return some records, as a tuple: it is looked up by those that cache."""
    return tuple(make() for _ in range(rng.randint(0, 5)))


def spoil(rng: Random, record: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the record with something in it that has no place there, or cut."""
    if not record or rng.random() < 0.1:
        return record[:-1]
    place = rng.randrange(len(record))
    value = rng.choice(GARBAGE)
    if isinstance(record[place], tuple) and rng.random() < 0.5:
        value = (*record[place], value)
    return (*record[:place], value, *record[place + 1 :])


def fuzz(
    make_layout: Callable[[Table], Layout], seed: int, count: int, *, compares: bool = True
) -> None:
    """Write random records by random tables: as PureLayout does, or, spoilt, without a crash.

    The same ones whether they are compared or not.
    """
    rng = Random(seed)
    for _ in range(count):
        table, make = tuple_of(rng, 3)
        layout, pure = make_layout(table), PureLayout(table) if compares else None
        for _ in range(5):
            record = make()
            written = layout.write(record)
            assert pure is None or written == pure.write(record), (table, record)
            for spoilt in (spoil(rng, record), rng.choice(GARBAGE)):
                try:
                    layout.write(spoilt)
                except (TypeError, ValueError, KeyError, AttributeError):
                    continue


def fuzz_reader(module: Any, seeds: Sequence[bytes], seed: int, count: int) -> Iterator[Any]:
    """Yield messages that were changed here and there, and what the reader of answers says."""
    reader = module.Reader(Answer, 2, 1, KINDS)
    rng = Random(seed)
    for _ in range(count):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randint(0, 3)):
            place = rng.randrange(len(data) + 1)
            data[place : place + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
        yield bytes(data), reader.read(bytes(data))


PLAIN = b"\x12\x18\x0a\x08\x0a\x02m1\x10\x01\x18\x00\x0a\x0c\x0a\x01m\x10\x80\x01\x18\x05\x22\x02no"

if __name__ == "__main__":
    built, first, how_many = load(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
    fuzz(built.Layout, first, how_many, compares=False)
    assert any(said for _, said in fuzz_reader(built, [PLAIN], first, 10 * how_many))
    print("no crash")
