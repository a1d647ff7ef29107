"""The contract every game fulfils. Nothing here knows a particular game.

A `Game` is an immutable description that makes `State`s; a `State` is one match in progress, with
one owner. What is abstract a game must say. The rest follows from the types of its fields unless it
says better, and shows only what the game names as shown: what is forgotten stays hidden.
`arena.testing.check_game` tests that a game keeps this contract.
"""

from __future__ import annotations

import copy
from abc import ABC, ABCMeta, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from itertools import permutations
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NewType, Protocol, Self, TypeAlias, TypeVar, cast

from arena.errors import (
    FormatError,
    IllegalMoveError,
    MatchNotOverError,
    OptionError,
    TableSizeError,
)
from arena.games.fields import read_list, read_object, read_text
from arena.games.notation import NOTHING, Notations, map_leaves, to_words, type_name
from arena.games.shuffle import SEED_BYTES, Chance, SeededChance

Seat = NewType("Seat", int)
"""A place at the table, 0 to players-1, clockwise."""

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"
"""A value that JSON can carry."""

Labels: TypeAlias = tuple[int, ...]
"""A renaming of the kinds: labels[kind] is the kind it becomes."""


class Move:
    """Base of all moves: frozen dataclasses that compare by what they say."""

    __slots__ = ()

    shown: ClassVar[tuple[str, ...]] = ()
    """The fields that everybody sees when the move is made; the others stay with the seat."""


