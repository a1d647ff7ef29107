"""What translates one game to the wire and back, and where to find it.

A package that brings a game adds its codec by an entry point in the group `arena.wire` whose name
is the game's name and whose object is called with the game and returns a `Codec`. Its messages
travel in the field `other` (`other_field`, `read_other`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any, TypeAlias, TypeVar

from google.protobuf import any_pb2
from google.protobuf.message import DecodeError, Message

from arena.errors import FormatError, UnknownGameError
from arena.games.game import AnyGame, Event, Move
from arena.games.registry import find_plug_in
from arena.v1 import play_pb2, watch_pb2
from arena.wire.fields import message_field

ENTRY_POINT_GROUP = "arena.wire"

BUILT_IN = {
    "byzanz": "arena.wire.byzanz:ByzanzCodec",
    "schwarzmarkt": "arena.wire.schwarzmarkt:SchwarzmarktCodec",
}

OTHER = 15
"""The number of the field `other` in every oneof that differs by game."""

WithEvents: TypeAlias = play_pb2.Decision | play_pb2.MatchEnded | watch_pb2.WatchedEvents


class Codec(ABC):
    """The translation of one game with its options: without state but for caches.

    What it writes is one serialised field of a oneof, with tag and length, ready to be put behind
    the other fields of the message. What it reads raises FormatError if it makes no sense;
    unknown fields are passed over.
    """

    @abstractmethod
    def material(self, seats: int) -> bytes:
        """Return the field `material` of a MatchStarted."""

    @abstractmethod
    def decision(
        self, observation: Any, legal_moves: Sequence[Move], events: Sequence[Event]
    ) -> bytes:
        """Return the field `game` of a Decision; `events` as the seat may see them."""

    @abstractmethod
    def events(self, events: Sequence[Event]) -> bytes:
        """Return the field `events` of a MatchEnded or WatchedEvents; `events` as may be seen."""

    @abstractmethod
    def observation(self, observation: Any) -> bytes:
        """Return the field `observation` of a WatchedTable."""

    @abstractmethod
    def read_decision(self, message: play_pb2.Decision) -> tuple[Any, list[Move]]:
        """Return observation and legal moves, equal to those that were written."""

    @abstractmethod
    def read_events(self, message: WithEvents) -> list[Event]:
        """Return the events, equal to those that were written; what is hidden is None."""

    @abstractmethod
    def read_observation(self, message: watch_pb2.WatchedTable) -> Any:
        """Return the observation, equal to the one that was written."""


@lru_cache(maxsize=64)
def codec_for(game: AnyGame) -> Codec:
    """Return the codec of a game, one for each game object.

    Raises UnknownGameError if the game cannot travel: no package brings a codec, several do, or it
    cannot be loaded.
    """
    if game.name in BUILT_IN:
        return resolve_name(BUILT_IN[game.name])(game)  # type: ignore[no-any-return]
    point = find_plug_in(ENTRY_POINT_GROUP, game.name, "codec for")
    if point is None:
        raise UnknownGameError(
            f"the game {game.name!r} cannot be played over the wire: no installed package has an "
            f"entry point of that name in the group {ENTRY_POINT_GROUP!r}"
        )
    try:
        codec = point.load()(game)
    except Exception as error:
        raise UnknownGameError(
            f"the codec {point.value!r} of the game {game.name!r} cannot be loaded: {error}"
        ) from error
    if not isinstance(codec, Codec):
        raise UnknownGameError(f"{point.value!r} does not make a codec for {game.name!r}")
    return codec


def other_field(message: Message) -> bytes:
    """Return a plug-in's message as the field `other`, the same number in every oneof."""
    wrapped = any_pb2.Any()
    wrapped.Pack(message, deterministic=True)
    return message_field(OTHER, wrapped.SerializeToString(deterministic=True))


MessageT = TypeVar("MessageT", bound=Message)


def read_other(wrapped: any_pb2.Any, message: MessageT) -> MessageT:
    """Return `message` filled from a field `other`; raises FormatError if it holds another type."""
    name = message.DESCRIPTOR.full_name
    try:
        if wrapped.Unpack(message):
            return message
    except DecodeError:
        raise FormatError(f"the field `other` cannot be decoded as {name}") from None
    found = wrapped.TypeName() or "nothing"
    raise FormatError(f"the field `other` must hold {name}, not {found}")
