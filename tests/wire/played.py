"""Every moment of random matches, as the wire layer meets it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from arena.games.byzanz import Byzanz
from arena.games.game import AnyGame, Event, Move, Seat, seen_by
from arena.games.schwarzmarkt import Schwarzmarkt

BYZANZ = Byzanz()
SCHWARZMARKT = Schwarzmarkt()
UNEVEN = Schwarzmarkt({"deck": "uneven"})

TABLES: tuple[tuple[str, AnyGame, int], ...] = (
    *((f"byzanz-{seats}p", BYZANZ, seats) for seats in BYZANZ.table_sizes),
    *((f"schwarzmarkt-{seats}p", SCHWARZMARKT, seats) for seats in SCHWARZMARKT.table_sizes),
    ("schwarzmarkt-uneven-4p", UNEVEN, 4),
)


@dataclass(eq=False)
class Moment:
    """A decision: what each seat and the public (last) may see now and saw since the last one."""

    to_act: Seat | None
    legal_moves: Sequence[Move]
    observations: list[Any]
    events: list[list[Event]]

    def views(self) -> Iterator[tuple[Any, Sequence[Move], list[Event]]]:
        """Yield what each is sent: all get observation and events, whoever is to act the moves."""
        for place, (seen, events) in enumerate(zip(self.observations, self.events, strict=True)):
            yield seen, self.legal_moves if place == self.to_act else (), events


def moments(game: AnyGame, seats: int, number: int) -> Iterator[Moment]:
    """Yield the decisions of a match of random moves, and its end."""
    name = f"wire {game.name} {seats} {number}"
    state = game.deal(hashlib.sha256(name.encode()).digest(), seats)
    rng = Random(name)
    onlookers: list[Seat | None] = [*map(Seat, range(seats)), None]
    happened: Sequence[Event] = game.opening(state)
    while True:
        seen = [[one for event in happened if (one := seen_by(event, who))] for who in onlookers]
        legal = state.legal_moves()
        yield Moment(state.to_act, legal, [state.observe(who) for who in onlookers], seen)
        if state.to_act is None:
            return
        happened = state.apply(rng.choice(legal))
