"""The contract every game fulfils. Nothing here knows a particular game.

A `Game` is an immutable description that makes `State`s; a `State` is one match in progress, with
one owner. `arena.testing.check_game` tests that a game keeps this contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from random import Random
from typing import Any, ClassVar, Generic, NewType, Protocol, TypeAlias, TypeVar, cast

from arena.errors import OptionError, TableSizeError
from arena.games.shuffle import Chance, SeededChance

Seat = NewType("Seat", int)
"""A place at the table, 0 to players-1, clockwise."""

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"
"""A value that JSON can carry."""

Labels: TypeAlias = tuple[int, ...]
"""A renaming of the kinds: labels[kind] is the kind it becomes."""


class Move:
    """Base of all moves: frozen values that compare by what they say."""

    __slots__ = ("encoded",)

    encoded: bytes
    """Where a codec keeps what the move is on the wire. Unset until then, no part of the value."""


class Event:
    """Base of all events: facts the rules emit, each with its audience.

    Nobody changes an event. They need not be frozen, because several are made with every move and
    a frozen dataclass takes nearly four times as long to make.
    """

    __slots__ = ()

    by_chance: ClassVar[bool] = False
    """Whether the event carries an outcome of chance; such events are recorded in replays."""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may see the event whole; None means everybody."""
        return None

    def redacted(self) -> Event | None:
        """Return what all the others see of it, None if not even that it happened."""
        return None


class PrivateEvent(Event):
    """Base of the events that all know of, but not all see whole.

    A subclass is a dataclass. Only its `seat`, or whatever `audience` it names instead, sees its
    `hidden` fields; the others see None there.
    """

    __slots__ = ()

    seat: Seat
    hidden: ClassVar[tuple[str, ...]]

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat,)

    def redacted(self) -> Event:
        # By hand, because dataclasses.replace takes several times as long.
        kind: type[Any] = type(self)
        names = _shown_fields(kind)  # type: ignore[arg-type] # mypy takes no class for hashable
        shown = {name: getattr(self, name) for name in names}
        return cast("Event", kind(**shown, **dict.fromkeys(self.hidden)))


@cache
def _shown_fields(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields that everybody may see."""
    return tuple(field.name for field in fields(kind) if field.name not in kind.hidden)


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


ValueT = TypeVar("ValueT")


def replaced(values: tuple[ValueT, ...], seat: int, value: ValueT) -> tuple[ValueT, ...]:
    """Return the values by seat with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


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


class State(ABC, Generic[MoveT, ObservationT]):
    """One match in progress: mutable, one owner, all chance from the deal's seed."""

    __slots__ = ()

    seats: int
    """Number of seats at the table."""

    to_act: Seat | None
    """The seat that owes a move; None when the match is over."""

    @abstractmethod
    def legal_moves(self) -> Sequence[MoveT]:
        """Return every move the seat to act may make, each once, in the game's fixed order.

        Never empty while a seat is to act; empty when the match is over.
        """

    @abstractmethod
    def apply(self, move: MoveT) -> Sequence[Event]:
        """Make a move for the seat to act and return what happened, in order.

        Raises IllegalMoveError, citing the rule, for anything but a legal move; then nothing
        has changed.
        """

    @abstractmethod
    def observe(self, seat: Seat | None) -> ObservationT:
        """Return all that `seat` may know now (None: the public). Allowed at any time."""

    @abstractmethod
    def default_move(self) -> MoveT:
        """Return the harmless legal move made for a seat that failed to choose.

        Raises IllegalMoveError when the match is over.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return points and ranks; raises MatchNotOverError before the end."""

    @abstractmethod
    def copy(self) -> State[MoveT, ObservationT]:
        """Return an independent copy with the same future chance."""

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
    """The options the game understands."""
    kinds: ClassVar[tuple[str, ...]]
    """The kinds (goods) that `relabel` may rename, in canonical order."""

    options: Mapping[str, Json]
    """The options that differ from the default, with their content (never a path)."""

    @abstractmethod
    def configure(self, options: Mapping[str, Json]) -> Game[SetupT, MoveT, ObservationT]:
        """Return the game under these options; raises OptionError or CardFileError."""

    @abstractmethod
    def setup(self, seed: bytes, seats: int) -> SetupT:
        """Return the complete start that the seed makes; raises TableSizeError."""

    @abstractmethod
    def start(self, setup: SetupT, chance: Chance) -> State[MoveT, ObservationT]:
        """Return a match at its start, with later chance from `chance`."""

    @abstractmethod
    def relabelings(self) -> Sequence[Labels]:
        """Return the renamings of kinds that make an equivalent deal, the identity first."""

    @abstractmethod
    def relabel(self, setup: SetupT, labels: Labels) -> SetupT:
        """Return the set-up with every kind renamed."""

    @abstractmethod
    def determinize(self, observation: ObservationT, rng: Random) -> State[MoveT, ObservationT]:
        """Return a random complete state that looks the same to the observation's seat.

        Built from the observation alone; everything unknown is sampled, future chance included.
        """

    @abstractmethod
    def redeal(
        self, state: State[MoveT, ObservationT], seat: Seat | None, rng: Random
    ) -> State[MoveT, ObservationT]:
        """Return `state` with the cards in other hands that `seat` cannot see dealt anew.

        Piles and future chance stay as they are, so that everything `seat` is entitled to see
        goes on identically. For tests of hidden information.
        """

    @abstractmethod
    def public_move(self, move: MoveT) -> dict[str, Json]:
        """Return what everybody learns by seeing the move made, as JSON."""

    @abstractmethod
    def move_to_json(self, move: MoveT) -> dict[str, Json]:
        """Return the move as the rules write it."""

    @abstractmethod
    def move_from_json(self, value: object) -> MoveT:
        """Return the move that JSON value writes; raises FormatError."""

    @abstractmethod
    def move_to_text(self, move: MoveT) -> str:
        """Return the move as a short line, such as `bid wine-1 spice-2`."""

    @abstractmethod
    def move_from_text(self, text: str) -> MoveT:
        """Return the move a line writes; raises FormatError."""

    @abstractmethod
    def setup_to_json(self, setup: SetupT) -> dict[str, Json]:
        """Return the set-up as written in a replay."""

    @abstractmethod
    def setup_from_json(self, value: object, seats: int) -> SetupT:
        """Return the set-up a replay writes, for that many seats.

        Raises FormatError unless it is a proper deal, TableSizeError for a wrong number.
        """

    @abstractmethod
    def chance_to_json(self, event: Event) -> dict[str, Json] | None:
        """Return an event's outcome of chance as a replay writes it; None if it has none."""

    @abstractmethod
    def chance_from_json(self, value: Mapping[str, object]) -> tuple[str, tuple[int, ...]]:
        """Return a chance line as `("shuffle PILE", order)` or `("draw", (card,))`.

        That is what a replay without a seed gives back when the rules ask `Chance.shuffle` or
        `Chance.pick`. Raises FormatError.
        """

    @abstractmethod
    def tell(self, event: Event, names: Sequence[str]) -> str:
        """Return the event as a sentence for a person; works on redacted events too."""

    @abstractmethod
    def show_table(self, observation: ObservationT, names: Sequence[str]) -> str:
        """Return what everybody sees as a person would look at it, several lines."""

    @abstractmethod
    def show_hand(self, observation: ObservationT) -> str:
        """Return what only the observing seat sees, a line or more; not for the public."""

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
