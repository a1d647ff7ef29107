"""Byzanz a second time: a slow, plain reading of the rules that judges replay files.

It shares no code with the games it judges. Cards are strings as in the rules (`cloth-1`,
`trader`), hands are lists, moves are the JSON dicts of the replay. Rule numbers (`B3.7`) are
those of the Byzanz rules. Nothing here is meant to be fast.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

Json = dict[str, Any]

TRADER = "trader"
GOODS = ["cloth", "spice", "wine", "wood", "grain", "olives"]
COPIES = {1: 6, 2: 5, 3: 3, 4: 2}  # B1.1: value -> cards of each kind
PACK = Counter({f"{good}-{value}": n for good in GOODS for value, n in COPIES.items()})
PACK[TRADER] = 16  # B1.2

# B2: offer cards, highest on top (first), and how many cards are removed, by number of players.
OFFERS = {3: [6, 4, 2], 4: [5, 4, 3, 2], 5: [5, 4, 3, 2, 1], 6: [6, 5, 4, 3, 2, 1]}
REMOVED = {3: 4, 4: 12, 5: 2, 6: 4}
DEALT = 4  # B2.1
HAND_LIMIT = 7  # B6.1


@cache
def kind(card: str) -> str:
    """Return the kind of a card; traders are a kind of their own (B1.2)."""
    return card.partition("-")[0]


@cache
def value(card: str) -> int:
    """Return what a card is worth in a bid or a sale; a trader is worth 0 (B1.2)."""
    return 0 if card == TRADER else int(card.partition("-")[2])


def subsets(cards: Iterable[str], size: int) -> list[tuple[str, ...]]:
    """Return every different choice of `size` cards; equal cards make one choice, not two."""
    return sorted(set(itertools.combinations(sorted(cards), size)))


def is_sale(cards: Iterable[str]) -> bool:
    """Tell whether cards are three whose non-traders are all of one kind (B5.1)."""
    cards = list(cards)
    return len(cards) == 3 and len({kind(card) for card in cards} - {TRADER}) <= 1


def move_cards(cards: Iterable[str], source: list[str], target: list[str]) -> None:
    """Move cards one by one from one place to another; raise `ValueError` if one is missing."""
    for card in list(cards):
        source.remove(card)
        target.append(card)


class Position:
    """One match in progress. Every card is in exactly one of the places listed in `__init__`.

    `to_move` is the seat that owes a move, `None` when the match is over. `phase` says what is
    decided: auction, give, limit, take, final, over.
    """

    def __init__(self, setup: Json) -> None:
        self.players = len(setup["hands"])
        self.hands: list[list[str]] = [list(hand) for hand in setup["hands"]]
        self.deck: list[str] = list(setup["deck"])  # first drawn first
        self.gone: list[str] = list(setup["removed"])  # out of the game
        self.lot: list[str] = []
        self.market: list[str] = []
        self.laid: list[list[str]] = [[] for _ in self.hands]  # cards lying in a bid
        self.profit: list[list[str]] = [[] for _ in self.hands]
        # The rest is no place for cards.
        self.offer_held: list[int | None] = []
        self.stack: list[int] = []
        self.last_winner = 0  # read only once a seat has won
        self.highest_bid = 0
        self.passed: list[int] = []  # seats that passed in this auction, first passer first
        self.takers: list[int] = []  # seats that have yet to take from the market
        self.final_seats: list[int] = []  # seats that have yet to say done
        self.phase = "over"
        self.to_move: int | None = None
        self._start_round(0)  # B2.3

    def cards(self) -> Counter[str]:
        """Count all cards, wherever they are; equal to `PACK` at all times."""
        places = [self.deck, self.gone, self.lot, self.market]
        places += self.hands + self.laid + self.profit
        return Counter(itertools.chain.from_iterable(places))

    def apply(self, move: Json) -> None:
        """Play a move of the seat to move; raise `ValueError` and change nothing if illegal."""
        if self.to_move is None:
            raise ValueError("the match is over")
        if not is_among(move, legal_moves(self)):
            raise ValueError(f"seat {self.to_move} may not play {move} ({self.phase})")
        seat = self.to_move
        hand = self.hands[seat]
        if move["type"] == "sell":
            self._sell(seat, move["cards"])
        elif move["type"] == "pass":
            self._pass(seat)
        elif move["type"] == "bid":
            move_cards(move["cards"], hand, self.laid[seat])
            self.highest_bid = sum(value(card) for card in self.laid[seat])
            self._next_bidder(seat)
        elif move["type"] == "give":
            move_cards([move["card"]], self.lot, self.market)
            self._take_lot(seat)  # B3.8, B3.10
        elif move["type"] == "discard":
            move_cards([move["card"]], hand, self.gone)
            self._go_on()
        elif move["type"] == "take":
            taken = [card for card in self.market if kind(card) == move["kind"]]
            move_cards(taken, self.market, hand)  # B4.1
            self.takers.remove(seat)
            self._go_on()
        else:
            assert move["type"] == "done"
            self.final_seats.remove(seat)  # B7.1
            self._ask_final()

    def scores(self) -> list[int]:
        """Return each seat's points so far, a kept trader counting 5 (B5.2, B7.2)."""
        return [sum(5 if c == TRADER else value(c) for c in kept) for kept in self.profit]

    def ranks(self, ended: list[str]) -> list[int]:
        """Return the ranks (B7.2); seats that forfeited share the rank after all others."""
        strength = [(s, len(hand)) for s, hand in zip(self.scores(), self.hands, strict=True)]
        normal = [seat for seat in range(self.players) if ended[seat] == "normal"]
        ranks = []
        for seat in range(self.players):
            if seat in normal:
                ranks.append(1 + sum(strength[other] > strength[seat] for other in normal))
            else:
                ranks.append(1 + len(normal))
        return ranks

    def _without_offer(self) -> list[int]:
        return [seat for seat in range(self.players) if self.offer_held[seat] is None]

    def _next_clockwise(self, seat: int, among: list[int]) -> int:
        around = [(seat + step) % self.players for step in range(1, self.players + 1)]
        return next(other for other in around if other in among)

    def _start_round(self, opener: int) -> None:
        self.offer_held = [None] * self.players
        self.stack = list(OFFERS[self.players])
        self._start_auction(opener)

    def _start_auction(self, opener: int) -> None:
        move_cards(self.deck[: self.stack[0]], self.deck, self.lot)  # B3.1
        self.highest_bid = 0
        self.passed = []
        self.to_move = opener
        if len(self._without_offer()) > 1:
            self.phase = "auction"
        elif len(self.lot) == 1:  # B3.10: no decision
            move_cards(self.lot, self.lot, self.market)
            self._take_lot(opener)
        else:  # B3.10: the last player does not bid
            self.phase = "give"

    def _pass(self, seat: int) -> None:
        move_cards(self.laid[seat], self.laid[seat], self.hands[seat])  # B3.6
        self.passed.append(seat)
        if set(self.passed) == set(self._without_offer()):
            self._take_lot(self.passed[0])  # B3.9
        else:
            self._next_bidder(seat)

    def _next_bidder(self, seat: int) -> None:
        still_in = [other for other in self._without_offer() if other not in self.passed]
        self.to_move = self._next_clockwise(seat, still_in)  # B3.4
        if len(still_in) == 1 and self.laid[still_in[0]]:  # B3.7
            winner = still_in[0]
            move_cards(self.laid[winner], self.laid[winner], self.market)  # B3.8
            self.phase = "give"

    def _take_lot(self, winner: int) -> None:
        """Give the winner what is left of the lot and the top offer card (B3.8-B3.10)."""
        move_cards(self.lot, self.lot, self.hands[winner])
        self.offer_held[winner] = self.stack.pop(0)
        self.last_winner = winner
        if not self.stack:  # B4.1: rising order of offer cards
            holder = dict(zip(self.offer_held, range(self.players), strict=True))
            self.takers = [holder[offer] for offer in reversed(OFFERS[self.players])]
        self._go_on()

    def _go_on(self) -> None:
        """Find the next decision after a hand has changed outside an auction."""
        for seat, hand in enumerate(self.hands):
            if len(hand) > HAND_LIMIT:  # B6.1: before anything else happens
                self.phase, self.to_move = "limit", seat
                return
        if self.stack:
            self._start_auction(self._next_clockwise(self.last_winner, self._without_offer()))
        elif self.takers and self.market:
            self.phase, self.to_move = "take", self.takers[0]
        else:
            self._end_round()

    def _end_round(self) -> None:
        self.takers = []  # B4.2
        move_cards(self.market, self.market, self.gone)  # B4.3
        lowest = self.offer_held.index(min(OFFERS[self.players]))
        if self.deck:
            self._start_round(lowest)  # B4.4, B3.2
        else:
            self.final_seats = [(lowest + i) % self.players for i in range(self.players)]
            self._ask_final()

    def _ask_final(self) -> None:
        if self.final_seats:
            self.phase, self.to_move = "final", self.final_seats[0]
        else:
            self.phase, self.to_move = "over", None

    def _sell(self, seat: int, cards: list[str]) -> None:
        kept = max(cards, key=value)  # B5.2; a trader only if all three are traders
        move_cards([kept], self.hands[seat], self.profit[seat])
        others = list(cards)
        others.remove(kept)
        move_cards(others, self.hands[seat], self.gone)
        if self.phase == "limit":  # B6.1: may have ended; B5.3: else the decision still stands
            self._go_on()


