"""Schwarzmarkt in words: moves, events and the table, for people and for files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from arena.errors import FormatError
from arena.games.counts import count, list_names, size, types, unpack
from arena.games.fields import read_int, read_name, read_names, read_object, read_text
from arena.games.game import Event, Json, Move, Seat
from arena.games.ledger import certain
from arena.games.notation import Notation
from arena.games.schwarzmarkt.events import (
    CardBuried,
    CardDrawn,
    CardPlayed,
    ExchangeEnded,
    Foraged,
    GameRoundEnded,
    GoodDrawn,
    GoodFound,
    GoodReturned,
    GoodsDealt,
    Held,
    MarkerMoved,
    PileSearched,
    PileShuffled,
    ProtectionPaid,
    Traded,
)
from arena.games.schwarzmarkt.material import (
    GOOD_BY_NAME,
    GOODS,
    MOST_SEATS,
    Effect,
    Material,
)
from arena.games.schwarzmarkt.moves import Bury, Hold, Play, Step, Trade
from arena.games.schwarzmarkt.observation import Observation, SchwarzmarktPhase
from arena.games.schwarzmarkt.rules import BLACK_MARKET_PILE, GOODS_PILE

list_goods = lru_cache(4096)(partial(list_names, GOODS))

EFFECTS: Final = {
    Effect.OLD_DEBT: "Name a seat with goods. You get a card drawn at random from its hand.",
    Effect.NEW_GOODS: "Pay 5 and search the goods pile. Take one card of a good that you name.",
    Effect.SCARCE_GOODS: "In the next exchange round each seat may trade one card in all.",
    Effect.FORAGING: "Lay aside 1 to 3 of your goods. Draw as many from the goods pile.",
    Effect.PROTECTION: "Name a seat. It pays you 5, or all it has if that is less.",
    Effect.RAID: "Name a seat. It may not trade in the next exchange round.",
    Effect.SLOW_TRADE: "In the next exchange round each move of the marker is exactly one step.",
}
"""What the text cards do (S5), in short."""

_TARGETED = frozenset({Effect.OLD_DEBT, Effect.PROTECTION, Effect.RAID})


def material_to_json(material: Material) -> dict[str, Json]:
    """Return the track and the black-market cards: what an offer wants, what a text card does."""
    cards: dict[str, Json] = {}
    for card in material.cards:
        if card.effect is not None:
            cards[card.name] = {"effect": card.effect.name.lower(), "text": EFFECTS[card.effect]}
        else:
            demand = {GOODS[good]: count(card.demand, good) for good in types(card.demand)}
            cards[card.name] = {"demand": demand}
    return {"prices": material.prices, "steps": material.steps, "cards": cards}


# Playing a card: what else it takes differs from card to card


def play_to_json(written: Mapping[str, Json]) -> dict[str, Json]:
    """Return a play without what its card does not ask for; its goods are called cards."""
    value = dict(written)
    goods = value.pop("goods")
    if value["target"] is None:
        del value["target"]
    return {**value, "cards": goods} if goods else value


def read_play(material: Material, value: Mapping[str, object], goods: Notation) -> Play:
    """Return the play; the card says whether it takes `target` or `cards`."""
    read_object(value, "the move 'play'", ("type", "card"), value)
    card = read_name(value["card"], "card", material.card_by_name)
    effect = material.cards[card].effect
    more = ["cards"] if effect is Effect.FORAGING else ["target"] if effect in _TARGETED else []
    read_object(value, f"the play of {material.cards[card].name}", ("type", "card", *more))
    if "cards" in more:
        return Play(card, None, goods.read(value["cards"], "cards"))
    if not more:
        return Play(card)
    target = read_int(value["target"], "target")
    if target not in range(MOST_SEATS):
        raise FormatError(f"target {target} is not a seat")
    return Play(card, Seat(target))


def play_from_words(words: Sequence[str]) -> dict[str, object]:
    """Return a play as JSON from the words of a line: a card, then a seat or goods."""
    if not words:
        raise FormatError("'play' takes 1 words, not 0")
    card, *rest = words
    value: dict[str, object] = {"type": "play", "card": card}
    if rest and re.fullmatch(r"[0-9]{1,9}", rest[0]):
        value["target"] = int(rest.pop(0))
    return {**value, "cards": rest} if rest else value


# Outcomes of chance


def chance_to_json(material: Material, event: Event) -> dict[str, Json] | None:
    """Return an event's outcome of chance as a replay writes it."""
    match event:
        case GoodDrawn(_, victim, int(good)):
            return {"what": "draw", "from": victim, "good": GOODS[good]}
        case PileShuffled(pile, tuple(order)):
            names = [_pile_name(material, pile, card) for card in order]
            return {"what": "shuffle", "pile": pile, "order": names}
    return None


