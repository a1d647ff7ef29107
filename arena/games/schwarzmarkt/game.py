"""Schwarzmarkt as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from arena.errors import OptionError
from arena.games.counts import pack, size
from arena.games.game import Event, Game, Json, Labels, Move, Option, Seat, State
from arena.games.schwarzmarkt import text
from arena.games.schwarzmarkt.determinize import sample_state
from arena.games.schwarzmarkt.material import (
    DECK_NAMES,
    GOODS,
    Material,
    built_in_content,
    make_material,
    parse_card_file,
)
from arena.games.schwarzmarkt.moves import Find, Play, Return
from arena.games.schwarzmarkt.observation import Observation
from arena.games.schwarzmarkt.rules import SchwarzmarktState
from arena.games.schwarzmarkt.setup import (
    Setup,
    deal_setup,
    find_relabelings,
    relabel_setup,
    setup_from_json,
    setup_to_json,
)
from arena.games.shuffle import Chance, SeededChance


def _parse_deck(value: object) -> str:
    if value not in DECK_NAMES:
        raise OptionError(f"option deck must be one of {', '.join(DECK_NAMES)}, not {value!r}")
    return str(value)


class Schwarzmarkt(Game[Setup, Move, Observation]):
    """Trading against a rising price, 3 to 5 players."""

    name = "schwarzmarkt"
    title = "Schwarzmarkt"
    table_sizes = (3, 4, 5)
    kinds = GOODS
    option_specs = (
        Option("deck", "the goods deck: basic or uneven (S1.1)", DECK_NAMES[0], _parse_deck),
        Option(
            "cards",
            "a card file with track, offers, text cards and decks",
            "the built-in ones, a reconstruction",
            parse_card_file,
            is_file=True,
        ),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        """Settle the options: `deck`, and `cards` as the content of a card file."""
        given = dict(options or {})
        self.check_options(given)
        deck = _parse_deck(given.get("deck", DECK_NAMES[0]))
        if deck == DECK_NAMES[0]:
            given.pop("deck", None)
        if given.get("cards") == built_in_content():
            del given["cards"]
        self.options: Mapping[str, Json] = given
        self.material: Material = (
            make_material(given["cards"], deck) if "cards" in given else _built_in(deck)
        )

    def configure(self, options: Mapping[str, Json]) -> Schwarzmarkt:
        """Return the game under these options."""
        return Schwarzmarkt(options) if options else _default()

    def setup(self, seed: bytes, seats: int) -> Setup:
        """Return the complete start that the seed makes (S2)."""
        self.check_table(seats)
        return deal_setup(self.material, seed, seats)

    def start(self, setup: Setup, chance: Chance) -> SchwarzmarktState:
        """Return a match at its first decision."""
        return SchwarzmarktState(
            self.material,
            [pack(hand) for hand in setup.hands],
            [pack(hand) for hand in setup.black_market_hands],
            (setup.goods_pile, setup.black_market_pile),
            chance,
        )

    def relabelings(self) -> Sequence[Labels]:
        """Return the symmetries of deck and offers; ten with the basic deck."""
        return find_relabelings(self.material)

    def relabel(self, setup: Setup, labels: Labels) -> Setup:
        """Return the set-up with every good renamed."""
        return relabel_setup(self.material, setup, labels)

    def determinize(self, observation: Observation, rng: Random) -> SchwarzmarktState:
        """Return a random state that looks the same to the observation's seat."""
        return sample_state(self.material, observation, rng, SeededChance(rng.randbytes(32)))

    def redeal(
        self, state: State[Move, Observation], seat: Seat | None, rng: Random
    ) -> SchwarzmarktState:
        """Return `state` with what `seat` cannot see dealt anew, the piles as they are."""
        if not isinstance(state, SchwarzmarktState):
            raise TypeError(f"{state!r} is not a match of Schwarzmarkt")
        piles = (state.goods_pile, state.black_market_pile)
        return sample_state(self.material, state.observe(seat), rng, state.chance.copy(), piles)

    def public_move(self, move: Move) -> dict[str, Json]:
        """Return the move as all see it: goods found, returned or laid aside stay hidden."""
        if isinstance(move, Find):
            return {"type": "find"}
        if isinstance(move, Return):
            return {"type": "return"}
        value = text.move_to_json(self.material, move)
        if isinstance(move, Play) and move.goods:
            value["cards"] = size(move.goods)
        return value

    def move_to_json(self, move: Move) -> dict[str, Json]:
        """Return the move as the rules write it."""
        return text.move_to_json(self.material, move)

    def move_from_json(self, value: object) -> Move:
        """Return the move that JSON value writes."""
        return text.move_from_json(self.material, value)

    def move_to_text(self, move: Move) -> str:
        """Return the move as a short line."""
        return text.move_to_text(self.material, move)

    def move_from_text(self, line: str) -> Move:
        """Return the move a line writes."""
        return text.move_from_text(self.material, line)

    def setup_to_json(self, setup: Setup) -> dict[str, Json]:
        """Return the set-up as written in a replay."""
        return setup_to_json(self.material, setup)

    def setup_from_json(self, value: object, seats: int) -> Setup:
        """Return the set-up a replay writes."""
        self.check_table(seats)
        return setup_from_json(self.material, value, seats)

    def chance_to_json(self, event: Event) -> dict[str, Json] | None:
        """Return the outcome of a shuffle or a draw as a replay writes it."""
        return text.chance_to_json(self.material, event)

    def chance_from_json(self, value: Mapping[str, object]) -> tuple[str, tuple[int, ...]]:
        """Return what was decided and the cards."""
        return text.chance_from_json(self.material, value)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """Return the event as a sentence."""
        return text.tell(self.material, event, names)

    def show_table(self, observation: Observation, names: Sequence[str]) -> str:
        """Return what everybody sees."""
        return text.show_table(self.material, observation, names)

    def show_hand(self, observation: Observation) -> str:
        """Return what only the seat itself sees."""
        return text.show_hand(self.material, observation)


@cache
def _default() -> Schwarzmarkt:
    return Schwarzmarkt()


@cache
def _built_in(deck: str) -> Material:
    return make_material(built_in_content(), deck)