def legal_moves(position: Position) -> list[Json]:
    """Return every different legal move of the seat to move; none when the match is over."""
    seat = position.to_move
    if seat is None:
        return []
    hand = position.hands[seat]
    moves: list[Json] = []
    if position.phase == "auction":
        moves.append({"type": "pass"})
        goods = [card for card in hand if card != TRADER]  # B1.2: a trader cannot be bid
        for size in range(1, len(goods) + 1):
            for added in subsets(goods, size):
                bid = sum(value(card) for card in [*position.laid[seat], *added])
                if bid >= position.highest_bid + 1:  # B3.5
                    moves.append({"type": "bid", "cards": list(added)})
    elif position.phase == "give":
        moves += [{"type": "give", "card": card} for card in sorted(set(position.lot))]
    elif position.phase == "limit":
        moves += [{"type": "discard", "card": card} for card in sorted(set(hand))]
    elif position.phase == "take":
        kinds = sorted({kind(card) for card in position.market})
        moves += [{"type": "take", "kind": name} for name in kinds]
    else:
        moves.append({"type": "done"})
    sales = [cards for cards in subsets(hand, 3) if is_sale(cards)]  # B5.3: at each decision
    return moves + [{"type": "sell", "cards": list(cards)} for cards in sales]


def is_among(move: object, moves: list[Json]) -> bool:
    """Tell whether a move is one of `moves`; the order of its cards carries no meaning."""

    def ordered(one: object) -> object:
        if isinstance(one, dict) and isinstance(one.get("cards"), list):
            return {**one, "cards": sorted(one["cards"], key=repr)}
        return one

    return ordered(move) in [ordered(other) for other in moves]


