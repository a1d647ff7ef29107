"""The steps of a match as web pages read them: what changed on the table, and who may see it.

Made from observations and events that have passed the gate (`seen_by`, `observe`), so that a
document holds nothing else. The same steps come from a replay, from a match that is followed and
from the seat of a person who plays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from arena.games.game import AnyGame, Event, Json, Move, Seat
from arena.games.notation import type_name
from arena.inert import inert
from arena.referee.faults import Fault
from arena.web.drawings import drawing_of

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
        self._is_told = drawing_of(game) is None  # the table in words is for want of a drawing
        self._values: defaultdict[View, dict[str, Any]] = defaultdict(dict)  # told last, by view
        self._shared: list[str] = []  # fields of the table, known with the first observation
        self._table: dict[str, Json] = {}
        self._text: dict[View, list[int]] = {}
        self._hand: dict[View, list[int]] = {}
        self._move_numbers = _Numbers()
        self._line_numbers = _Numbers()
        self._steps = 0
        self._told = (0, 0, 0)
        self.moves = self._move_numbers.texts  # grow with the steps that refer to them
        self.lines = self._line_numbers.texts
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
        step: dict[str, Json] = {} if made is None else self._write_made(made)
        step["events"] = self._tell(shared)
        differing = {
            view: self._tell(happened)
            for view, happened in islice(events.items(), 1, None)
            if happened != shared
        }
        if differing:
            step["seen"] = differing
        self._write_tables(step, seen)
        if self._is_told:
            self._write_texts(step, seen)
        self._mark(shared, made)
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
        show = self._game.show_move
        texts = [show(move, seen, self._names) for move in shown]
        numbers = [self._move_numbers[text] for text in texts]
        written: dict[str, Json] = {
            "text": self._game.show_decision(seen, decision.legal, self._names),
            "legal": _in_runs(numbers),
            "chosen": numbers[shown.index(decision.chosen)],
            "ms": decision.ms,
        }
        if count > len(shown):
            written["count"] = count
        if decision.bank_ms is not None:
            written["bank_ms"] = decision.bank_ms
        if decision.note:
            written["note"] = inert(decision.note)
        return written

    def _tell(self, events: Iterable[Event]) -> list[Json]:
        return [
            {**self._game.event_to_json(event), "text": self._game.tell(event, self._names)}
            for event in events
        ]

    def _write_tables(self, step: dict[str, Json], seen: Mapping[View, Any]) -> None:
        view, observation = next(iter(seen.items()))
        table: dict[str, Json] = {}
        items: dict[str, Json] = {}
        if not self._shared:
            fields = self._game.notations.fields(type(observation))
            self._shared = [n for n in fields if n != "seat" and n not in self._game.own]
        for name, value in self._changes(view, observation, self._shared).items():
            some = _changed_items(self._table.get(name), value)
            (table if some is None else items)[name] = value if some is None else some
            self._table[name] = value
        own: dict[str, Json] = {}
        for view, observation in seen.items():
            if changes := self._changes(view, observation, self._game.own):
                own[view] = changes
        step |= {
            name: part for name, part in (("table", table), ("items", items), ("own", own)) if part
        }

    def _changes(self, view: View, observation: Any, names: Iterable[str]) -> dict[str, Json]:
        """Return the fields that are not what the view was told before."""
        told = self._values[view]
        changes: dict[str, Json] = {}
        for name in names:
            value = getattr(observation, name)
            if told.get(name, told) != value:
                told[name] = value
                changes[name] = self._game.field_to_json(observation, name)
        return changes

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
        return [self._line_numbers[line] for line in text.split("\n")]

    def _mark(self, events: Sequence[Event], made: Made | None) -> None:
        marks: list[tuple[str, int | None]] = [
            (type_name(type(event)), getattr(event, "seat", None))
            for event in events
            if isinstance(event, self._game.marked)
        ]
        if made is not None and made.fault is not None:
            marks.insert(0, ("fault", made.seat))
        self.marks += [{"step": self._steps, "type": kind, "seat": seat} for kind, seat in marks]


class _Numbers(dict[str, int]):
    """The numbers of texts in a list, to which a new one is added when it is looked up."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self.texts)
        self.texts.append(text)
        return number


def _in_runs(numbers: Sequence[int]) -> list[Json]:
    """Return numbers as a list in which three or more in a row are `[first, last]`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [part for first, last in runs for part in _run(first, last)]


def _run(first: int, last: int) -> list[Json]:
    return [[first, last]] if last - first > 1 else [*range(first, last + 1)]


def _changed_items(before: Json, now: Json) -> dict[str, Json] | None:
    """Return the items of a list that changed, by index; None if most have, or it is no list."""
    if not isinstance(before, list) or not isinstance(now, list) or len(before) != len(now):
        return None
    changed = {str(at): item for at, item in enumerate(now) if item != before[at]}
    return changed if 2 * len(changed) <= len(now) else None
