"""The rules of Byzanz as a state machine (B2 to B7).

A round runs: auction after auction until every seat holds an offer card, then the market. Between
any two decisions a seat over the hand limit is dealt with first (`_proceed`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from mypy_extensions import mypyc_attr

from arena.errors import IllegalMoveError, MatchNotOverError
from arena.games.byzanz import cards as c
from arena.games.byzanz.bids import AuctionMoves, count_bids
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
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.byzanz.position import ByzanzPosition
from arena.games.counts import UNIT, Counts, contains, holds, pack, size, types
from arena.games.game import Event, Move, Outcome, Seat, ranks_of
from arena.games.ledger import arrive, leave, slip
from arena.games.tuples import replaced

# A global name is found twenty times faster than a member of an enum.
_AUCTION: Final = ByzanzPhase.AUCTION
_GIVE: Final = ByzanzPhase.GIVE
_TAKE: Final = ByzanzPhase.TAKE
_LIMIT: Final = ByzanzPhase.LIMIT
_FINAL: Final = ByzanzPhase.FINAL
_OVER: Final = ByzanzPhase.OVER

HAND_LIMIT: Final = 7
DEALT_CARDS: Final = 4


class Table(NamedTuple):
    """The line of the set-up table for one number of players (B2)."""

    offers: tuple[int, ...]  # the stack, highest on top
    removed: int
    rounds: int


TABLES: Final = {
    3: Table((6, 4, 2), 4, 8),
    4: Table((5, 4, 3, 2), 12, 6),
    5: Table((5, 4, 3, 2, 1), 2, 6),
    6: Table((6, 5, 4, 3, 2, 1), 4, 4),
}


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class ByzanzState(ByzanzPosition):
    """One match of Byzanz."""

    __slots__ = ()

    def __init__(
        self, hands: Sequence[Counts], removed: Counts, deck: Sequence[int], *, opened: bool = True
    ) -> None:
        """Start from a set-up; with `opened` the first lot is turned over at once."""
        super().__init__(hands, removed, deck)
        if opened:
            self._open_auction([])

    # The contract

    def legal_moves(self) -> Sequence[Move]:
        """Return the legal moves: the decision's own first, then sales (B5.3).

        Auction: pass, then bids by rising value. Give and discard: by card. Take: by kind, traders
        last.
        """
        seat = self.to_act
        if seat is None:
            return []
        phase = self.phase
        hand = self.hands[seat]
        if phase is _AUCTION:
            return AuctionMoves(hand, self._least_bid(seat), c.sales_from(hand))
        moves: list[Move]
        if phase is _GIVE:
            moves = [GIVES[card] for card in types(self.lot)]
        elif phase is _TAKE:
            market = self.market
            moves = [TAKES[kind] for kind, mask in enumerate(c.KIND_MASK) if market & mask]
        elif phase is _LIMIT:
            moves = [DISCARDS[card] for card in types(hand)]
        else:
            moves = [DONE]
        moves += c.sales_from(hand)
        return moves

    def count_legal_moves(self) -> int:
        seat = self.to_act
        if seat is None:
            return 0
        phase = self.phase
        hand = self.hands[seat]
        number = c.count_sales(hand)
        if phase is _AUCTION:
            number += 1 + count_bids(hand, self._least_bid(seat))
        elif phase is _GIVE:
            number += len(types(self.lot))
        elif phase is _TAKE:
            market = self.market
            number += len([mask for mask in c.KIND_MASK if market & mask])
        elif phase is _LIMIT:
            number += len(types(hand))
        else:
            number += 1
        return number

    def apply(self, move: Move) -> list[Event]:
        seat = self.to_act
        if seat is None:
            raise _over()
        handler = _HANDLERS.get(type(move))
        if handler is None:
            raise IllegalMoveError("B3.4", f"{move!r} is not a move of Byzanz")
        events: list[Event] = []
        handler(self, seat, move, events)
        return events

    def default_move(self) -> Move:
        """Return pass, done, the cheapest card, or the kind with the most cards."""
        seat = self.to_act
        if seat is None:
            raise _over()
        phase = self.phase
        if phase is _AUCTION:
            return PASS
        if phase is _GIVE:
            return GIVES[_cheapest(self.lot)]
        if phase is _TAKE:
            held = [size(self.market & mask) for mask in c.KIND_MASK]
            return TAKES[held.index(max(held))]
        if phase is _LIMIT:
            return DISCARDS[_cheapest(self.hands[seat])]
        return DONE

    def outcome(self) -> Outcome:
        """Return points, and ranks by points, then by cards left in hand (B7.2)."""
        if self.to_act is not None:
            raise MatchNotOverError("the match is not over")
        keys = [(self.points[seat], size(self.hands[seat])) for seat in range(self.seats)]
        return Outcome(self.points, ranks_of(keys))

    # Moves

    def _pass(self, seat: Seat, _move: Pass, events: list[Event]) -> None:
        self._expect(_AUCTION, "B3.4", "a pass belongs in an auction")
        back = self.laid[seat]
        if back:  # B3.6
            self.hands[seat] += back
            self.known[seat] = arrive(self.known[seat], back)
            self.laid[seat] = 0
        self.passed = replaced(self.passed, seat, True)
        if self.first_passer is None:
            self.first_passer = seat
        events.append(Passed(seat, back))
        left = self.offers.count(0) - self.passed.count(True)
        if left == 0:  # B3.9
            self._take_lot(self.first_passer, 0, events)
        elif left == 1 and self.leader is not None:  # B3.7: the one left has bid
            self._win_auction(self.leader, events)
        else:
            self.to_act = self._next_bidder(seat)

    def _bid(self, seat: Seat, move: Bid, events: list[Event]) -> None:
        self._expect(_AUCTION, "B3.4", "a bid belongs in an auction")
        added = move.cards
        if not added or added & c.KIND_MASK[c.TRADER_KIND]:
            raise IllegalMoveError("B3.5", "a bid is made of at least one goods card, no traders")
        if not contains(self.hands[seat], added):
            raise IllegalMoveError("B3.5", "a bid is laid from the hand")
        laid = self.laid[seat] + added
        total = c.value_of(laid)
        if total <= self.high:
            raise IllegalMoveError(
                "B3.5", f"a bid must be at least {self.high + 1}, these cards make {total}"
            )
        self.hands[seat] -= added
        self.known[seat] = leave(self.known[seat], added)
        self.laid[seat] = laid
        self.high = total
        self.leader = seat
        events.append(BidLaid(seat, added, total))
        rival = self._next_bidder(seat)
        if rival == seat:  # B3.7: the others have passed already
            self._win_auction(seat, events)
        else:
            self.to_act = rival

    def _give(self, seat: Seat, move: Give, events: list[Event]) -> None:
        self._expect(_GIVE, "B3.8", "a card is given by the winner of a lot")
        if not holds(self.lot, move.card):
            raise IllegalMoveError("B3.8", "the card given comes from the lot won")
        self._take_lot(seat, UNIT[move.card], events)

    def _take(self, seat: Seat, move: Take, events: list[Event]) -> None:
        self._expect(_TAKE, "B4.1", "a kind is taken from the market after the auctions")
        kind = move.kind
        taken = self.market & c.KIND_MASK[kind] if 0 <= kind < len(c.KIND_MASK) else 0
        if not taken:
            raise IllegalMoveError("B4.1", "only a kind that lies on the market can be taken")
        self.market -= taken
        self._receive(seat, taken)
        self.takes += 1
        events.append(KindTaken(seat, kind, taken))
        self._proceed(seat, events)

    def _sell(self, seat: Seat, move: Sell, events: list[Event]) -> None:
        sold = move.cards
        if not contains(self.hands[seat], sold):
            raise IllegalMoveError("B5.4", "cards are sold from the hand")
        if not c.is_sale(sold):
            raise IllegalMoveError("B5.1", "a sale is three cards of one kind or traders")
        kept = c.kept_of(sold)
        self.hands[seat] -= sold
        self.known[seat] = leave(self.known[seat], sold)
        self.kept = replaced(self.kept, seat, self.kept[seat] + UNIT[kept])
        self.points = replaced(self.points, seat, c.profit_of(self.kept[seat]))
        self.out += sold - UNIT[kept]
        events.append(Sold(seat, sold, kept))
        if self.phase is _LIMIT:
            self._proceed(seat, events)

    def _discard(self, seat: Seat, move: Discard, events: list[Event]) -> None:
        self._expect(_LIMIT, "B6.1", "cards are discarded only over the hand limit")
        if not holds(self.hands[seat], move.card):
            raise IllegalMoveError("B6.1", "the card discarded comes from the hand")
        self.hands[seat] -= UNIT[move.card]
        self.discards[seat] += UNIT[move.card]
        self.face_down = replaced(self.face_down, seat, self.face_down[seat] + 1)
        self.known[seat] = slip(self.known[seat], 1)
        events.append(Discarded(seat, move.card))
        self._proceed(seat, events)

    def _done(self, seat: Seat, _move: Done, events: list[Event]) -> None:
        self._expect(_FINAL, "B7.1", "done belongs in the final sales")
        events.append(SalesEnded(seat))
        following = Seat((seat + 1) % self.seats)
        if following == self.speaker:
            self.to_act = None
            self.phase = _OVER
        else:
            self.to_act = following

    def _least_bid(self, seat: Seat) -> int:
        """Return the value that a seat must at least add to outbid the others (B3.5)."""
        laid = self.laid[seat]
        return self.high + 1 - (c.value_of(laid) if laid else 0)

    def _expect(self, phase: ByzanzPhase, rule: str, reason: str) -> None:
        if self.phase is not phase:
            raise IllegalMoveError(rule, reason)

    # The course of the match

    def _proceed(self, seat: Seat, events: list[Event]) -> None:
        """Go on after `seat`'s hand has changed: the hand limit comes before all else (B6.1)."""
        if size(self.hands[seat]) > HAND_LIMIT:
            self.phase = _LIMIT
            self.to_act = seat
        elif 0 in self.offers:
            self._open_auction(events)
        else:
            self._next_taker(events)

    def _open_auction(self, events: list[Event]) -> None:
        taken = self.seats - self.offers.count(0)
        self.offer = offer = TABLES[self.seats].offers[taken]  # B2.2
        turned = self.deck[self.drawn : self.drawn + offer]  # B3.1
        self.drawn += offer
        self.lot = pack(turned)
        events.append(LotTurned(self.round, offer, self.lot))
        self.to_act = self.speaker
        if self.offers.count(0) > 1:
            self.phase = _AUCTION
        elif offer > 1:  # B3.10, a lot of two
            self.phase = _GIVE
        else:  # B3.10, a lot of one
            self._take_lot(self.speaker, self.lot, events)

    def _next_bidder(self, seat: Seat) -> Seat:
        """Return the next seat clockwise still in the auction; `seat` itself if it is alone."""
        following = Seat((seat + 1) % self.seats)
        while self.passed[following] or self.offers[following]:
            following = Seat((following + 1) % self.seats)
        return following

    def _win_auction(self, seat: Seat, events: list[Event]) -> None:
        paid = self.laid[seat]
        self.market += paid  # B3.8
        self.laid[seat] = 0
        events.append(AuctionWon(seat, paid))
        self.phase = _GIVE
        self.to_act = seat

    def _take_lot(self, seat: Seat, given: Counts, events: list[Event]) -> None:
        offer = self.offer
        taken = self.lot - given
        self.market += given
        self.lot = 0
        self.offer = 0
        self.passed = (False,) * self.seats
        self.high = 0
        self.leader = None
        self.first_passer = None
        self._receive(seat, taken)
        self.offers = replaced(self.offers, seat, offer)
        events.append(LotTaken(seat, offer, taken, given))
        if 0 in self.offers:  # B3.2
            speaker = seat
            while self.offers[speaker]:
                speaker = Seat((speaker + 1) % self.seats)
            self.speaker = speaker
        self._proceed(seat, events)

    def _receive(self, seat: Seat, taken: Counts) -> None:
        self.hands[seat] += taken
        self.known[seat] = arrive(self.known[seat], taken)

    def _next_taker(self, events: list[Event]) -> None:
        if self.market and self.takes < self.seats:  # B4.1, B4.2
            offer = sorted(self.offers)[self.takes]
            self.to_act = Seat(self.offers.index(offer))
            self.phase = _TAKE
            return
        events.append(MarketCleared(self.market))  # B4.3
        self.out += self.market
        self.market = 0
        self.speaker = Seat(self.offers.index(min(self.offers)))  # B3.2, B7.1
        self.offers = (0,) * self.seats
        self.takes = 0
        if self.drawn < len(self.deck):  # B4.4
            self.round += 1
            self._open_auction(events)
        else:
            self.phase = _FINAL
            self.to_act = self.speaker


def _over() -> IllegalMoveError:
    return IllegalMoveError("B7.2", "the match is over")


_HANDLERS: Final[dict[type[Move], Callable[[ByzanzState, Seat, Any, list[Event]], None]]] = {
    Pass: ByzanzState._pass,
    Bid: ByzanzState._bid,
    Give: ByzanzState._give,
    Take: ByzanzState._take,
    Sell: ByzanzState._sell,
    Discard: ByzanzState._discard,
    Done: ByzanzState._done,
}


def _cheapest(cards: Counts) -> int:
    """Return the goods card of least value, a trader only if there is nothing else."""
    return min(types(cards), key=lambda card: c.CARD_VALUE[card] or len(c.VALUES) + 1)