def judge(lines: list[Json]) -> list[str]:
    """Replay one match from its set-up; return what is wrong with it, empty if nothing.

    `lines` are the parsed lines of one replay. Each problem starts with the index of its line,
    counted from 0. After an illegal move the rules are no longer checked, only the numbering.
    """
    if not lines or not all(isinstance(line, dict) for line in lines):
        return ["line 0: a replay is a non-empty list of JSON objects"]
    problems = [f"line 0: {text}" for text in judge_header(lines[0])]
    position = None if problems else Position(lines[0]["setup"])
    body = lines[1:]
    if body and body[-1].get("type") == "outcome":
        body = body[:-1]
    else:
        problems.append(f"line {len(lines) - 1}: the last line is not an outcome")
    for index, line in enumerate(body, start=1):
        found = []
        if not is_int(line.get("n"), index):
            found.append(f"n is {line.get('n')!r}, not {index}")
        if line.get("type") != "move":  # All chance in Byzanz is in the set-up.
            found.append(f"line of type {line.get('type')!r} where only moves belong")
        elif position is not None:
            found += judge_move(position, line)
            try:
                position.apply(line.get("move", {}))
            except ValueError as error:
                found.append(str(error))
                position = None
        problems += [f"line {index}: {text}" for text in found]
    if position is not None and lines[-1].get("type") == "outcome" and len(lines) > 1:
        found = judge_outcome(position, lines[-1])
        problems += [f"line {len(lines) - 1}: {text}" for text in found]
    return problems