def chance_from_json(
    material: Material, value: Mapping[str, object]
) -> tuple[str, tuple[int, ...]]:
    """Return the kind of chance and the cards it decided."""
    what = read_text(value.get("what"), "what")
    if what == "draw":
        read_object(value, "the draw", ("what", "from", "good"))
        read_int(value["from"], "from")
        return "draw", (read_name(value["good"], "good", GOOD_BY_NAME),)
    if what == "shuffle":
        read_object(value, "the shuffle", ("what", "pile", "order"))
        pile = read_text(value["pile"], "pile")
        by_name = {GOODS_PILE: GOOD_BY_NAME, BLACK_MARKET_PILE: material.card_by_name}
        if pile not in by_name:
            raise FormatError(f"pile {pile!r} does not exist")
        return f"shuffle {pile}", tuple(read_names(value["order"], "order", by_name[pile]))
    raise FormatError(f"{what!r} is not an outcome of chance in Schwarzmarkt")


def _pile_name(material: Material, pile: str, card: int) -> str:
    return GOODS[card] if pile == GOODS_PILE else material.cards[card].name


# Events


def tell(material: Material, event: Event, names: Sequence[str]) -> str:  # noqa: PLR0911, PLR0912
    """Return the event as a sentence."""
    match event:
        case CardPlayed(seat, card, target):
            against = "" if target is None else f" against {names[target]}"
            played = f"{names[seat]} plays {_say(material, card)}{against}"
            # Of the other cards the next events tell what they do.
            match material.cards[card].effect:
                case Effect.RAID if target is not None:
                    return f"{played}, who may not trade in the next exchange round."
                case Effect.SCARCE_GOODS | Effect.SLOW_TRADE as effect:
                    return f"{played}. {EFFECTS[effect]}"
            return f"{played}."
        case CardBuried(seat, card):
            name = _say(material, card)
            return f"{names[seat]} can play nothing and puts {name} under the pile."
        case CardDrawn(seat, card):
            drawn = "a black-market card" if card is None else _say(material, card)
            return f"{names[seat]} draws {drawn}."
        case Traded(seat, goods, price):
            paid = price * size(goods)
            return f"{names[seat]} trades {list_goods(goods)} at {price} each, earning {paid}."
        case MarkerMoved(seat, space):
            return f"{names[seat]} moves the price to {material.prices[space]}."
        case Held(seat):
            return f"{names[seat]} holds."
        case ExchangeEnded(left):
            return f"The exchange round ends; still wanted: {list_goods(left)}."
        case GoodDrawn(seat, victim, good):
            drawn = "a card" if good is None else GOODS[good]
            return f"{names[seat]} draws {drawn} from the hand of {names[victim]}."
        case PileSearched(seat, counts):
            shown = "" if counts is None else f": {list_goods(counts)}"
            return f"{names[seat]} pays 5 and searches the goods pile{shown}."
        case GoodFound(seat, good):
            return f"{names[seat]} takes {'a card' if good is None else GOODS[good]} out of it."
        case PileShuffled(pile, _):
            return f"The {pile.replace('_', '-')} pile is shuffled."
        case Foraged(seat, number, laid, drawn):
            if laid is None or drawn is None:
                return f"{names[seat]} exchanges {number} goods with the pile."
            gave, got = list_goods(laid), list_goods(drawn)
            return f"{names[seat]} lays aside {gave} and draws {got}."
        case ProtectionPaid(seat, victim, amount):
            return f"{names[victim]} pays {names[seat]} {amount}."
        case GameRoundEnded(game_round):
            return f"Game round {game_round} ends."
        case GoodReturned(seat, good):
            return f"{names[seat]} returns {'a card' if good is None else GOODS[good]}."
        case GoodsDealt(seat, number, goods):
            dealt = f"{number} goods" if goods is None else list_goods(goods)
            return f"{names[seat]} is dealt {dealt}."
    raise TypeError(f"{event!r} is not an event of Schwarzmarkt")


