"""The steps of a match as web pages read them: what changed on the table, and who may see it.

Made from observations and events that have passed the gate (`seen_by`, `observe`), so that a
document holds nothing else. The same steps come from a replay, from a match that is followed and
from the seat of a person who plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

from arena.games.game import AnyGame, Event, Json, Move, Seat
from arena.games.notation import type_name
from arena.inert import inert
from arena.referee.faults import Fault

View: TypeAlias = str
"""Who looks: `EVERYTHING`, `PUBLIC`, or the number of a seat."""

EVERYTHING: View = "everything"
PUBLIC: View = "public"

MOST_LEGAL = 500
"""How many legal moves of one decision a document lists; a person looks at no more."""


def seat_of(view: View) -> Seat | None:
    """Return the seat whose view it is; None for the public's."""
    return None if view == PUBLIC else Seat(int(view))


def views_of(seats: int) -> tuple[View, ...]:
    """Return every view of a match."""
    return (EVERYTHING, PUBLIC, *map(str, range(seats)))


def seat_names(bots: Sequence[str]) -> list[str]:
    """Return a name for each seat, harmless; with its number where a bot sits twice."""
    shown = [inert(bot) or "?" for bot in bots]
    return [
        f"{name} [{seat}]" if shown.count(name) > 1 else name for seat, name in enumerate(shown)
    ]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat decided, for those who may see it."""

    seat: Seat
    observation: Any  # before the move
    legal: Sequence[Move]
    chosen: Move
    ms: float | None = None
    bank_ms: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """The move that led to a step, as everybody sees it."""

    seat: Seat
    move: Mapping[str, Json] | None = None  # None: only its events are known
    fault: Fault | None = None
    decision: Decision | None = None


class StepWriter:
    """Writes the steps of one match, each as the difference from the one before."""

    def __init__(self, game: AnyGame, names: Sequence[str]) -> None:
        """Begin before the first step."""
        self._game = game
        self._names = names
        self._table: dict[str, Json] = {}
        self._own: dict[View, dict[str, Json]] = {}
        self._own_values: dict[View, list[Any]] = {}
        self._text: dict[View, list[int]] = {}
        self._hand: dict[View, list[int]] = {}
        self._move_numbers: dict[tuple[Move, str], int] = {}
        self._line_numbers: dict[str, int] = {}
        self._steps = 0
        self._told = (0, 0, 0)
        self.moves: list[Json] = []  # grow with the steps that refer to them
        self.lines: list[str] = []
        self.marks: list[dict[str, Json]] = []

    def write(
        self,
        seen: Mapping[View, Any],
        events: Mapping[View, Sequence[Event]],
        made: Made | None = None,
    ) -> dict[str, Json]:
        """Return the next step.

        `seen` are the observations afterwards, by view, the public's or a seat's first; `events`
        are what happened, likewise, and in the view of everything if that is to be shown.
        """
        shared = next(iter(events.values()))
        told = self._tell(shared)
        step: dict[str, Json] = {} if made is None else self._write_made(made)
        step["events"] = told
        differing = {
            view: self._tell(happened)
            for view, happened in islice(events.items(), 1, None)
            if list(happened) != list(shared)
        }
        if differing:
            step["seen"] = differing
        self._write_tables(step, seen)
        self._write_texts(step, seen)
        self._mark(shared, told, made)
        self._steps += 1
        return step

    def tell(self, step: dict[str, Json]) -> dict[str, Json]:
        """Return the last step for those who follow, with what was added since the last time."""
        moves, lines, marks = self._told
        self._told = (len(self.moves), len(self.lines), len(self.marks))
        return {
            "number": self._steps - 1,
            "step": step,
            "moves": self.moves[moves:],
            "lines": self.lines[lines:],
            "marks": self.marks[marks:],
        }

    def _write_made(self, made: Made) -> dict[str, Json]:
        step: dict[str, Json] = {"seat": made.seat}
        if made.move is not None:
            step["move"] = made.move
        if made.fault is not None:
            step["fault"] = made.fault.value
        if made.decision is not None:
            step["decision"] = self._write_decision(made.decision)
        return step

    def _write_decision(self, decision: Decision) -> dict[str, Json]:
        seen, count = decision.observation, len(decision.legal)
        shown = list(islice(decision.legal, MOST_LEGAL))
        if count > MOST_LEGAL and decision.chosen not in shown:
            shown[-1] = decision.chosen
        numbers = {move: self._move_number(move, seen) for move in shown}
        written: dict[str, Json] = {
            "seat": decision.seat,
            "text": self._game.show_decision(seen, decision.legal, self._names),
            "legal": list(numbers.values()),
            "count": count,
            "chosen": numbers[decision.chosen],
            "ms": decision.ms,
            "bank_ms": decision.bank_ms,
        }
        if count == 1:
            written["forced"] = True
        if decision.note:
            written["note"] = inert(decision.note)
        return written

    def _move_number(self, move: Move, seen: Any) -> int:
        text = self._game.show_move(move, seen, self._names)
        number = self._move_numbers.setdefault((move, text), len(self.moves))
        if number == len(self.moves):
            self.moves.append([self._game.move_to_json(move), text])
        return number

    def _tell(self, events: Iterable[Event]) -> list[Json]:
        return [
            {**self._game.event_to_json(event), "text": self._game.tell(event, self._names)}
            for event in events
        ]

    def _write_tables(self, step: dict[str, Json], seen: Mapping[View, Any]) -> None:
        own: dict[str, Json] = {}
        for number, (view, observation) in enumerate(seen.items()):
            mine = [getattr(observation, name) for name in self._game.own]
            is_new = mine != self._own_values.get(view)
            if number and not is_new:
                continue
            written = self._game.observation_to_json(observation)
            if not number:
                table = {name: written[name] for name in written if name not in self._not_shared}
                if changed := _changed(self._table, table):
                    step["table"] = changed
                self._table = table
            if is_new:
                fields = {name: written[name] for name in self._game.own}
                own[view] = _changed(self._own.get(view, {}), fields)
                self._own[view], self._own_values[view] = fields, mine
        if own:
            step["own"] = own

    @cached_property
    def _not_shared(self) -> frozenset[str]:
        return frozenset(("seat", *self._game.own))

    def _write_texts(self, step: dict[str, Json], seen: Mapping[View, Any]) -> None:
        tables: dict[str, Json] = {}
        hands: dict[str, Json] = {}
        for view, observation in seen.items():
            lines = self._number(self._game.show_table(observation, self._names))
            if lines != self._text.get(view):
                tables[view] = self._text[view] = lines
            if view != PUBLIC:
                lines = self._number(self._game.show_hand(observation))
                if lines != self._hand.get(view):
                    hands[view] = self._hand[view] = lines
        if tables:
            step["text"] = tables
        if hands:
            step["hand"] = hands

    def _number(self, text: str) -> list[int]:
        numbers = []
        for line in text.split("\n"):
            number = self._line_numbers.setdefault(line, len(self.lines))
            if number == len(self.lines):
                self.lines.append(line)
            numbers.append(number)
        return numbers

    def _mark(self, events: Sequence[Event], told: Sequence[Any], made: Made | None) -> None:
        marks: list[tuple[str, int | None, str]] = [
            (type_name(type(event)), getattr(event, "seat", None), text["text"])
            for event, text in zip(events, told, strict=True)
            if isinstance(event, self._game.marked)
        ]
        if made is not None and made.fault is not None:
            fault = made.fault.value.replace("_", " ")
            text = f"{self._names[made.seat]}: {fault}. The default move was made."
            marks.insert(0, ("fault", made.seat, text))
        self.marks += [
            {
                "step": self._steps,
                "type": kind,
                "title": kind.replace("_", " "),
                "seat": seat,
                "text": text,
            }
            for kind, seat, text in marks
        ]


def _changed(before: Mapping[str, Json], now: Mapping[str, Json]) -> dict[str, Json]:
    return {
        name: value for name, value in now.items() if name not in before or before[name] != value
    }
