"""What the codecs of the built-in games share: messages typed in the protocol itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from google.protobuf.message import Message

from arena.errors import FormatError
from arena.games.game import Event, Move
from arena.v1 import play_pb2, watch_pb2
from arena.wire.codec import Codec, WithEvents
from arena.wire.fields import number_field
from arena.wire.layout import Field, Kind, Table, make_layout
from arena.wire.reading import Readings
from arena.wire.shapes import Shapes

if TYPE_CHECKING:
    from arena.games.packed import PackedMoves, Sums

TIER: Table = (Field(1, Kind.COUNTS, 0), Field(2, Kind.NUMBER, 1))
"""One tier of a ledger."""

_NO_SUMS: Sums = ((), (), (), (), 0)


def move_table(message: Any, name: str, *fields: Field) -> Table:
    """Return the table of a move: its type by name, and what else it says."""
    type_ = message.Type.Value(f"TYPE_{name}")
    return (Field(1, Kind.CONSTANT, inner=number_field(1, type_)), *fields)


class TypedCodec(Codec):
    """A codec whose messages are fields of the oneofs, the same number and name in each."""

    number: ClassVar[int]
    name: ClassVar[str]
    shapes: ClassVar[Shapes]
    observation_table: ClassVar[Table]
    move_tables: ClassVar[Mapping[type[Move], Table]]
    packed_table: ClassVar[Table] = ()
    """A move that is still packed counts, if the game has such."""
    move_message: ClassVar[type[Message]]

    def __init__(self) -> None:
        number, events = self.number, self.shapes.tables
        packed = [Field(2, Kind.SUMS, 2, self.packed_table)] if self.packed_table else []
        self._moves: Readings[Move] = Readings(self.move_message, self.read_move)
        self._write_decision = make_layout(
            [
                Field(
                    number,
                    Kind.MESSAGE,
                    None,
                    [
                        Field(1, Kind.MESSAGE, 0, self.observation_table),
                        Field(2, Kind.CHOICE, 1, self.move_tables),
                        *packed,
                        Field(2, Kind.CHOICE, 3, self.move_tables),
                        Field(3, Kind.CHOICE, 4, events),
                    ],
                )
            ]
        ).write
        happened = [Field(1, Kind.CHOICE, None, events)]
        self._write_events = make_layout([Field(number, Kind.MESSAGE, None, happened)]).write
        seen = Field(number, Kind.MESSAGE, None, self.observation_table)
        self._write_observation = make_layout([seen]).write

    @abstractmethod
    def read_seen(self, message: Any) -> Any:
        """Return the observation of an observation message."""

    @abstractmethod
    def read_move(self, message: Any) -> Move:
        """Return the move of a move message."""

    def decision(
        self, observation: Any, legal_moves: Sequence[Move], events: Sequence[Event]
    ) -> bytes:
        if not hasattr(legal_moves, "sums"):  # a tenth of the price of asking an abstract class
            return self._write_decision((observation, legal_moves, _NO_SUMS, (), events))
        moves = cast("PackedMoves", legal_moves)
        return self._write_decision((observation, moves.first, moves.sums(), moves.last, events))

    def events(self, events: Sequence[Event]) -> bytes:
        return self._write_events(events)

    def observation(self, observation: Any) -> bytes:
        return self._write_observation(observation)

    def read_decision(self, message: play_pb2.Decision) -> tuple[Any, list[Move]]:
        decision = self._part(message, "game")
        seen = self.read_seen(decision.observation)
        return seen, self._moves.read_all(decision.legal_moves)

    def read_events(self, message: WithEvents) -> list[Event]:
        oneof = "game" if isinstance(message, play_pb2.Decision) else "events"
        return self.shapes.read(self._part(message, oneof).events)

    def read_observation(self, message: watch_pb2.WatchedTable) -> Any:
        return self.read_seen(self._part(message, "observation"))

    def _part(self, message: Any, oneof: str) -> Any:
        """Return what the oneof holds; raises FormatError if it is of another game."""
        found = message.WhichOneof(oneof)
        if found != self.name:
            kind = message.DESCRIPTOR.name
            raise FormatError(f"the {kind} is not one of {self.name}: it has {found or 'nothing'}")
        return getattr(message, self.name)
