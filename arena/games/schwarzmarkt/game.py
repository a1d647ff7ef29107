"""Schwarzmarkt as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import ClassVar

from arena.errors import CardFileError, OptionError
from arena.games.counts import pack, size
from arena.games.game import Event, Game, Json, Labels, Move, Option, State
from arena.games.notation import write_ledger
from arena.games.schwarzmarkt import events, text
from arena.games.schwarzmarkt import moves as m
from arena.games.schwarzmarkt.determinize import sample_state
from arena.games.schwarzmarkt.material import (
    DECK_NAMES,
    GOODS,
    Material,
    built_in_content,
    make_material,
    parse_card_file,
)
from arena.games.schwarzmarkt.observation import Observation
from arena.games.schwarzmarkt.rules import SchwarzmarktState
from arena.games.schwarzmarkt.setup import (
    Setup,
    check_setup,
    deal_setup,
    find_relabelings,
    relabel_setup,
    rename_offers,
)
from arena.games.shuffle import Chance, SeededChance


def _parse_deck(value: object) -> str:
    if value not in DECK_NAMES:
        raise OptionError(f"option deck must be one of {', '.join(DECK_NAMES)}, not {value!r}")
    return str(value)


def _make_own(content: Json, deck: str) -> Material:
    """Return the material of an option `cards`; errors name it, since no file is known here."""
    if isinstance(content, str):
        raise OptionError(
            "option cards must be the content of a card file, a table, not the name of one"
        )
    try:
        return make_material(content, deck)
    except CardFileError as error:
        place = f"option cards: {error.entry}" if error.entry else "option cards"
        raise CardFileError(place, error.reason) from None


class Schwarzmarkt(Game[Setup, Move, Observation]):
    """Trading against a rising price, 3 to 5 players."""

    name = "schwarzmarkt"
    title = "Schwarzmarkt"
    table_sizes = (3, 4, 5)
    kinds = GOODS
    own = ("goods", "cards", "pile_known", "hands_known")
    inferred = ("pile_known", "hands_known")
    graphs: ClassVar[Mapping[str, str]] = {"luxury": "luxury", "hand_sizes": "goods in hand"}
    marked = (events.CardPlayed, events.Traded, events.GameRoundEnded)
    move_types = (m.Play, m.Find, m.Bury, m.Trade, m.Step, m.Hold, m.Return)
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
            _make_own(given["cards"], deck) if "cards" in given else _built_in(deck)
        )
        self.names = {"good": GOODS, "card": tuple(self.material.card_by_name)}

    def configure(self, options: Mapping[str, Json]) -> Schwarzmarkt:
        return Schwarzmarkt(options) if options else _default()

    def setup(self, seed: bytes, seats: int) -> Setup:
        """Return the complete start that the seed makes (S2)."""
        self.check_table(seats)
        return _deal(self, seed, seats)

    def start(self, setup: Setup, chance: Chance) -> SchwarzmarktState:
        return SchwarzmarktState(
            self.material,
            [pack(hand) for hand in setup.hands],
            [pack(hand) for hand in setup.black_market_hands],
            (setup.goods_pile, setup.black_market_pile),
            chance,
        )

    def check_setup(self, setup: Setup, seats: int) -> None:
        check_setup(self.material, setup, seats)

    def relabelings(self) -> Sequence[Labels]:
        """Return the symmetries of deck and offers; ten with the basic deck."""
        return find_relabelings(self.material)

    def relabel(self, setup: Setup, labels: Labels) -> Setup:
        return relabel_setup(setup, labels, _image(self, labels))

    def sample(
        self,
        observation: Observation,
        rng: Random,
        observed: State[Move, Observation] | None = None,
    ) -> SchwarzmarktState:
        if observed is None:
            return sample_state(self.material, observation, rng, SeededChance(rng.randbytes(32)))
        if not isinstance(observed, SchwarzmarktState):
            raise TypeError(f"{observed!r} is not a match of Schwarzmarkt")
        piles = (observed.goods_pile, observed.black_market_pile)
        return sample_state(self.material, observation, rng, observed.chance.copy(), piles)

    def public_move(self, move: Move) -> dict[str, Json]:
        """Return the move as all see it: goods found, returned or laid aside stay hidden."""
        value = self.move_to_json(move)
        if isinstance(move, m.Find | m.Return):
            return {"type": value["type"]}
        if isinstance(move, m.Play) and move.goods:
            value["cards"] = size(move.goods)
        return value

    def move_to_json(self, move: Move) -> dict[str, Json]:
        written = super().move_to_json(move)
        return text.play_to_json(written) if isinstance(move, m.Play) else written

    def move_from_json(self, value: object) -> Move:
        if isinstance(value, dict) and value.get("type") == "play":
            goods = self.notations.fields(m.Trade)["goods"]
            return text.read_play(self.material, value, goods)
        return super().move_from_json(value)

    def move_from_text(self, line: str) -> Move:
        name, *words = line.split() or [""]
        if name == "play":
            return self.move_from_json(text.play_from_words(words))
        return super().move_from_text(line)

    def chance_to_json(self, event: Event) -> dict[str, Json] | None:
        return text.chance_to_json(self.material, event)

    def chance_from_json(self, value: Mapping[str, object]) -> tuple[str, tuple[int, ...]]:
        return text.chance_from_json(self.material, value)

    def field_to_json(self, observation: Observation, name: str) -> Json:
        if name == "pile_known":
            return write_ledger(GOODS, observation.pile_known)
        if name == "hands_known":
            return [write_ledger(GOODS, ledger) for ledger in observation.hands_known]
        return super().field_to_json(observation, name)

    def event_to_json(self, event: Event) -> dict[str, Json]:
        chance = text.chance_to_json(self.material, event)  # a pile's cards by their names
        shuffled = {"order": chance["order"]} if chance and "order" in chance else {}
        return {**super().event_to_json(event), **shuffled}

    def material_to_json(self, seats: int) -> dict[str, Json]:
        """Return the track and the black-market cards (S1)."""
        return text.material_to_json(self.material)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        return text.tell(self.material, event, names)

    def show_table(self, observation: Observation, names: Sequence[str]) -> str:
        return text.show_table(self.material, observation, names)

    def show_hand(self, observation: Observation) -> str:
        return text.show_hand(self.material, observation)

    def show_decision(
        self, observation: Observation, legal_moves: Sequence[Move], names: Sequence[str]
    ) -> str:
        return text.show_decision(self.material, observation, legal_moves)

    def show_move(self, move: Move, observation: Observation, names: Sequence[str]) -> str:
        shown = text.show_move(self.material, move, observation, names)
        return shown or super().show_move(move, observation, names)


@lru_cache(maxsize=16)  # one deal is played several times in a row, in other seatings
def _deal(game: Schwarzmarkt, seed: bytes, seats: int) -> Setup:
    return deal_setup(game.material, seed, seats)


@lru_cache(maxsize=1 << 8)
def _image(game: Schwarzmarkt, labels: Labels) -> tuple[int, ...]:
    return rename_offers(game.material, labels)


@cache
def _default() -> Schwarzmarkt:
    return Schwarzmarkt()


@cache
def _built_in(deck: str) -> Material:
    return make_material(built_in_content(), deck)
