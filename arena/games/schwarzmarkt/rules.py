"""The rules of Schwarzmarkt as a state machine (S2 to S6).

A game round is a series of black-market cards. Each is played by the start player; an offer opens
an exchange round, a text card takes effect. What the seats learn by it is noted at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from mypy_extensions import mypyc_attr

from arena.errors import IllegalMoveError, MatchNotOverError
from arena.games.counts import UNIT, Counts, contains, holds, intersect, pack, size, types, unpack
from arena.games.game import Event, Move, Outcome, Seat, ranks_of
from arena.games.ledger import EMPTY, Ledger, Tier, arrive, leave, prune, slip
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
    HAND_GOODS,
    LASTING,
    Effect,
)
from arena.games.schwarzmarkt.moves import (
    FINDS,
    HOLD,
    PLAYS,
    RETURNS,
    STEPS,
    Bury,
    Find,
    Hold,
    Play,
    Return,
    Step,
    Trade,
    bury,
    foragings_of,
    play_at,
    trades_of,
)
from arena.games.schwarzmarkt.observation import OpenCard, SchwarzmarktPhase
from arena.games.schwarzmarkt.position import SchwarzmarktPosition
from arena.games.tuples import replaced

# A global name is found twenty times faster than a member of an enum.
_PLAY: Final = SchwarzmarktPhase.PLAY
_FIND: Final = SchwarzmarktPhase.FIND
_EXCHANGE: Final = SchwarzmarktPhase.EXCHANGE
_RETURN: Final = SchwarzmarktPhase.RETURN
_OVER: Final = SchwarzmarktPhase.OVER
_OLD_DEBT: Final = Effect.OLD_DEBT
_NEW_GOODS: Final = Effect.NEW_GOODS
_SCARCE_GOODS: Final = Effect.SCARCE_GOODS
_FORAGING: Final = Effect.FORAGING
_PROTECTION: Final = Effect.PROTECTION
_SLOW_TRADE: Final = Effect.SLOW_TRADE

GAME_ROUNDS: Final = 2
MOST_CARDS: Final = 100  # S6.4
SEARCH_FEE: Final = 5
PROTECTION_FEE: Final = 5
MOST_FORAGED: Final = 3

GOODS_PILE: Final = "goods"
BLACK_MARKET_PILE: Final = "black_market"


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class SchwarzmarktState(SchwarzmarktPosition):
    """One match of Schwarzmarkt."""

    __slots__ = ()

    # The contract

    def legal_moves(self) -> list[Move]:
        """Return the legal moves.

        Play: card by card in the material's order, targets rising. Exchange: trades, then steps
        rising, hold last. Find and return: by good.
        """
        seat = self.to_act
        if seat is None:
            return []
        phase = self.phase
        moves: list[Move]
        if phase is _EXCHANGE:
            moves = list(self._trades(seat))
            if self.marker == self.material.last_space:
                moves.append(HOLD)  # S4.3
            else:
                moves += STEPS[: self._furthest()]
        elif phase is _PLAY:
            moves = []
            for card in types(self.cards[seat]):
                moves += self._plays(seat, card)
            if not moves:  # S3.3
                moves = [bury(card) for card in types(self.cards[seat])]
        elif phase is _FIND:
            moves = [FINDS[good] for good in types(pack(self.goods_pile))]
        else:
            moves = [RETURNS[good] for good in types(self.goods[seat])]
        return moves

    def count_legal_moves(self) -> int:
        seat = self.to_act
        if seat is None or self.phase is not _EXCHANGE:
            return len(self.legal_moves())
        is_last = self.marker == self.material.last_space
        return len(self._trades(seat)) + (1 if is_last else self._furthest())

    def apply(self, move: Move) -> list[Event]:
        seat = self.to_act
        if seat is None:
            raise _over()
        handler = _HANDLERS.get(type(move))
        if handler is None:
            raise IllegalMoveError("S3.1", f"{move!r} is not a move of Schwarzmarkt")
        events: list[Event] = []
        handler(self, seat, move, events)
        return events

    def default_move(self) -> Move:
        """Return one step, hold, the first card that can be played, or the commonest good.

        An offer comes before a text card, because it takes nothing from anybody.
        """
        seat = self.to_act
        if seat is None:
            raise _over()
        if self.phase is _EXCHANGE:
            return HOLD if self.marker == self.material.last_space else STEPS[0]
        if self.phase is _RETURN:
            hand = unpack(self.goods[seat])
            return RETURNS[max(types(self.goods[seat]), key=hand.count)]
        return self.legal_moves()[0]  # offers are the material's first cards

    def outcome(self) -> Outcome:
        """Return the luxury goods and the ranks they make (S6.3)."""
        if self.to_act is not None:
            raise MatchNotOverError("the match is not over")
        return Outcome(tuple(self.luxury), ranks_of(self.luxury))

    def _expect(self, phase: SchwarzmarktPhase, rule: str, reason: str) -> None:
        if self.phase is not phase:
            raise IllegalMoveError(rule, reason)

    # What may be done

    def _plays(self, seat: Seat, card: int) -> Sequence[Play]:
        """Return every way the seat may play the card now; none if its condition fails (S3.3)."""
        effect = self.material.cards[card].effect
        if effect is None or effect is _SCARCE_GOODS or effect is _SLOW_TRADE:
            return (PLAYS[card],)
        if effect is _NEW_GOODS:
            able = self.luxury[seat] >= SEARCH_FEE and self.goods_pile
            return (PLAYS[card],) if able else ()
        if effect is _FORAGING:
            most = min(MOST_FORAGED, len(self.goods_pile))
            return foragings_of(card, self.goods[seat], most)
        others = [other for other in range(self.seats) if other != seat]
        if effect is _OLD_DEBT:
            others = [other for other in others if self.goods[other]]
        elif effect is _PROTECTION:
            others = [other for other in others if self.luxury[other]]
        return [play_at(card, Seat(other)) for other in others]

    def _trades(self, seat: Seat) -> Sequence[Trade]:
        """Return the trades the seat may make now (S4.2, S5)."""
        wanted = intersect(self.goods[seat], self.demand)
        if not wanted:
            return ()
        most = 127
        if self.open_cards:
            if self._is_raided(seat):
                return ()
            if self._is_open(_SCARCE_GOODS):
                most = 0 if self.traders[seat] else 1
        return trades_of(wanted, most)

    def _furthest(self) -> int:
        """Return the largest number of steps without a trade (S4.2): never past the last space."""
        if self.open_cards and self._is_open(_SLOW_TRADE):
            return 1
        material = self.material
        return min(material.steps[self.marker], material.last_space - self.marker)

    def _is_open(self, effect: Effect) -> bool:
        cards = self.material.cards
        return any(cards[open_card.card].effect is effect for open_card in self.open_cards)

    def _is_raided(self, seat: Seat) -> bool:
        return any(open_card.target == seat for open_card in self.open_cards)

    # Playing a black-market card (S3)

    def _play(self, seat: Seat, move: Play, events: list[Event]) -> None:
        self._expect(_PLAY, "S3.1", "a black-market card is played by the start player")
        card = move.card
        if not holds(self.cards[seat], card):
            raise IllegalMoveError("S3.1", "the card is not in the hand")
        if move not in self._plays(seat, card):
            name = self.material.cards[card].name
            rule = "S3.2" if self.material.cards[card].effect is None else "S5"
            raise IllegalMoveError(rule, f"{name} cannot be played like that now")
        self._leave_hand(seat, card)
        events.append(CardPlayed(seat, card, move.target))
        self._draw_card(seat, events)
        effect = self.material.cards[card].effect
        if effect is None:
            self.offer = card
            self.demand = self.material.cards[card].demand
            self.phase = _EXCHANGE
        elif effect in LASTING:
            self.open_cards = (*self.open_cards, OpenCard(card, move.target))
            self._end_turn(events)
        elif effect is _NEW_GOODS:
            self._search_pile(seat, card, events)
        else:
            _AT_ONCE[effect](self, seat, move, events)
            self.black_market_pile.append(card)  # S3.4
            self._end_turn(events)

    def _bury(self, seat: Seat, move: Bury, events: list[Event]) -> None:
        self._expect(_PLAY, "S3.3", "a card is buried by the start player")
        if not holds(self.cards[seat], move.card):
            raise IllegalMoveError("S3.3", "the card is not in the hand")
        if any(self._plays(seat, card) for card in types(self.cards[seat])):
            raise IllegalMoveError("S3.3", "a card is buried only if none can be played")
        self._leave_hand(seat, move.card)
        events.append(CardBuried(seat, move.card))
        self._draw_card(seat, events)
        self.black_market_pile.append(move.card)
        self._end_turn(events)

    def _leave_hand(self, seat: Seat, card: int) -> None:
        self.cards[seat] -= UNIT[card]
        self.seen_cards |= UNIT[card]
        self.cards_dealt_with += 1

    def _draw_card(self, seat: Seat, events: list[Event]) -> None:
        drawn = self.black_market_pile.pop(0)  # S3.1: before anything goes under the pile
        self.cards[seat] += UNIT[drawn]
        events.append(CardDrawn(seat, drawn))

    def _end_turn(self, events: list[Event]) -> None:
        """Go on to the next start player, unless the game round is over (S3.2, S6.4)."""
        idle = self.idle_rounds >= 2 * self.seats
        if idle or self.cards_dealt_with >= MOST_CARDS:
            self._end_game_round(events)
        else:
            self._next_start()

    def _next_start(self) -> None:
        self.start = self.to_act = Seat((self.start + 1) % self.seats)
        self.phase = _PLAY

    # Text cards (S5)

    def _old_debt(self, seat: Seat, move: Play, events: list[Event]) -> None:
        victim = _target(move)
        good = self.chance.pick("old_debt", unpack(self.goods[victim]))
        self.goods[victim] -= UNIT[good]
        self.goods[seat] += UNIT[good]
        for knower in range(self.seats):
            if knower == seat:
                self._learn(knower, victim, leave, UNIT[good])
            elif knower == victim:
                self._learn(knower, seat, arrive, UNIT[good])
            else:
                self._learn(knower, victim, slip, 1)
        events.append(GoodDrawn(seat, victim, good))

    def _protection(self, seat: Seat, move: Play, events: list[Event]) -> None:
        victim = _target(move)
        amount = min(PROTECTION_FEE, self.luxury[victim])
        self.luxury[victim] -= amount
        self.luxury[seat] += amount
        events.append(ProtectionPaid(seat, victim, amount))

    def _search_pile(self, seat: Seat, card: int, events: list[Event]) -> None:
        self.luxury[seat] -= SEARCH_FEE
        counts = pack(self.goods_pile)
        self.pile_known[seat] = (Tier(counts, 0),)
        self.resolving = card
        self.phase = _FIND
        events.append(PileSearched(seat, counts))

    def _find(self, seat: Seat, move: Find, events: list[Event]) -> None:
        self._expect(_FIND, "S5", "a good is found by playing new_goods")
        if move.good not in self.goods_pile:
            raise IllegalMoveError("S5", "the good found must lie in the pile")
        good = move.good
        self.goods_pile.remove(good)
        self.goods[seat] += UNIT[good]
        self._draw_from_pile(seat, UNIT[good])
        events.append(GoodFound(seat, good))
        self._shuffle_goods(events)
        self._put_under(self.resolving)
        self.resolving = None
        self._end_turn(events)

    def _forage(self, seat: Seat, move: Play, events: list[Event]) -> None:
        laid = move.goods
        number = size(laid)
        top = self.goods_pile[:number]
        self.goods_pile = [*self.goods_pile[number:], *unpack(laid)]
        drawn = pack(top)
        self.goods[seat] += drawn - laid
        for knower in range(self.seats):
            self._learn(knower, seat, slip, number)
        self._draw_from_pile(seat, drawn)
        self.pile_known[seat] = arrive(self.pile_known[seat], laid)
        events.append(Foraged(seat, number, laid, drawn))

    # The exchange round (S4)

    def _trade(self, seat: Seat, move: Trade, events: list[Event]) -> None:
        self._expect(_EXCHANGE, "S4.2", "goods are traded in an exchange round")
        goods = move.goods
        if not goods or not contains(intersect(self.goods[seat], self.demand), goods):
            raise IllegalMoveError("S4.2", "only goods both held and still wanted can be traded")
        if self.open_cards:
            if self._is_raided(seat):
                raise IllegalMoveError("S5", "raid: this seat may not trade in this exchange round")
            if self._is_open(_SCARCE_GOODS) and (self.traders[seat] or size(goods) > 1):
                raise IllegalMoveError("S5", "scarce_goods: one card a seat in this exchange round")
        price = self.material.prices[self.marker]
        self.luxury[seat] += price * size(goods)
        self.goods[seat] -= goods
        self.demand -= goods
        self.traded += unpack(goods)
        self.traders = replaced(self.traders, seat, True)
        if self.hands_known:
            for knower in range(self.seats):
                self._learn(knower, seat, leave, goods)
        events.append(Traded(seat, goods, price))
        if not self.goods[seat]:  # S4.4
            self._end_game_round(events)
        elif not self.demand or self.marker == self.material.last_space:  # S4.3
            self._end_exchange(events)
        else:
            self._move_marker(seat, 1, events)

    def _step(self, seat: Seat, move: Step, events: list[Event]) -> None:
        self._expect(_EXCHANGE, "S4.2", "the marker moves in an exchange round")
        if self.marker == self.material.last_space:
            raise IllegalMoveError("S4.3", "on the last space the marker does not move")
        furthest = self._furthest()
        if move.spaces > 1 and self._is_open(_SLOW_TRADE):
            raise IllegalMoveError("S5", "slow_trade: one step at a time in this exchange round")
        if not 1 <= move.spaces <= furthest:
            raise IllegalMoveError("S4.2", f"1 to {furthest} steps are allowed from here")
        self._move_marker(seat, move.spaces, events)

    def _hold(self, seat: Seat, _move: Hold, events: list[Event]) -> None:
        self._expect(_EXCHANGE, "S4.3", "hold belongs in an exchange round")
        if self.marker != self.material.last_space:
            raise IllegalMoveError("S4.3", "before the last space a seat trades or steps")
        events.append(Held(seat))
        self._end_exchange(events)

    def _move_marker(self, seat: Seat, spaces: int, events: list[Event]) -> None:
        self.marker += spaces
        events.append(MarkerMoved(seat, self.marker))
        self.to_act = Seat((seat + 1) % self.seats)  # S4.1

    def _end_exchange(self, events: list[Event]) -> None:
        self.idle_rounds = 0 if self.traded else self.idle_rounds + 1
        events.append(ExchangeEnded(self.demand))
        self._clear_table()
        self._end_turn(events)

    def _clear_table(self) -> None:
        """Put what was traded and what lies open under the piles (S3.4, S4.4, S6.4)."""
        if self.traded:
            goods = pack(self.traded)
            self.goods_pile += self.traded
            # Mostly all know the same: then the same ledger is made once.
            made = {ledger: arrive(ledger, goods) for ledger in set(self.pile_known)}
            self.pile_known = [made[ledger] for ledger in self.pile_known]
            self.traded = ()
            self.traders = (False,) * self.seats
        if self.open_cards:
            self.black_market_pile += [open_card.card for open_card in self.open_cards]
            self.open_cards = ()
        self._put_under(self.offer)
        self.offer = None
        self.demand = 0
        self.marker = 0  # S2.2

    def _put_under(self, card: int | None) -> None:
        if card is not None:
            self.black_market_pile.append(card)

    # Between the game rounds (S6)

    def _end_game_round(self, events: list[Event]) -> None:
        self._clear_table()
        self.cards_dealt_with = 0
        self.idle_rounds = 0
        events.append(GameRoundEnded(self.game_round))
        if self.game_round == GAME_ROUNDS:
            self.phase = _OVER
            self.to_act = None
        else:
            self._next_return(events)

    def _next_return(self, events: list[Event]) -> None:
        for seat in range(self.seats):
            if size(self.goods[seat]) > HAND_GOODS:
                self.phase = _RETURN
                self.to_act = Seat(seat)
                return
        self._deal_again(events)

    def _return(self, seat: Seat, move: Return, events: list[Event]) -> None:
        self._expect(_RETURN, "S6.1", "goods are returned between the game rounds")
        if not holds(self.goods[seat], move.good):
            raise IllegalMoveError("S6.1", "the good returned must be in the hand")
        unit = UNIT[move.good]
        self.goods[seat] -= unit
        self.goods_pile.append(move.good)
        self.pile_known[seat] = arrive(self.pile_known[seat], unit)
        for knower in range(self.seats):
            self._learn(knower, seat, slip, 1)
        events.append(GoodReturned(seat, move.good))
        self._next_return(events)

    def _deal_again(self, events: list[Event]) -> None:
        self._shuffle_goods(events)
        for seat in range(self.seats):
            number = HAND_GOODS - size(self.goods[seat])
            drawn = pack(self.goods_pile[:number])
            del self.goods_pile[:number]
            self.goods[seat] += drawn
            self._draw_from_pile(Seat(seat), drawn)
            events.append(GoodsDealt(Seat(seat), number, drawn))
        self.black_market_pile = self.chance.shuffle(BLACK_MARKET_PILE, self.black_market_pile)
        events.append(PileShuffled(BLACK_MARKET_PILE, tuple(self.black_market_pile)))
        self.game_round += 1
        self._next_start()  # S6.2

    def _shuffle_goods(self, events: list[Event]) -> None:
        self.goods_pile = self.chance.shuffle(GOODS_PILE, self.goods_pile)
        events.append(PileShuffled(GOODS_PILE, tuple(self.goods_pile)))

    # What the seats learn

    def _draw_from_pile(self, seat: Seat, drawn: Counts) -> None:
        """Note that `seat` took these goods out of the pile, unseen by the others."""
        number = size(drawn)
        if number:
            self.pile_known = [
                prune(leave(ledger, drawn) if knower == seat else slip(ledger, number))
                for knower, ledger in enumerate(self.pile_known)
            ]

    def _learn(
        self, knower: int, owner: int, what: Callable[[Ledger, int], Ledger], how_many: int
    ) -> None:
        """Change what `knower` knows of `owner`'s hand."""
        key = (knower, owner)
        if what is arrive or key in self.hands_known:
            ledger = prune(what(self.hands_known.get(key, EMPTY), how_many))
            if ledger:
                self.hands_known[key] = ledger
            else:
                del self.hands_known[key]


def _target(move: Play) -> Seat:
    return cast("Seat", move.target)  # `_plays` offers these cards with a target only


_AT_ONCE: Final[dict[Effect, Callable[[SchwarzmarktState, Seat, Play, list[Event]], None]]] = {
    _FORAGING: SchwarzmarktState._forage,
    _OLD_DEBT: SchwarzmarktState._old_debt,
    _PROTECTION: SchwarzmarktState._protection,
}


def _over() -> IllegalMoveError:
    return IllegalMoveError("S6.3", "the match is over")


_HANDLERS: Final[dict[type[Move], Callable[[SchwarzmarktState, Seat, Any, list[Event]], None]]] = {
    Play: SchwarzmarktState._play,
    Find: SchwarzmarktState._find,
    Bury: SchwarzmarktState._bury,
    Trade: SchwarzmarktState._trade,
    Step: SchwarzmarktState._step,
    Hold: SchwarzmarktState._hold,
    Return: SchwarzmarktState._return,
}
