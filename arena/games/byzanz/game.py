"""Byzanz as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

from arena.games.byzanz import events, text
from arena.games.byzanz import moves as m
from arena.games.byzanz.cards import CARD_NAMES, CARD_VALUE, KIND_NAMES, KINDS
from arena.games.byzanz.determinize import sample_state
from arena.games.byzanz.observation import Observation
from arena.games.byzanz.rules import TABLES, ByzanzState
from arena.games.byzanz.setup import Setup, check_setup, deal_setup, relabel_setup
from arena.games.counts import pack
from arena.games.game import Event, Game, Json, Labels, Move, State
from arena.games.notation import write_ledger
from arena.games.shuffle import Chance


class Byzanz(Game[Setup, Move, Observation]):
    """Auctions and sets, 3 to 6 players."""

    name = "byzanz"
    title = "Byzanz"
    table_sizes = tuple(TABLES)
    kinds = KINDS
    own = ("hand", "own_discards")
    inferred = ("known",)
    marked = (events.AuctionWon, events.KindTaken, events.Sold)
    move_types = (m.Pass, m.Bid, m.Give, m.Take, m.Sell, m.Discard, m.Done)
    names: Mapping[str, Sequence[str]] = {"card": CARD_NAMES, "kind": KIND_NAMES}

    def setup(self, seed: bytes, seats: int) -> Setup:
        """Return the complete start that the seed makes (B2.1)."""
        self.check_table(seats)
        return deal_setup(seed, seats)

    def check_setup(self, setup: Setup, seats: int) -> None:
        check_setup(setup, seats)

    def start(self, setup: Setup, chance: Chance) -> ByzanzState:
        """Return a match at its first decision; `chance` is not needed, all luck is dealt."""
        return ByzanzState([pack(hand) for hand in setup.hands], pack(setup.removed), setup.deck)

    def opening(self, state: State[Move, Observation]) -> Sequence[Event]:
        """Return that the first lot was turned over (B3.1)."""
        seen = state.observe(None)
        return (events.LotTurned(seen.round, seen.offer, seen.lot),)

    def relabelings(self) -> Sequence[Labels]:
        """Return all 720: every kind has the same cards."""
        return _RELABELINGS

    def relabel(self, setup: Setup, labels: Labels) -> Setup:
        return relabel_setup(setup, labels)

    def sample(
        self,
        observation: Observation,
        rng: Random,
        observed: State[Move, Observation] | None = None,
    ) -> ByzanzState:
        if observed is None:
            return sample_state(observation, rng)
        if not isinstance(observed, ByzanzState):
            raise TypeError(f"{observed!r} is not a match of Byzanz")
        return sample_state(observation, rng, observed.deck[observed.drawn :])

    def public_move(self, move: Move) -> dict[str, Json]:
        """Return the move as all see it: a discard without its card (B6.2)."""
        return {"type": "discard"} if isinstance(move, m.Discard) else self.move_to_json(move)

    def field_to_json(self, observation: Observation, name: str) -> Json:
        if name == "known":
            return [write_ledger(CARD_NAMES, ledger) for ledger in observation.known]
        return super().field_to_json(observation, name)

    def material_to_json(self, seats: int) -> dict[str, Json]:
        """Return the values of the cards (B1) and the offer cards of the table (B2)."""
        values = dict(zip(CARD_NAMES, CARD_VALUE, strict=True))
        return {"values": values, "offers": TABLES[seats].offers, "rounds": TABLES[seats].rounds}

    def tell(self, event: Event, names: Sequence[str]) -> str:
        return text.tell(event, names)

    def show_table(self, observation: Observation, names: Sequence[str]) -> str:
        return text.show_table(observation, names)

    def show_hand(self, observation: Observation) -> str:
        return text.show_hand(observation)

    def show_decision(
        self, observation: Observation, legal_moves: Sequence[Move], names: Sequence[str]
    ) -> str:
        return text.show_decision(observation, legal_moves, names)

    def show_move(self, move: Move, observation: Observation, names: Sequence[str]) -> str:
        return text.show_move(move, observation) or super().show_move(move, observation, names)


_RELABELINGS: tuple[Labels, ...] = tuple(permutations(range(len(KINDS))))
