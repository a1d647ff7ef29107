"""What the codecs of the built-in games share: messages typed in the protocol itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from google.protobuf.message import Message

from arena.errors import FormatError
from arena.games.game import Event, Move
from arena.v1 import play_pb2, watch_pb2
from arena.wire.codec import Codec, WithEvents
from arena.wire.fields import LENGTH_DELIMITED, heads, message_field, tag
from arena.wire.reading import Readings
from arena.wire.shapes import Shapes

_OBSERVATION_HEADS = heads(1)  # of a game's decision
_MOVE = 2
_DECISION_EVENTS = tag(3, LENGTH_DELIMITED)
_EVENTS = tag(1, LENGTH_DELIMITED)  # of a game's events


class TypedCodec(Codec):
    """A codec whose messages are fields of the oneofs, the same number and name in each."""

    number: ClassVar[int]
    name: ClassVar[str]
    shapes: ClassVar[Shapes]
    move_message: ClassVar[type[Message]]
    move_writers: ClassVar[Mapping[type[Move], Callable[[Any], bytes]]]
    """By type of move: what writes it, without tag and length."""

    def __init__(self) -> None:
        self._heads = heads(self.number)
        self._moves: Readings[Move] = Readings(self.move_message, self.read_move)

    @abstractmethod
    def write_observation(self, observation: Any) -> bytes:
        """Return the observation without tag and length."""

    @abstractmethod
    def read_seen(self, message: Any) -> Any:
        """Return the observation of an observation message."""

    @abstractmethod
    def read_move(self, message: Any) -> Move:
        """Return the move of a move message."""

    def decision(
        self, observation: Any, legal_moves: Sequence[Move], events: Sequence[Event]
    ) -> bytes:
        seen = self.write_observation(observation)
        try:
            moves = b"".join([move.encoded for move in legal_moves])
        except AttributeError:
            moves = self._encode_moves(legal_moves)
        happened = self.shapes.write(_DECISION_EVENTS, events)
        head = _OBSERVATION_HEADS[len(seen)]
        size = len(head) + len(seen) + len(moves) + len(happened)
        return b"".join((self._heads[size], head, seen, moves, happened))

    def events(self, events: Sequence[Event]) -> bytes:
        return message_field(self.number, self.shapes.write(_EVENTS, events))

    def observation(self, observation: Any) -> bytes:
        return message_field(self.number, self.write_observation(observation))

    def read_decision(self, message: play_pb2.Decision) -> tuple[Any, list[Move]]:
        decision = self._part(message, "game")
        seen = self.read_seen(decision.observation)
        return seen, self._moves.read_all(decision.legal_moves)

    def read_events(self, message: WithEvents) -> list[Event]:
        oneof = "game" if isinstance(message, play_pb2.Decision) else "events"
        return self.shapes.read(self._part(message, oneof).events)

    def read_observation(self, message: watch_pb2.WatchedTable) -> Any:
        return self.read_seen(self._part(message, "observation"))

    def _encode_moves(self, moves: Sequence[Move]) -> bytes:
        """Return the moves as fields, and leave on each new one what it is on the wire."""
        for move in moves:
            if not hasattr(move, "encoded"):
                write = self.move_writers.get(type(move))
                if write is None:
                    raise TypeError(f"{move!r} is not a move of {self.name}")
                # Moves are frozen: what is kept here is no part of their value.
                object.__setattr__(move, "encoded", message_field(_MOVE, write(move)))
        return b"".join([move.encoded for move in moves])

    def _part(self, message: Any, oneof: str) -> Any:
        """Return what the oneof holds; raises FormatError if it is of another game."""
        found = message.WhichOneof(oneof)
        if found != self.name:
            kind = message.DESCRIPTOR.name
            raise FormatError(f"the {kind} is not one of {self.name}: it has {found or 'nothing'}")
        return getattr(message, self.name)
