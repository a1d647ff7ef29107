"""Byzanz in words: moves, events and the table, for people and for files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena.errors import FormatError
from arena.games.byzanz.cards import (
    CARD_BY_NAME,
    CARD_NAMES,
    KIND_NAMES,
    names_of,
    value_of,
)
from arena.games.byzanz.events import (
    AuctionWon,
    BidLaid,
    Discarded,
    KindTaken,
    LotTaken,
    LotTurned,
    MarketCleared,
    Passed,
    SalesEnded,
    Sold,
)
from arena.games.byzanz.moves import (
    DISCARDS,
    DONE,
    GIVES,
    PASS,
    TAKES,
    Bid,
    Discard,
    Done,
    Give,
    Pass,
    Sell,
    Take,
)
from arena.games.byzanz.observation import Observation, Phase
from arena.games.counts import MAX_COUNT, Counts, count, pack, size, types
from arena.games.fields import read_name, read_names, read_object, read_text
from arena.games.game import Event, Json, Move
from arena.games.ledger import Ledger, certain, mentioned

_KIND_BY_NAME = {name: kind for kind, name in enumerate(KIND_NAMES)}


# Moves


def move_to_json(move: Move) -> dict[str, Json]:
    """Return the move as the rules write it."""
    match move:
        case Pass():
            return {"type": "pass"}
        case Bid(cards):
            return {"type": "bid", "cards": names_of(cards)}
        case Give(card):
            return {"type": "give", "card": CARD_NAMES[card]}
        case Take(kind):
            return {"type": "take", "kind": KIND_NAMES[kind]}
        case Sell(cards):
            return {"type": "sell", "cards": names_of(cards)}
        case Discard(card):
            return {"type": "discard", "card": CARD_NAMES[card]}
        case Done():
            return {"type": "done"}
    raise FormatError(f"{move!r} is not a move of Byzanz")


_FIELDS: dict[str, tuple[tuple[str, ...], Callable[[Any], Move]]] = {
    "pass": ((), lambda _: PASS),
    "bid": (("cards",), lambda move: Bid(_read_cards(move["cards"]))),
    "give": (("card",), lambda move: GIVES[read_name(move["card"], "card", CARD_BY_NAME)]),
    "take": (("kind",), lambda move: TAKES[read_name(move["kind"], "kind", _KIND_BY_NAME)]),
    "sell": (("cards",), lambda move: Sell(_read_cards(move["cards"]))),
    "discard": (("card",), lambda move: DISCARDS[read_name(move["card"], "card", CARD_BY_NAME)]),
    "done": ((), lambda _: DONE),
}


def move_from_json(value: object) -> Move:
    """Return the move a JSON value writes; exactly the fields shown in the rules."""
    if not isinstance(value, dict) or "type" not in value:
        raise FormatError("a move must be an object with a 'type'")
    name = read_text(value["type"], "the move's type")
    if name not in _FIELDS:
        raise FormatError(f"{name!r} is not a move of Byzanz (one of {', '.join(_FIELDS)})")
    fields, build = _FIELDS[name]
    read_object(value, f"the move {name!r}", ("type", *fields))
    return build(value)


def _read_cards(value: object) -> Counts:
    cards = read_names(value, "cards", CARD_BY_NAME)
    if not cards:
        raise FormatError("cards must not be empty")
    if len(cards) > MAX_COUNT:
        raise FormatError("cards are more than there are in the game")
    return pack(cards)


def move_to_text(move: Move) -> str:
    """Return the move as a line: its type, then its cards."""
    words: list[str] = []
    for field in move_to_json(move).values():
        words += map(str, field) if isinstance(field, list) else [str(field)]
    return " ".join(words)


def move_from_text(text: str) -> Move:
    """Return the move a line writes."""
    name, *rest = text.split() or [""]
    if name not in _FIELDS:
        raise FormatError(f"{name!r} is not a move of Byzanz (one of {', '.join(_FIELDS)})")
    fields = _FIELDS[name][0]
    value: dict[str, object] = {"type": name}
    if fields == ("cards",):
        value["cards"] = rest
    elif len(rest) != len(fields):
        raise FormatError(f"{name!r} takes {len(fields)} words, not {len(rest)}")
    else:
        value.update(zip(fields, rest, strict=True))
    return move_from_json(value)


# Events


def tell(event: Event, names: Sequence[str]) -> str:
    """Return the event as a sentence."""
    match event:
        case LotTurned(round_, offer, cards):
            return f"Round {round_}, offer {offer}: up for auction {list_cards(cards)}."
        case BidLaid(seat, cards, total):
            return f"{names[seat]} bids {total}, laying {list_cards(cards)}."
        case Passed(seat, back):
            return f"{names[seat]} passes{f', taking back {list_cards(back)}' if back else ''}."
        case AuctionWon(seat, paid):
            return f"{names[seat]} wins and pays {list_cards(paid)} to the market."
        case LotTaken(seat, offer, taken, given):
            parts = []
            if given:
                parts.append(f"puts {list_cards(given)} on the market")
            if taken:
                parts.append(f"takes {list_cards(taken)}")
            parts.append(f"takes offer card {offer}")
            return f"{names[seat]} {', '.join(parts)}."
        case KindTaken(seat, kind, cards):
            return f"{names[seat]} takes {KIND_NAMES[kind]} from the market: {list_cards(cards)}."
        case MarketCleared(cards):
            return f"The market closes; {list_cards(cards) if cards else 'nothing'} is left over."
        case Sold(seat, cards, kept):
            return f"{names[seat]} sells {list_cards(cards)}, keeping {CARD_NAMES[kept]}."
        case Discarded(seat, card):
            shown = "a card face down" if card is None else CARD_NAMES[card]
            return f"{names[seat]} discards {shown}."
        case SalesEnded(seat):
            return f"{names[seat]} is done selling."
    raise TypeError(f"{event!r} is not an event of Byzanz")


def list_cards(cards: Counts) -> str:
    """Return the cards as a short list, equal ones counted: `2×cloth-1 trader`."""
    if not cards:
        return "nothing"
    return " ".join(
        f"{count(cards, card)}×{CARD_NAMES[card]}" if count(cards, card) > 1 else CARD_NAMES[card]
        for card in types(cards)
    )


# The table


def show_table(observation: Observation, names: Sequence[str]) -> str:
    """Return what everybody sees."""
    lines = [f"Round {observation.round}, {observation.deck_size} cards in the deck."]
    if observation.lot:
        lines.append(f"Lot (offer {observation.offer}): {list_cards(observation.lot)}")
    lines.append(f"Market: {list_cards(observation.market)}")
    width = max(len(name) for name in names)
    for seat, name in enumerate(names):
        mark = ">" if seat == observation.to_act else " "
        lines.append(f"{mark} {name:<{width}}  {_describe_seat(observation, seat)}")
    if observation.phase is Phase.OVER:
        lines.append("The match is over.")
    return "\n".join(lines)


def show_hand(observation: Observation) -> str:
    """Return the seat's own cards."""
    hand = observation.hand
    shown = f"Hand: {list_cards(hand)} (goods worth {value_of(hand)})"
    if observation.own_discards:
        shown += f"\nDiscarded: {list_cards(observation.own_discards)}"
    return shown


def _describe_seat(observation: Observation, seat: int) -> str:
    parts = [f"{observation.points[seat]:>2} points", f"{observation.hand_sizes[seat]} in hand"]
    if observation.offers[seat]:
        parts.append(f"offer {observation.offers[seat]}")
    if observation.laid[seat]:
        laid = observation.laid[seat]
        parts.append(f"bids {value_of(laid)} ({list_cards(laid)})")
    if observation.passed[seat]:
        parts.append("passed")
    if observation.face_down[seat]:
        parts.append(f"{observation.face_down[seat]} discarded")
    if observation.known[seat] and seat != observation.seat:
        parts.append(f"known: {_describe_known(observation.known[seat])}")
    return ", ".join(parts)


def _describe_known(ledger: Ledger) -> str:
    sure = certain(ledger)
    doubtful = mentioned(ledger) - sure
    words = [list_cards(sure)] if sure else []
    if size(doubtful):
        words.append(f"perhaps {list_cards(doubtful)}")
    return ", ".join(words)