class Event:
    """Base of all events: facts the rules emit, each with its audience; a dataclass.

    Nobody sees an event that does not say who may: take `PublicEvent` or `PrivateEvent`. Nobody
    changes one either. They need not be frozen, because several are made with every move and a
    frozen dataclass takes nearly four times as long to make.
    """

    __slots__ = ()

    by_chance: ClassVar[bool] = False
    """Whether the event carries an outcome of chance; such events are recorded in replays."""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may see the event whole; None means everybody."""
        return ()

    def redacted(self) -> Event | None:
        """Return what all the others see of it, None if not even that it happened."""
        return None


class PublicEvent(Event):
    """Base of the events that everybody sees whole."""

    __slots__ = ()

    audience: ClassVar[tuple[Seat, ...] | None] = None  # quicker than a property


class PrivateEvent(Event):
    """Base of the events that all know of, but not all see whole.

    Only its `seat`, or whatever `audience` it names instead, sees it whole; the others see the
    `shown` fields, and None in the rest.
    """

    __slots__ = ()

    seat: Seat
    shown: ClassVar[tuple[str, ...]] = ("seat",)

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat,)

    def redacted(self) -> Event:
        # By hand, because dataclasses.replace takes several times as long.
        kind: type[Any] = type(self)
        hidden = _hidden_fields(kind)  # type: ignore[arg-type] # mypy takes no class for hashable
        shown = {name: getattr(self, name) for name in kind.shown}
        return cast("Event", kind(**shown, **hidden))


class Shuffled(PrivateEvent):
    """Base of the events that a pile was shuffled: nobody sees its order, which is for replays."""

    __slots__ = ()

    by_chance = True
    shown: ClassVar[tuple[str, ...]] = ()

    pile: str
    order: tuple[int, ...] | None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return ()


@cache
def _hidden_fields(kind: type[Any]) -> dict[str, None]:
    """Return what stands for the fields that not everybody may see."""
    return dict.fromkeys(field.name for field in fields(kind) if field.name not in kind.shown)


def seen_by(event: Event, seat: Seat | None) -> Event | None:
    """Return the event as `seat` may see it (None: the public), or None if it may not.

    The only gate between the rules and everybody outside.
    """
    audience = event.audience
    if audience is None or (seat is not None and seat in audience):
        return event
    return event.redacted()


class AnyObservation(Protocol):
    """What every game's observation has in common."""

    @property
    def seat(self) -> Seat | None:
        """Whose observation it is; None for the public's."""
        ...

    @property
    def to_act(self) -> Seat | None:
        """The seat that owes a move; None when the match is over."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended by the rules: points and ranks by seat; equal seats share a rank."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def ranks_of(keys: Sequence[Any]) -> tuple[int, ...]:
    """Return the rank of each entry, highest key first, ties sharing a rank: 1, 1, 3."""
    ordered = sorted(keys, reverse=True)
    return tuple(ordered.index(key) + 1 for key in keys)


@dataclass(frozen=True, slots=True)
class Option:
    """A game option: `parse` turns the text a person gave into its value, or raises OptionError.

    With `is_file` the text is the content of a file the person named, never its path.
    """

    name: str
    summary: str
    default: str
    parse: Callable[[str], Json]
    is_file: bool = False


SetupT = TypeVar("SetupT")
MoveT = TypeVar("MoveT", bound=Move)
ObservationT = TypeVar("ObservationT", bound=AnyObservation)


def check_apart(cls: type[Any]) -> None:
    """Let `isinstance` look at a class by itself, though it is compiled and stands under an ABC.

    mypyc makes a class without its ABCMeta. It would have the memory of its base, in which every
    subclass of the base that was met is said to belong.
    """
    fresh: type[Any] = ABCMeta("_Apart", (), {})
    cls._abc_impl = fresh._abc_impl  # noqa: SLF001 - there is no public name for it


class State(ABC, Generic[MoveT, ObservationT]):
    """One match in progress: mutable, one owner, all chance from the deal's seed."""

    __slots__ = ()

    seats: int
    """Number of seats at the table."""

    to_act: Seat | None
    """The seat that owes a move; None when the match is over."""

    points: Sequence[int]
    """What each seat has, if that alone decides the outcome."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        check_apart(cls)

    @abstractmethod
    def legal_moves(self) -> Sequence[MoveT]:
        """Return every move the seat to act may make, each once, in the game's fixed order.

        Never empty while a seat is to act; empty when the match is over. It stays as it is when the
        match goes on, but need not be a list: where moves are many, most are never looked at, and a
        large game makes them on demand (`arena.games.packed`).
        """

    def count_legal_moves(self) -> int:
        """Return how many legal moves there are. A large game counts them without listing them."""
        return len(self.legal_moves())

    @abstractmethod
    def apply(self, move: MoveT) -> Sequence[Event]:
        """Make a move for the seat to act and return what happened, in order.

        Raises IllegalMoveError, citing the rule, for anything but a legal move; then nothing
        has changed.
        """

    @abstractmethod
    def observe(self, seat: Seat | None) -> ObservationT:
        """Return all that `seat` may know now (None: the public). Allowed at any time."""

    def default_move(self) -> MoveT:
        """Return the harmless legal move made for a seat that failed to choose: the first.

        Raises IllegalMoveError when the match is over.
        """
        if self.to_act is None:
            raise IllegalMoveError("end", "the match is over")
        return self.legal_moves()[0]

    def outcome(self) -> Outcome:
        """Return points and ranks, by `points`; raises MatchNotOverError before the end."""
        if self.to_act is not None:
            raise MatchNotOverError("the match is not over")
        return Outcome(tuple(self.points), ranks_of(self.points))

    def copy(self) -> Self:
        """Return an independent copy with the same future chance. A large game says how, faster."""
        return copy.deepcopy(self)

    @abstractmethod
    def holdings(self, seat: Seat) -> Mapping[str, int]:
        """Return the cards in a seat's hand by name. For whoever may see everything."""

    @abstractmethod
    def inventory(self) -> Mapping[str, int]:
        """Return every card of the game by name, wherever it lies. Never changes in a match."""


