"""The replay file `arena-replay/1`: JSON lines, one match, enough to play it again.

Line types are match (first), move, chance, and outcome (last). Every outcome of chance is written
behind the move that caused it, so that a reader needs no random generator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NoReturn, TypeAlias

from arena.errors import ReplayError
from arena.games.game import AnyGame, Event, Json, Move, Outcome
from arena.referee.faults import Fault, Forfeits, ended_by

FORMAT = "arena-replay/1"


@dataclass(frozen=True, slots=True)
class Entrant:
    """The bot in one seat."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class Header:
    """The match line: everything that is settled before the first move."""

    arena: str
    game: str
    options: Mapping[str, Json]
    match: str
    deal: str
    seed: bytes | None
    relabel: Sequence[str]
    seats: Sequence[Entrant]
    setup: Mapping[str, Json]


Step: TypeAlias = tuple[int, Move, int, float, Fault | None, str | None, Sequence[Event]]
"""Seat, move, number of legal moves, seconds used, fault, note, and what happened."""


class Recording:
    """What a replay will say, kept as values and written when somebody wants to read it.

    Writing takes about as long as the rules do; nothing of it happens while bots wait.
    """

    __slots__ = ("_game", "ending", "header", "steps")

    def __init__(self, game: AnyGame, header: Callable[[], Header]) -> None:
        """Begin; the header, too, is made only when it is needed."""
        self._game = game
        self.header = header
        self.steps: list[Step] = []
        self.ending: tuple[Outcome, Forfeits] | None = None

    def text(self) -> str:
        """Return the whole file; without its last line while the match has no outcome."""
        return "\n".join([*self.lines(), ""])

    def lines(self) -> Iterator[str]:
        """Yield the lines, without their ends; behind a move what chance brought about."""
        yield encode(_header_to_json(self.header()))
        yield from self._move_lines(self.steps, 0)
        if self.ending is not None:
            outcome, forfeits = self.ending
            line: dict[str, Json] = {
                "type": "outcome",
                "scores": outcome.scores,
                "ranks": outcome.ranks,
                "ended": [*map(ended_by, forfeits)],
            }
            yield encode(line)

    def tail(self) -> Iterator[list[str]]:
        """Yield the lines that were added since the last time, for ever.

        The first of all is the match line, with no seed: what chance will decide stays unknown.
        """
        lines = [encode(_header_to_json(replace(self.header(), seed=None)))]
        steps = count = 0
        while True:
            added = [*self._move_lines(self.steps[steps:], count)]
            steps, count = len(self.steps), count + len(added)
            yield lines + added
            lines = []

    def _move_lines(self, steps: Iterable[Step], count: int) -> Iterator[str]:
        """Yield the lines of steps, of which the first is behind so many lines."""
        for step in steps:
            count += 1
            yield _move_line(self._game, count, step)
            for event in step[-1]:
                chance = self._game.chance_to_json(event) if event.by_chance else None
                if chance is not None:
                    count += 1
                    yield encode({"type": "chance", "n": count} | chance)


def _move_line(game: AnyGame, number: int, step: Step) -> str:
    seat, move, legal, used_s, fault, note, _events = step
    fields = '"forced":true,' if legal == 1 else ""
    if fault is not None:
        fields += f'"fault":"{fault.value}",'
    ending = f',"note":{encode(note)}}}' if note else "}"
    # By hand: to encode a dictionary takes longer than to apply the move.
    return (
        f'{{"type":"move","n":{number},"seat":{seat},'
        f'"move":{_move_text(game, move)},"legal":{legal},'
        f'{fields}"ms":{_milliseconds(used_s * 1000)}{ending}'
    )


def _header_to_json(header: Header) -> dict[str, Json]:
    return {
        "type": "match",
        "format": FORMAT,
        "arena": header.arena,
        "game": header.game,
        "options": dict(header.options),
        "match": header.match,
        "deal": header.deal,
        "seed": None if header.seed is None else header.seed.hex(),
        "relabel": list(header.relabel),
        "players": len(header.seats),
        "seats": [{"bot": entry.bot, "version": entry.version} for entry in header.seats],
        "setup": header.setup,
    }


encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=1 << 13)
def _move_text(game: AnyGame, move: Move) -> str:
    """Return a move as JSON text; the same moves come again and again in every match."""
    return encode(game.move_to_json(move))


MOVE_LINE = re.compile(
    rb'\{"type":"move","n":([1-9]\d{0,8}),"seat":(\d|[1-9]\d),"move":(\{[^{}]*\}),'
    rb'"legal":([1-9]\d{0,8}),("forced":true,)?(?:"fault":"([a-z_]+)",)?'
    rb'"ms":(\d{1,12}\.\d{1,3})\}'
)
"""A move line in the very words of `Recording`, without a note: n, seat, move, legal, forced,
fault and ms. Such a line is strict JSON if the move is."""


def _milliseconds(ms: float) -> str:
    """Return `repr(round(ms, 3))`, which takes twice as long; 15 digits at most, thirty years."""
    text = f"{ms:.3f}".rstrip("0")
    return f"{text}0" if text[-1] == "." else text


def read_lines(data: bytes) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield each line's number, from 1, and its object; raises ReplayError at the first bad one.

    Strict: UTF-8, one object a line, no name twice in an object, no NaN.
    """
    for number, line in enumerate(split_lines(data), start=1):
        yield number, read_line(number, line)


def split_lines(data: bytes) -> list[bytes]:
    """Return the lines of a file, whose last one need not be ended."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return lines


def read_line(number: int, line: bytes) -> dict[str, object]:
    """Return the object of the line with that number, as strict as `read_lines`."""
    try:
        value = read_json(line)
    except (ValueError, RecursionError) as error:
        raise ReplayError(number, f"not a line of JSON: {_reason(error)}") from None
    if not isinstance(value, dict):
        raise ReplayError(number, "not a JSON object")
    return value


def read_json(data: bytes) -> object:
    """Return a JSON value, as strict as `read_lines`; raises ValueError or RecursionError."""
    text = data.decode("utf-8")
    if text.startswith("\ufeff"):
        raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    return _decode(text)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse).decode


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} (column {error.colno})"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