def judge_header(line: Json) -> list[str]:
    """Return what is wrong with the match line and its deal (B1, B2)."""
    for key, wanted in {"type": "match", "format": "arena-replay/1", "game": "byzanz"}.items():
        if line.get(key) != wanted:
            return [f"{key} is {line.get(key)!r}, not {wanted!r}"]
    players, setup = line.get("players"), line.get("setup")
    if type(players) is not int or players not in OFFERS:
        return [f"players is {players!r}, not 3 to 6"]
    if not isinstance(setup, dict) or set(setup) != {"hands", "removed", "deck"}:
        return ["setup does not consist of hands, removed and deck"]
    if not isinstance(setup["hands"], list) or len(setup["hands"]) != players:
        return [f"setup has not one hand for each of {players} seats"]
    piles = [*setup["hands"], setup["removed"], setup["deck"]]
    if not all(isinstance(pile, list) and all(isinstance(c, str) for c in pile) for pile in piles):
        return ["a pile of the setup is not a list of cards"]
    problems = []
    if not isinstance(line.get("seats"), list) or len(line["seats"]) != players:
        problems.append(f"seats does not name {players} bots")
    relabel = line.get("relabel")
    if not isinstance(relabel, list) or sorted(relabel, key=repr) != sorted(GOODS):
        problems.append("relabel is not an order of the six goods")
    in_deck = PACK.total() - players * DEALT - REMOVED[players]
    sizes = [DEALT] * players + [REMOVED[players], in_deck]
    if [len(pile) for pile in piles] != sizes:
        problems.append(f"hands, removed, deck have {[len(p) for p in piles]} cards, not {sizes}")
    dealt = Counter(card for pile in piles for card in pile)
    wrong = [card for card in sorted(dealt | PACK) if dealt[card] != PACK[card]]
    return problems + [f"{dealt[c]} cards {c!r} in the setup, not {PACK[c]}" for c in wrong]


def judge_move(position: Position, line: Json) -> list[str]:
    """Return what is wrong with a move line, apart from its number and the move itself."""
    if position.to_move is None:
        return []  # `apply` says so.
    problems = []
    count = len(legal_moves(position))
    if not is_int(line.get("seat"), position.to_move):
        problems.append(f"seat is {line.get('seat')!r}, but seat {position.to_move} is to move")
    if not is_int(line.get("legal"), count):
        problems.append(f"legal is {line.get('legal')!r}, but there are {count} legal moves")
    if ("forced" in line) != (count == 1) or line.get("forced", True) is not True:
        problems.append(f"forced is {line.get('forced')!r} with {count} legal moves")
    return problems


def judge_outcome(position: Position, line: Json) -> list[str]:
    """Return what is wrong with the outcome line of a match that stands at `position`."""
    if position.to_move is not None:
        return [f"the match stops, but seat {position.to_move} is to move ({position.phase})"]
    ended = line.get("ended")
    if not isinstance(ended, list) or len(ended) != position.players:
        return ["ended does not say how each seat ended"]
    known = [one == "normal" or str(one).startswith("forfeit:") for one in ended]
    problems = [] if all(known) else [f"ended is {ended}, neither normal nor forfeit:<fault>"]
    for key, wanted in {"scores": position.scores(), "ranks": position.ranks(ended)}.items():
        given = line.get(key)
        right_type = isinstance(given, list) and all(type(number) is int for number in given)
        if not right_type or given != wanted:
            problems.append(f"{key} is {given!r}, not {wanted}")
    return problems


def is_int(given: object, wanted: int) -> bool:
    """Tell whether a JSON value is exactly this whole number (`true` is not 1)."""
    return type(given) is int and given == wanted


def random_match(seed: int, players: int) -> list[Json]:
    """Return the replay lines of a match of random legal moves, each type equally likely."""
    rng = random.Random(f"{seed}/{players}")
    pack = sorted(PACK.elements())
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(DEALT)] for _ in range(players)]
    removed = [pack.pop() for _ in range(REMOVED[players])]
    setup: Json = {"hands": hands, "removed": removed, "deck": pack}
    header: Json = {"type": "match", "format": "arena-replay/1", "arena": "oracle"}
    header |= {"game": "byzanz", "options": {}, "match": f"random-{seed}", "deal": f"{seed}"}
    header |= {"seed": None, "relabel": list(GOODS), "players": players}
    header |= {"seats": [{"bot": "random", "version": "1"} for _ in hands], "setup": setup}
    lines = [header]
    position = Position(setup)
    while position.to_move is not None:
        moves = legal_moves(position)
        wanted = rng.choice(sorted({move["type"] for move in moves}))
        move = rng.choice([move for move in moves if move["type"] == wanted])
        line: Json = {"type": "move", "n": len(lines), "seat": position.to_move, "move": move}
        line |= {"legal": len(moves), "ms": 0.0}
        lines.append(line | ({"forced": True} if len(moves) == 1 else {}))
        position.apply(move)
    ended = ["normal"] * players
    scores, ranks = position.scores(), position.ranks(ended)
    return [*lines, {"type": "outcome", "scores": scores, "ranks": ranks, "ended": ended}]