class Game(ABC, Generic[SetupT, MoveT, ObservationT]):
    """The rules of one game with its options settled: immutable, shared freely."""

    name: ClassVar[str]
    """The name in commands and files, lower case."""
    title: ClassVar[str]
    """The name for people."""
    table_sizes: ClassVar[tuple[int, ...]]
    """The numbers of players it is played by, rising."""
    option_specs: ClassVar[tuple[Option, ...]] = ()
    """The options the game understands; one that has some overrides `configure`."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds (goods) that `relabel` may rename, in canonical order."""
    move_types: ClassVar[tuple[type[Move], ...]] = ()
    """The kinds of moves, in the order that people are told them."""
    event_types: ClassVar[tuple[type[Event], ...]] = ()
    """The kinds of events."""
    own: ClassVar[tuple[str, ...]] = ()
    """The fields of an observation that differ by who observes; `show_hand` shows them."""
    inferred: ClassVar[tuple[str, ...]] = ()
    """The fields of an observation that a seat concludes from what it saw: cards in other hands."""
    graphs: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"points": "points", "hand_sizes": "cards in hand"}
    )
    """The fields of an observation, numbers by seat, that make a graph; and what to call them."""
    marked: ClassVar[tuple[type[Event], ...]] = ()
    """The events that are worth a mark on the time line of a match."""
    drawing: ClassVar[str] = "drawing.js"
    """The file in the game's package that draws it on web pages; without it they show its texts."""
    rules: ClassVar[str] = ""
    """The file in the game's package with its numbered rules, Markdown."""

    setup_type: ClassVar[type[Any]]
    observation_type: ClassVar[type[Any]]
    """The records of which the class is a `Game[Setup, Move, Observation]`."""

    names: Mapping[str, Sequence[str]] = MappingProxyType({})
    """What the numbers marked `Named(key)` are called, by key."""
    options: Mapping[str, Json] = MappingProxyType({})
    """The options that differ from the default, with their content (never a path)."""

    def __init_subclass__(cls) -> None:
        for base in vars(cls).get("__orig_bases__", ()):
            if getattr(base, "__origin__", None) is Game:
                cls.setup_type, _, cls.observation_type = base.__args__

    @cached_property
    def notations(self) -> Notations:
        """How the game's records are written."""
        return Notations(self.names)

    def configure(self, options: Mapping[str, Json]) -> Game[SetupT, MoveT, ObservationT]:
        """Return the game under these options; raises OptionError or CardFileError."""
        self.check_options(options)
        if options:
            raise TypeError(f"{self.name} has options and does not say how to configure them")
        return self

    @abstractmethod
    def setup(self, seed: bytes, seats: int) -> SetupT:
        """Return the complete start that the seed makes; raises TableSizeError."""

    @abstractmethod
    def start(self, setup: SetupT, chance: Chance) -> State[MoveT, ObservationT]:
        """Return a match at its start, with later chance from `chance`."""

    @abstractmethod
    def sample(
        self,
        observation: ObservationT,
        rng: Random,
        observed: State[MoveT, ObservationT] | None = None,
    ) -> State[MoveT, ObservationT]:
        """Return a random complete state that looks the same to the observation's seat.

        Built from the observation alone; everything unknown is sampled, future chance included.
        Only with `observed`, the state that was observed, its piles and future chance stay as they
        are, and the cards in other hands are sampled.
        """

    def determinize(self, observation: ObservationT, rng: Random) -> State[MoveT, ObservationT]:
        """Return a random complete state that looks the same to the observation's seat."""
        return self.sample(observation, rng)

    def redeal(
        self, state: State[MoveT, ObservationT], seat: Seat | None, rng: Random
    ) -> State[MoveT, ObservationT]:
        """Return `state` with the cards in other hands that `seat` cannot see dealt anew.

        Piles and future chance stay as they are, so that everything `seat` is entitled to see
        goes on identically. For tests of hidden information.
        """
        return self.sample(state.observe(seat), rng, state)

    def relabelings(self) -> Sequence[Labels]:
        """Return the renamings of kinds that make an equivalent deal, the identity first.

        A game that names `kinds` says that they are alike but for their cards.
        """
        return self._symmetries

    @cached_property
    def _symmetries(self) -> tuple[Labels, ...]:
        setup = self.setup(bytes(SEED_BYTES), self.table_sizes[0])
        cards = Counter(to_words(self.setup_to_json(setup)))
        every = permutations(range(len(self.kinds)))
        return tuple(
            labels
            for labels in every
            for renamed in [self._renamed(labels)]
            if {renamed.get(card, card): number for card, number in cards.items()} == cards
        )

    def relabel(self, setup: SetupT, labels: Labels) -> SetupT:
        """Return the set-up with every kind renamed: the first part of names such as `wine-1`."""
        renamed = self._renamed(labels)
        written = map_leaves(lambda card: renamed.get(card, card), self.setup_to_json(setup))
        return cast("SetupT", self.notations.read(self.setup_type, written))

    def _renamed(self, labels: Labels) -> dict[str, str]:
        """Return what the names of things become, of those that are of a kind."""
        kinds = dict(zip(self.kinds, (self.kinds[label] for label in labels), strict=True))
        every = [name for names in self.names.values() for name in names]
        parts = [(name, *name.partition("-")) for name in every]
        return {name: f"{kinds[kind]}{dash}{r}" for name, kind, dash, r in parts if kind in kinds}

    def public_move(self, move: MoveT) -> dict[str, Json]:
        """Return what everybody learns by seeing the move made, as JSON."""
        written = self.move_to_json(move)
        return {name: written[name] for name in ("type", *move.shown)}

    def move_to_json(self, move: MoveT) -> dict[str, Json]:
        """Return the move as the rules write it."""
        if type(move) not in self.move_types:
            raise FormatError(f"{move!r} is not a move of {self.title}")
        return {"type": type_name(type(move)), **self.notations.write(move)}

    def move_from_json(self, value: object) -> MoveT:
        """Return the move that JSON value writes; raises FormatError."""
        if not isinstance(value, dict) or "type" not in value:
            raise FormatError("a move must be an object with a 'type'")
        name = read_text(value["type"], "the move's type")
        kind = self._move_type(name)
        fields = self.notations.fields(kind)
        read_object(value, f"the move {name!r}", ("type", *fields))
        return cast("MoveT", self.notations.read(kind, value))

    def move_to_text(self, move: MoveT) -> str:
        """Return the move as a short line, such as `bid wine-1 spice-2`."""
        return " ".join(to_words(self.move_to_json(move)))

    def move_from_text(self, text: str) -> MoveT:
        """Return the move a line writes; raises FormatError."""
        name, *words = text.split() or [""]
        fields = self.notations.fields(self._move_type(name))
        if len(words) != len(fields) and not any(one.depth for one in fields.values()):
            raise FormatError(f"{name!r} takes {len(fields)} words, not {len(words)}")
        value = {field: one.from_words(words) for field, one in fields.items()}
        return self.move_from_json({"type": name, **value})

    @cached_property
    def _moves_by_name(self) -> dict[str, type[Move]]:
        return {type_name(kind): kind for kind in self.move_types}

    def _move_type(self, name: str) -> type[Move]:
        by_name = self._moves_by_name
        if name not in by_name:
            known = ", ".join(by_name)
            raise FormatError(f"{name!r} is not a move of {self.title} (one of {known})")
        return by_name[name]

    def setup_to_json(self, setup: SetupT) -> dict[str, Json]:
        """Return the set-up as written in a replay."""
        return self.notations.write(setup)

    def setup_from_json(self, value: object, seats: int) -> SetupT:
        """Return the set-up a replay writes, for that many seats.

        Raises FormatError unless it is a proper deal, TableSizeError for a wrong number.
        """
        self.check_table(seats)
        fields = read_object(value, "setup", self.notations.fields(self.setup_type))
        setup: SetupT = self.notations.read(self.setup_type, fields, "setup.")
        self.check_setup(setup, seats)
        return setup

    def check_setup(self, setup: SetupT, seats: int) -> None:
        """Raise FormatError unless the set-up is a proper deal: like others in shape and cards."""
        found = self.setup_to_json(setup)
        proper = self.setup_to_json(self.setup(bytes(SEED_BYTES), seats))
        if map_leaves(type, found) != map_leaves(type, proper):
            raise FormatError(f"setup must have hands and piles of the sizes for {seats} players")
        if Counter(to_words(found)) != Counter(to_words(proper)):
            raise FormatError("setup must have every card as often as the game")

    def chance_to_json(self, event: Event) -> dict[str, Json] | None:
        """Return an event's outcome of chance as a replay writes it; None if it has none."""
        if not isinstance(event, Shuffled) or event.order is None:
            return None
        order = self.notations.write(event)["order"]
        return {"what": "shuffle", "pile": event.pile, "order": order}

    def chance_from_json(self, value: Mapping[str, object]) -> tuple[str, tuple[int, ...]]:
        """Return a chance line as `("shuffle PILE", order)` or `("draw", (card,))`.

        That is what a replay without a seed gives back when the rules ask `Chance.shuffle` or
        `Chance.pick`. Raises FormatError.
        """
        piles = {kind.pile: kind for kind in self.event_types if issubclass(kind, Shuffled)}
        if not piles:
            raise FormatError(f"{self.title} leaves nothing to chance after the deal")
        fields = read_object(value, "the shuffle", ("what", "pile", "order"))
        pile = read_text(fields["pile"], "pile")
        if fields["what"] != "shuffle" or pile not in piles:
            raise FormatError(f"{self.title} leaves only shuffles to chance: {', '.join(piles)}")
        order = self.notations.fields(piles[pile])["order"]
        return f"shuffle {pile}", order.read(read_list(fields["order"], "order"), "order")

    def field_to_json(self, observation: ObservationT, name: str) -> Json:
        """Return a field of an observation as JSON, things by name: what a drawing draws."""
        field = self.notations.fields(type(observation))[name]
        return cast("Json", field.write(getattr(observation, name)))

    def event_to_json(self, event: Event) -> dict[str, Json]:
        """Return the event as JSON with its type; works on redacted events too."""
        return {"type": type_name(type(event)), **self.notations.write(event)}

    def material_to_json(self, seats: int) -> dict[str, Json]:
        """Return what is printed on cards and boards, as far as a drawing needs it."""
        return {}

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """Return the event as a sentence for a person; works on redacted events too."""
        seat = getattr(event, "seat", None)
        who = "" if seat is None else f"{names[seat]}: "
        shown = self._describe(event, ("seat",), names)
        parts = [type_name(type(event)), *(part for part in shown if not part.endswith(NOTHING))]
        return f"{who}{', '.join(parts).replace('_', ' ')}."

    def show_table(self, observation: ObservationT, names: Sequence[str]) -> str:
        """Return what everybody sees as a person would look at it, several lines."""
        shown = self._describe(observation, ("seat", *self.own), names)
        return "\n".join((f"players {' '.join(names)}", *shown))

    def show_hand(self, observation: ObservationT) -> str:
        """Return what only the observing seat sees, a line or more; not for the public."""
        others = self.notations.fields(type(observation)).keys() - set(self.own)
        return "\n".join(self._describe(observation, others))

    def show_decision(
        self, observation: ObservationT, legal_moves: Sequence[MoveT], names: Sequence[str]
    ) -> str:
        """Return what the observing seat, which is to act, decides about: a sentence or two."""
        kinds = list(dict.fromkeys(type_name(type(move)) for move in legal_moves))
        *others, last = kinds
        return f"You may {', '.join(others)} or {last}." if others else f"You must {last}."

    def show_move(self, move: MoveT, observation: ObservationT, names: Sequence[str]) -> str:
        """Return a legal move as a list of them shows it, with what it comes to."""
        return self.move_to_text(move)

    def _describe(
        self, record: Any, left_out: Collection[str], players: Sequence[str] = ()
    ) -> Iterator[str]:
        """Yield the fields of a record with their values; seats by the names of the players."""
        for name, one in self.notations.fields(type(record)).items():
            if name not in left_out:
                value = getattr(record, name)
                is_player = players and one.hint is Seat and isinstance(value, int)
                words = [players[value]] if is_player else to_words(one.write(value))
                yield f"{name} {' '.join(words) or NOTHING}"

    def opening(self, state: State[MoveT, ObservationT]) -> Sequence[Event]:
        """Return what happened before the first decision of a match fresh from `start`."""
        return ()

    def describe_tables(self) -> str:
        """Return the table sizes in words, such as `3 to 6 players`."""
        sizes = self.table_sizes
        if len(sizes) > 1 and sizes == tuple(range(sizes[0], sizes[-1] + 1)):
            return f"{sizes[0]} to {sizes[-1]} players"
        return f"{', '.join(map(str, sizes))} players"

    def deal(
        self, seed: bytes, seats: int, labels: Labels | None = None
    ) -> State[MoveT, ObservationT]:
        """Return the match that the seed makes, its kinds renamed if asked."""
        setup = self.setup(seed, seats)
        if labels is not None:
            setup = self.relabel(setup, labels)
        return self.start(setup, SeededChance(seed))

    def check_table(self, seats: int) -> None:
        """Raise TableSizeError unless the game is played by that many."""
        if seats not in self.table_sizes:
            raise TableSizeError(f"{self.name} is for {self.describe_tables()}, not {seats}")

    def check_options(self, options: Mapping[str, Json]) -> None:
        """Raise OptionError if a name is not one of the game's options."""
        known = [spec.name for spec in self.option_specs]
        for name in options:
            if name not in known:
                listed = ", ".join(known) or "none"
                raise OptionError(f"{self.name} has no option {name!r} (it has: {listed})")


AnyGame: TypeAlias = Game[Any, Any, Any]
AnyState: TypeAlias = State[Any, Any]
