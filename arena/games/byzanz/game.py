"""Byzanz as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from types import MappingProxyType

from arena.errors import FormatError
from arena.games.byzanz import text
from arena.games.byzanz.cards import KINDS
from arena.games.byzanz.determinize import sample_state
from arena.games.byzanz.events import LotTurned
from arena.games.byzanz.moves import Discard
from arena.games.byzanz.observation import Observation
from arena.games.byzanz.rules import TABLES, ByzanzState
from arena.games.byzanz.setup import (
    Setup,
    deal_setup,
    relabel_setup,
    setup_from_json,
    setup_to_json,
)
from arena.games.counts import pack
from arena.games.game import Event, Game, Json, Labels, Move, Seat, State
from arena.games.shuffle import Chance


class Byzanz(Game[Setup, Move, Observation]):
    """Auctions and sets, 3 to 6 players."""

    name = "byzanz"
    title = "Byzanz"
    table_sizes = tuple(TABLES)
    kinds = KINDS

    options: Mapping[str, Json] = MappingProxyType({})

    def configure(self, options: Mapping[str, Json]) -> Byzanz:
        """Return the game itself: it has no options."""
        self.check_options(options)
        return self

    def setup(self, seed: bytes, seats: int) -> Setup:
        """Return the complete start that the seed makes (B2.1)."""
        self.check_table(seats)
        return deal_setup(seed, seats)

    def start(self, setup: Setup, chance: Chance) -> ByzanzState:
        """Return a match at its first decision; `chance` is not needed, all luck is dealt."""
        return ByzanzState([pack(hand) for hand in setup.hands], pack(setup.removed), setup.deck)

    def opening(self, state: State[Move, Observation]) -> Sequence[Event]:
        """Return that the first lot was turned over (B3.1)."""
        seen = state.observe(None)
        return (LotTurned(seen.round, seen.offer, seen.lot),)

    def relabelings(self) -> Sequence[Labels]:
        """Return all 720: every kind has the same cards."""
        return _RELABELINGS

    def relabel(self, setup: Setup, labels: Labels) -> Setup:
        """Return the set-up with every kind renamed."""
        return relabel_setup(setup, labels)

    def determinize(self, observation: Observation, rng: Random) -> ByzanzState:
        """Return a random state that looks the same to the observation's seat."""
        return sample_state(observation, rng)

    def redeal(
        self, state: State[Move, Observation], seat: Seat | None, rng: Random
    ) -> ByzanzState:
        """Return `state` with what `seat` cannot see dealt anew, the deck as it is."""
        if not isinstance(state, ByzanzState):
            raise TypeError(f"{state!r} is not a match of Byzanz")
        return sample_state(state.observe(seat), rng, state.deck[state.drawn :])

    def public_move(self, move: Move) -> dict[str, Json]:
        """Return the move as all see it: a discard without its card (B6.2)."""
        return {"type": "discard"} if isinstance(move, Discard) else text.move_to_json(move)

    def move_to_json(self, move: Move) -> dict[str, Json]:
        """Return the move as the rules write it."""
        return text.move_to_json(move)

    def move_from_json(self, value: object) -> Move:
        """Return the move that JSON value writes."""
        return text.move_from_json(value)

    def move_to_text(self, move: Move) -> str:
        """Return the move as a short line."""
        return text.move_to_text(move)

    def move_from_text(self, line: str) -> Move:
        """Return the move a line writes."""
        return text.move_from_text(line)

    def setup_to_json(self, setup: Setup) -> dict[str, Json]:
        """Return the set-up as written in a replay."""
        return setup_to_json(setup)

    def setup_from_json(self, value: object, seats: int) -> Setup:
        """Return the set-up a replay writes."""
        self.check_table(seats)
        return setup_from_json(value, seats)

    def chance_to_json(self, event: Event) -> dict[str, Json] | None:
        """Return None: nothing is left to chance after the deal."""
        return None

    def chance_from_json(self, value: Mapping[str, object]) -> tuple[str, tuple[int, ...]]:
        """Refuse: nothing is left to chance after the deal."""
        raise FormatError("Byzanz leaves nothing to chance after the deal")

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return text.tell(event, names)

    def show_table(self, observation: Observation, names: Sequence[str]) -> str:
        """Return what everybody sees."""
        return text.show_table(observation, names)

    def show_hand(self, observation: Observation) -> str:
        """Return what only the seat itself sees."""
        return text.show_hand(observation)


_RELABELINGS: tuple[Labels, ...] = tuple(permutations(range(len(KINDS))))