def _say(material: Material, card: int) -> str:
    """Return a black-market card in words."""
    printed = material.cards[card]
    if printed.effect is None:
        return f"an offer for {list_goods(printed.demand)}"
    return printed.effect.name.lower().replace("_", " ")


# The table


def show_table(material: Material, observation: Observation, names: Sequence[str]) -> str:
    """Return what everybody sees, and the hands this seat has learnt something about."""
    piles = f"{observation.goods_pile_size} goods, {observation.black_market_pile_size} cards"
    played = f"black-market cards played: {observation.cards_dealt_with}"
    lines = [f"Game round {observation.game_round}, {played}; piles: {piles}."]
    for card, target in observation.open_cards:
        against = "" if target is None else f" against {names[target]}"
        lines.append(f"Open: {_say(material, card)}{against}")
    if observation.offer is not None:
        price = material.prices[observation.marker]
        last = observation.marker == material.last_space
        lines.append(f"Wanted: {list_goods(observation.demand)}")
        lines.append(f"Price: {price}{' (last chance)' if last else ''}")
    width = max(len(name) for name in names)
    for seat, name in enumerate(names):
        mark = ">" if seat == observation.to_act else " "
        known = certain(observation.hands_known[seat])
        parts = [f"{observation.luxury[seat]:>3} luxury", f"{observation.hand_sizes[seat]} goods"]
        if known:
            parts.append(f"holds {list_goods(known)}")
        lines.append(f"{mark} {name:<{width}}  {', '.join(parts)}")
    if observation.phase is SchwarzmarktPhase.OVER:
        lines.append("The match is over.")
    return "\n".join(lines)


def show_hand(material: Material, observation: Observation) -> str:
    """Return the seat's own goods and cards, and the pile while it searches it."""
    cards = "; ".join(_say(material, card) for card in unpack(observation.cards))
    lines = [f"Goods: {list_goods(observation.goods)}", f"Black-market cards: {cards}"]
    if observation.phase is SchwarzmarktPhase.FIND and observation.to_act == observation.seat:
        lines.append(f"In the goods pile: {list_goods(certain(observation.pile_known))}")
    return "\n".join(lines)


# Decisions


def show_decision(material: Material, observation: Observation, legal_moves: Sequence[Move]) -> str:
    """Return what is to be decided."""
    kinds = {type(move) for move in legal_moves}
    match observation.phase:
        case SchwarzmarktPhase.PLAY if Bury in kinds:
            return "You can play none of your black-market cards: choose one to put under the pile."
        case SchwarzmarktPhase.PLAY:
            return "Choose a black-market card to play."
        case SchwarzmarktPhase.FIND:
            return "Choose a good to take out of the goods pile."
        case SchwarzmarktPhase.EXCHANGE:
            verbs = {Trade: "trade", Step: "raise the price", Hold: "hold"}
            choice = " or ".join(verb for kind, verb in verbs.items() if kind in kinds)
            return f"Exchange at a price of {material.prices[observation.marker]}: {choice}."
        case _:
            return "You hold more goods than you may keep: choose one to return."


def show_move(
    material: Material, move: Move, observation: Observation, names: Sequence[str]
) -> str | None:
    """Return what a trade earns, where a step leads, what a card is; None otherwise."""
    match move:
        case Trade(goods):
            earned = material.prices[observation.marker] * size(goods)
            return f"trade for {earned:>3}: {list_goods(goods)}"
        case Step(spaces):
            return f"step {spaces}: to price {material.prices[observation.marker + spaces]}"
        case Play(card, target, goods):
            against = "" if target is None else f" against {names[target]}"
            laying = f", laying aside {list_goods(goods)}" if goods else ""
            return f"play {_say(material, card)}{against}{laying}"
        case Bury(card):
            return f"put {_say(material, card)} under the pile"
    return None
