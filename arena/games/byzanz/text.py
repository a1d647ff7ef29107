"""Byzanz in words: events and the table, for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from arena.games.byzanz.cards import CARD_NAMES, KIND_NAMES, kept_of, value_of
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
from arena.games.byzanz.moves import Bid, Sell
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.byzanz.rules import HAND_LIMIT, TABLES
from arena.games.counts import Counts, list_names, size
from arena.games.game import Event, Move
from arena.games.ledger import Ledger, certain, mentioned

list_cards = lru_cache(4096)(partial(list_names, CARD_NAMES))


# Events


def tell(event: Event, names: Sequence[str]) -> str:
    """Return the event as a sentence."""
    match event:
        case LotTurned(round_, offer, cards):
            is_last = offer == TABLES[len(names)].offers[-1]  # B3.10
            what = "the last lot, not auctioned:" if is_last else "up for auction"
            return f"Round {round_}, offer {offer}: {what} {list_cards(cards)}."
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
    if observation.phase is ByzanzPhase.OVER:
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


# Decisions


def show_decision(
    observation: Observation, legal_moves: Sequence[Move], names: Sequence[str]
) -> str:
    """Return what is to be decided."""
    sale = " You may sell first." if any(isinstance(m, Sell) for m in legal_moves) else ""
    match observation.phase:
        case ByzanzPhase.AUCTION:
            if observation.leader is None:
                return f"Auction: nobody has bid yet. Bid or pass.{sale}"
            leader = names[observation.leader]
            return f"Auction: {leader} leads with {observation.high}. Bid more or pass.{sale}"
        case ByzanzPhase.GIVE:
            return f"The lot is yours: choose the card of it that goes to the market.{sale}"
        case ByzanzPhase.TAKE:
            return f"Choose the kind that you take from the market.{sale}"
        case ByzanzPhase.LIMIT:
            held = size(observation.hand)
            choice = "discard or sell" if sale else "discard"
            return f"You hold {held} cards, over the hand limit of {HAND_LIMIT}: {choice}."
        case _:
            return "Final sales: sell, or end your sales with done."


def show_move(move: Move, observation: Observation) -> str | None:
    """Return a bid with its total and a sale with what it keeps; None for other moves."""
    if isinstance(move, Bid) and observation.seat is not None:
        return _show_bid(value_of(observation.laid[observation.seat]), move.cards)
    return _show_sale(move.cards) if isinstance(move, Sell) else None


# Hundreds of bids are possible at a time, and nearly the same ones the next time.


@lru_cache(1 << 14)
def _show_bid(laid: int, cards: Counts) -> str:
    return f"bid {laid + value_of(cards):>2}: {list_cards(cards)}"


@lru_cache(1 << 12)
def _show_sale(cards: Counts) -> str:
    return f"sell {list_cards(cards)}, keeping {CARD_NAMES[kept_of(cards)]}"
