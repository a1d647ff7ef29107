"""Schwarzmarkt a second time, slow and plain, to judge replays.

Shares nothing with the engine but the text of the rules. Goods and black-market cards are strings
as in the moves, piles are lists with the top card first. Nothing here draws at random except
`random_match`: every outcome of chance comes from the replay's chance lines.

    judge(lines)              the problems of one replay, empty if it is fine
    Position(setup)           a match in progress: to_move, is_over, apply(move, chance)
    legal_moves(position)     all legal moves as JSON values, each once
    random_match(seed, n)     a random legal match as replay lines
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import Any

Json = dict[str, Any]

# S1.1; this order is also the one in which cards of one trade or one foraging go under the pile.
GOODS = ["potatoes", "butter", "sugar", "coffee", "flour"]
DECKS = {
    "basic": {"potatoes": 12, "butter": 12, "sugar": 12, "coffee": 12, "flour": 12},
    "uneven": {"potatoes": 16, "butter": 12, "sugar": 10, "coffee": 8, "flour": 14},
}

# S1.4
PRICES = [1, 3, 5, 7, 9, 12, 15, 20, 25, 30, 35, 40, 45, 50]
STEPS = [4, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0]
LAST_SPACE = 13

OFFERS = [
    "offer:potatoes-2,butter-2",
    "offer:butter-2,sugar-2",
    "offer:sugar-2,coffee-2",
    "offer:coffee-2,flour-2",
    "offer:potatoes-2,flour-2",
    "offer:potatoes-3",
    "offer:butter-3",
    "offer:sugar-3",
    "offer:coffee-3",
    "offer:flour-3",
    "offer:potatoes-2,sugar-1,coffee-1",
    "offer:butter-2,coffee-1,flour-1",
    "offer:potatoes-1,sugar-2,flour-1",
    "offer:potatoes-1,butter-1,coffee-2",
    "offer:butter-1,sugar-1,flour-2",
    "offer:butter-1,sugar-1,coffee-1,flour-1",
    "offer:potatoes-1,sugar-1,coffee-1,flour-1",
    "offer:potatoes-1,butter-1,coffee-1,flour-1",
    "offer:potatoes-1,butter-1,sugar-1,flour-1",
    "offer:potatoes-1,butter-1,sugar-1,coffee-1",
]
# S5, with their copies
TEXT_CARDS = ["old_debt"] * 2 + ["new_goods"] * 2 + ["scarce_goods"] * 2
TEXT_CARDS += ["foraging", "protection", "raid", "slow_trade"]
STAYING_OPEN = ["scarce_goods", "raid", "slow_trade"]  # until the next exchange round ends
BLACK_MARKET = OFFERS + TEXT_CARDS

HAND_SIZE = 9  # S2.1, S6.1
BLACK_MARKET_HAND_SIZE = 3  # S2.1
CARDS_PER_GAME_ROUND = 100  # S6.4

FORMAT = "arena-replay/1"
FAULTS = ["timeout", "illegal_move", "protocol_error", "flood"]
FAULTS += ["crash", "out_of_memory", "disconnect", "no_start", "out_of_processes", "out_of_disk"]
MATCH_FIELDS = {"type", "format", "arena", "game", "options", "match", "deal", "seed", "relabel"}
MATCH_FIELDS |= {"players", "seats", "setup"}
SETUP_FIELDS = {"hands", "black_market_hands", "goods_pile", "black_market_pile"}
MOVE_FIELDS = {"type", "n", "seat", "move", "legal"}
MOVE_EXTRAS = {"ms", "forced", "fault", "note"}


_WRITER = json.JSONEncoder(sort_keys=True)


class ReplayError(ValueError):
    """A move or an outcome of chance that the rules do not allow here."""


def text(value: object) -> str:
    """Return a value as JSON, so that true, 1 and 1.0 differ and any two values compare."""
    return _WRITER.encode(value)


def same_cards(one: object, other: list[str]) -> bool:
    """Say whether `one` is a list of exactly the cards of `other`, in whatever order."""
    return isinstance(one, list) and sorted(map(text, one)) == sorted(map(text, other))


def in_order(goods: Iterable[str]) -> list[str]:
    """Return goods in the order potatoes, butter, sugar, coffee, flour."""
    return sorted(goods, key=GOODS.index)


def once_each(values: Iterable[Any]) -> list[Any]:
    """Return the different values, in order of first appearance: equal cards make one move."""
    return list(dict.fromkeys(values))


def wanted_by(offer: str) -> list[str]:
    """Return the goods an offer wants, one entry per card."""
    wanted = []
    for part in offer.removeprefix("offer:").split(","):
        good, count = part.split("-")
        wanted += [good] * int(count)
    return wanted


def canonical(move: object) -> object:
    """Return a move with its list of goods in order; the order in which cards are named is free."""
    if not isinstance(move, dict):
        return move
    result = dict(move)
    for field in ("goods", "cards"):
        named = result.get(field)
        if isinstance(named, list) and all(good in GOODS for good in named):
            result[field] = in_order(named)
    return result


class Position:
    """One match in progress, all cards face up, changed in place by moves and chance.

    `to_move` is the seat that owes a move; it is None while chance is owed and when the match is
    over. `owed` lists the outcomes of chance still to come, without their result. All other
    fields may be set by a test to build a position.
    """

    def __init__(self, setup: Json) -> None:
        """Start from a replay's set-up, which is taken to be a proper deal."""
        self.hands: list[list[str]] = [list(hand) for hand in setup["hands"]]
        self.black_market_hands: list[list[str]] = [list(h) for h in setup["black_market_hands"]]
        self.goods_pile: list[str] = list(setup["goods_pile"])
        self.black_market_pile: list[str] = list(setup["black_market_pile"])
        self.players = len(self.hands)
        self.luxury = [0] * self.players
        self.game_round = 1
        self.start_player = 0  # S2.2
        self.to_move: int | None = 0
        self.phase = "play"  # play, draw, find, search, exchange, return, redeal, over
        self.owed: list[Json] = []
        self.open_cards: list[str] = []  # in order of play; a text card being carried out as well
        self.raided: list[int] = []
        self.marker = 0
        self.demand: list[str] = []  # still wanted
        self.traded: list[str] = []  # lying open, in the order traded
        self.traded_by: list[int] = [0] * self.players  # cards in this exchange round
        self.cards_this_round = 0  # black-market cards of this game round, played or buried
        self.rounds_without_trade = 0  # exchange rounds in a row

    @property
    def is_over(self) -> bool:
        """Whether the second game round has ended (S6.3)."""
        return self.phase == "over"

    def apply(self, move: Json, chance: Sequence[Json] = ()) -> None:
        """Make a move with all the chance it causes, in order.

        Raises `ReplayError` if either is wrong. An illegal move changes nothing; after wrong
        chance the position is of no further use.
        """
        self.make_move(move)
        for outcome in chance:
            self.take_chance(outcome)
        if self.owed:
            raise ReplayError(f"chance missing: {text(self.owed[0])}")

    def make_move(self, move: Any) -> None:
        """Make a move without its chance, which is then in `owed`."""
        if self.to_move is None:
            raise ReplayError(
                "no move is due: " + ("chance is owed" if self.owed else "match over")
            )
        legal = [text(candidate) for candidate in legal_moves(self)]
        if text(canonical(move)) not in legal:
            raise ReplayError(f"illegal move {text(move)}")
        seat = self.to_move
        if move["type"] == "play":
            self._play(seat, move)
        elif move["type"] == "bury":
            self._take_black_market_card(seat, move["card"])
            self._finish_card()
        elif move["type"] == "find":
            self.goods_pile.remove(move["good"])
            self.hands[seat].append(move["good"])
            self._owe("search", {"what": "shuffle", "pile": "goods"})
        elif move["type"] == "trade":
            self._trade(seat, in_order(move["goods"]))
        elif move["type"] == "step":
            self._move_marker(seat, move["spaces"])
        elif move["type"] == "hold":
            self._end_exchange_round()
        elif move["type"] == "return":
            self.hands[seat].remove(move["good"])
            self.goods_pile.append(move["good"])
            self._ask_for_returns()

    def take_chance(self, outcome: Json) -> None:
        """Let the next owed chance come out as `outcome` says (fields type and n are ignored)."""
        if not self.owed:
            raise ReplayError("chance superfluous: none is owed")
        due = self.owed[0]
        for field, value in due.items():
            if text(outcome.get(field)) != text(value):
                raise ReplayError(f"wrong chance: {text(due)} is owed")
        if due["what"] == "draw":
            if outcome.get("good") not in self.hands[due["from"]]:
                raise ReplayError(
                    f"impossible draw: {text(outcome.get('good'))} is not in that hand"
                )
            self.hands[due["from"]].remove(outcome["good"])
            self.hands[self.start_player].append(outcome["good"])
        else:
            pile = self.goods_pile if due["pile"] == "goods" else self.black_market_pile
            if not same_cards(outcome.get("order"), pile):
                raise ReplayError(f"shuffle is not a permutation of the {due['pile']} pile")
            pile[:] = outcome["order"]
        self.owed.pop(0)
        if not self.owed:
            if self.phase == "redeal":
                self._fill_up_hands()
            else:
                self._finish_card()

    def _owe(self, phase: str, *chance: Json) -> None:
        self.phase = phase
        self.owed = list(chance)
        self.to_move = None

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    # Black-market cards (S3, S5)

    def _take_black_market_card(self, seat: int, card: str) -> None:
        """Put a card from the hand on the table and draw a new one at once (S3.1, S3.3)."""
        self.black_market_hands[seat].remove(card)
        self.black_market_hands[seat].append(self.black_market_pile.pop(0))
        self.open_cards.append(card)
        self.cards_this_round += 1

    def _play(self, seat: int, move: Json) -> None:
        card = move["card"]
        self._take_black_market_card(seat, card)
        if card.startswith("offer:"):  # S3.2, S4.1
            self.demand = wanted_by(card)
            self.traded_by = [0] * self.players
            self.phase = "exchange"
        elif card == "old_debt":
            self._owe("draw", {"what": "draw", "from": move["target"]})
        elif card == "new_goods":
            self.luxury[seat] -= 5
            self.phase = "find"
        elif card == "foraging":
            laid = in_order(move["cards"])
            for good in laid:
                self.hands[seat].remove(good)
            for _ in laid:
                self.hands[seat].append(self.goods_pile.pop(0))
            self.goods_pile += laid
            self._finish_card()
        elif card == "protection":
            paid = min(5, self.luxury[move["target"]])
            self.luxury[move["target"]] -= paid
            self.luxury[seat] += paid
            self._finish_card()
        else:
            if card == "raid":
                self.raided.append(move["target"])
            self._finish_card()

    def _finish_card(self) -> None:
        """Go on after a black-market card has been dealt with, an offer's exchange round included.

        A card that acted at once or was buried goes under the pile (S3.4; those that stay open
        are always playable, so never buried). After an exchange round the table is clear already.
        """
        if self.open_cards and self.open_cards[-1] not in STAYING_OPEN:
            self.black_market_pile.append(self.open_cards.pop())
        too_many = self.cards_this_round == CARDS_PER_GAME_ROUND
        if too_many or self.rounds_without_trade == 2 * self.players:  # S6.4
            self._end_game_round()
        else:
            self._next_start_player()

    def _next_start_player(self) -> None:
        self.start_player = self._left_of(self.start_player)  # S3.2, S6.2
        self.to_move = self.start_player
        self.phase = "play"

    # Exchange round (S4)

    def _trade(self, seat: int, goods: list[str]) -> None:
        for good in goods:
            self.hands[seat].remove(good)
            self.demand.remove(good)
            self.traded.append(good)
            self.luxury[seat] += PRICES[self.marker]
        self.traded_by[seat] += len(goods)
        if not self.hands[seat]:
            self._end_game_round()  # S4.4
        elif not self.demand or self.marker == LAST_SPACE:
            self._end_exchange_round()  # S4.3
        else:
            self._move_marker(seat, 1)  # S4.2

    def _move_marker(self, seat: int, spaces: int) -> None:
        self.marker += spaces
        self.to_move = self._left_of(seat)

    def _end_exchange_round(self) -> None:
        self.rounds_without_trade = 0 if self.traded else self.rounds_without_trade + 1
        self._clear_table()
        self._finish_card()

    def _clear_table(self) -> None:
        """Put everything lying open under its pile; effects of text cards lapse (S3.4, S4.4)."""
        self.goods_pile += self.traded
        self.black_market_pile += self.open_cards  # the offer was played last
        self.traded = []
        self.open_cards = []
        self.raided = []
        self.demand = []
        self.marker = 0  # S2.2

    # Between the game rounds, and the end (S6)

    def _end_game_round(self) -> None:
        self._clear_table()
        self.cards_this_round = 0
        self.rounds_without_trade = 0
        if self.game_round == 2:
            self.phase = "over"
            self.to_move = None
        else:
            self.game_round = 2
            self._ask_for_returns()

    def _ask_for_returns(self) -> None:
        for seat in range(self.players):
            if len(self.hands[seat]) > HAND_SIZE:
                self.phase = "return"
                self.to_move = seat
                return
        goods = {"what": "shuffle", "pile": "goods"}
        self._owe("redeal", goods, {"what": "shuffle", "pile": "black_market"})

    def _fill_up_hands(self) -> None:
        for hand in self.hands:
            while len(hand) < HAND_SIZE:
                hand.append(self.goods_pile.pop(0))
        self._next_start_player()


def legal_moves(position: Position) -> list[Json]:
    """Return every legal move of the seat to move, each once; empty if no move is due."""
    seat = position.to_move
    if seat is None:
        return []
    if position.phase == "play":
        cards = once_each(position.black_market_hands[seat])
        plays = [move for card in cards for move in plays_of(position, seat, card)]
        return plays or [{"type": "bury", "card": card} for card in cards]  # S3.3
    if position.phase == "find":
        return [{"type": "find", "good": good} for good in once_each(position.goods_pile)]
    if position.phase == "return":
        return [{"type": "return", "good": good} for good in once_each(position.hands[seat])]
    trades: list[Json] = [{"type": "trade", "goods": g} for g in trades_of(position, seat)]
    if position.marker == LAST_SPACE:  # S4.3
        return [*trades, {"type": "hold"}]
    furthest = 1 if "slow_trade" in position.open_cards else STEPS[position.marker]
    furthest = min(furthest, LAST_SPACE - position.marker)  # S4.2
    return trades + [{"type": "step", "spaces": spaces} for spaces in range(1, furthest + 1)]


def plays_of(position: Position, seat: int, card: str) -> list[Json]:
    """Return the ways to play a card, none if its condition does not hold (S3.3, S5)."""
    hand, pile, luxury = position.hands[seat], position.goods_pile, position.luxury
    others = [other for other in range(position.players) if other != seat]
    play: Json = {"type": "play", "card": card}
    if card == "old_debt":
        return [{**play, "target": other} for other in others if position.hands[other]]
    if card == "new_goods":
        return [play] if luxury[seat] >= 5 and pile else []
    if card == "foraging":
        return [{**play, "cards": laid} for laid in selections(hand, min(3, len(pile)))]
    if card == "protection":
        return [{**play, "target": other} for other in others if luxury[other] > 0]
    if card == "raid":
        return [{**play, "target": other} for other in others]
    return [play]


def trades_of(position: Position, seat: int) -> list[list[str]]:
    """Return the sets of cards a seat may trade now (S4.2)."""
    if seat in position.raided:
        return []
    wanted, held = Counter(position.demand), Counter(position.hands[seat])
    tradable = list((wanted & held).elements())
    most = len(tradable)
    if "scarce_goods" in position.open_cards:
        most = min(most, 1 - position.traded_by[seat])
    return selections(tradable, most)


def selections(goods: list[str], most: int) -> list[list[str]]:
    """Return the different choices of 1 to `most` of these cards."""
    chosen = [c for size in range(1, most + 1) for c in combinations(in_order(goods), size)]
    return [list(choice) for choice in once_each(chosen)]


# Judging a replay


def judge(lines: list[Json]) -> list[str]:
    """Return the problems of one replay, each with its line's index; empty if it is fine.

    Stops at the first problem that leaves the position unknown.
    """
    if not lines:
        return ["line 0: the replay is empty"]
    problems = [f"line 0: {problem}" for problem in match_problems(lines[0])]
    if problems:
        return problems
    position = Position(lines[0]["setup"])
    number = 0
    for index, line in enumerate(lines[1:], start=1):
        here = f"line {index}: "
        if line.get("type") == "outcome":
            problems += [here + problem for problem in outcome_problems(position, line)]
            if index != len(lines) - 1:
                problems.append(f"line {index + 1}: the replay goes on after the outcome")
            return problems
        if text(line.get("n")) != text(number + 1):
            problems.append(f"{here}n is {text(line.get('n'))}, not {number + 1}")
        number = line["n"] if type(line.get("n")) is int else number + 1
        try:
            if line.get("type") == "move":
                problems += [here + problem for problem in move_problems(position, line)]
                position.make_move(line.get("move"))
            elif line.get("type") == "chance":
                problems += [here + problem for problem in chance_problems(position, line)]
                if position.owed:
                    position.take_chance(line)
            else:
                raise ReplayError(
                    f"line of type {text(line.get('type'))} between match and outcome"
                )
        except ReplayError as problem:
            return [*problems, f"{here}{problem}"]
    return [*problems, f"line {len(lines)}: outcome missing"]


def match_problems(line: Json) -> list[str]:
    """Check the match line and the deal it holds (S1, S2)."""
    if line.get("type") != "match":
        return ["the first line is not the match line"]
    problems = field_problems(line, MATCH_FIELDS, set(line))
    for field, value in {"format": FORMAT, "game": "schwarzmarkt"}.items():
        if line.get(field) != value:
            problems.append(f"{field} is {text(line.get(field))}, not {value}")
    options, players, seats = line.get("options"), line.get("players"), line.get("seats")
    if text(options) not in [text({}), *(text({"deck": deck}) for deck in DECKS)]:
        return [*problems, f"options {text(options)} not known"]
    if type(players) is not int or not 3 <= players <= 5:
        return [*problems, f"{text(players)} players"]
    if not isinstance(seats, list) or len(seats) != players:
        problems.append(f"seats does not list {players} bots")
    deck = DECKS[line["options"].get("deck", "basic")]
    if line.get("relabel") not in symmetries(deck):
        problems.append(f"relabel {text(line.get('relabel'))} is no symmetry of the material")
    setup = line.get("setup")
    if not isinstance(setup, dict) or set(setup) != SETUP_FIELDS:
        return [*problems, f"setup does not have exactly the fields {sorted(SETUP_FIELDS)}"]
    goods = list(Counter(deck).elements())
    problems += deal_problems(setup, "hands", "goods_pile", players, HAND_SIZE, goods)
    places = ("black_market_hands", "black_market_pile")
    return problems + deal_problems(setup, *places, players, BLACK_MARKET_HAND_SIZE, BLACK_MARKET)


def symmetries(deck: dict[str, int]) -> list[list[str]]:
    """Return the renamings of the goods that keep the deck and the set of offers as they are."""
    found = []
    offers = sorted(sorted(wanted_by(offer)) for offer in OFFERS)
    for images in permutations(GOODS):
        image = dict(zip(GOODS, images, strict=True))
        renamed = sorted(sorted(image[good] for good in wanted_by(offer)) for offer in OFFERS)
        if renamed == offers and all(deck[image[good]] == deck[good] for good in GOODS):
            found.append(list(images))
    return found


def deal_problems(
    setup: Json, hands: str, pile: str, players: int, size: int, cards: list[str]
) -> list[str]:
    """Check that hands and pile have the right sizes and are together exactly `cards` (S2.1)."""
    lists = setup[hands]
    if not isinstance(lists, list) or not all(isinstance(x, list) for x in [*lists, setup[pile]]):
        return [f"{hands} or {pile} is not made of lists"]
    if [len(hand) for hand in lists] != [size] * players:
        return [f"{hands} are not {players} hands of {size} cards"]
    if not same_cards([card for part in [*lists, setup[pile]] for card in part], cards):
        return [f"{hands} and {pile} are not exactly the {len(cards)} cards of the game"]
    return []


def field_problems(line: Json, required: set[str], allowed: set[str]) -> list[str]:
    """Name the required fields a line lacks and those it has beyond the allowed ones."""
    missing, extra = sorted(required - set(line)), sorted(set(line) - required - allowed)
    problems = [f"field {field} missing" for field in missing]
    return problems + [f"field {field} unknown" for field in extra]


def move_problems(position: Position, line: Json) -> list[str]:
    """Check a move line but for the move itself."""
    if position.to_move is None:
        return []  # making the move will say why none is due
    problems = field_problems(line, MOVE_FIELDS, MOVE_EXTRAS)
    if text(line.get("seat")) != text(position.to_move):
        problems.append(f"seat {text(line.get('seat'))} moves, but {position.to_move} is to move")
    count = len(legal_moves(position))
    if text(line.get("legal")) != text(count):
        problems.append(f"legal is {text(line.get('legal'))}, not {count}")
    if ("forced" in line) != (count == 1) or line.get("forced", True) is not True:
        problems.append(f"forced is {text(line.get('forced'))} with {count} legal moves")
    if "fault" in line and line["fault"] not in FAULTS:
        problems.append(f"fault {text(line['fault'])} not known")
    return problems


def chance_problems(position: Position, line: Json) -> list[str]:
    """Check that a chance line is due and has its fields, but not how chance came out."""
    if not position.owed:
        return ["chance superfluous: none is owed"]
    due = position.owed[0]
    fields = {"type", "n", *due, "good" if due["what"] == "draw" else "order"}
    return field_problems(line, fields, set())


def outcome_problems(position: Position, line: Json) -> list[str]:
    """Check that the match is over, its scores and its ranks (S6.3)."""
    if position.owed:
        return [f"chance missing: {text(position.owed[0])}"]
    if not position.is_over:
        return [f"the match stops too early: seat {position.to_move} is to move"]
    problems = field_problems(line, {"type", "scores", "ranks", "ended"}, set())
    if text(line.get("scores")) != text(position.luxury):
        problems.append(f"scores are {text(line.get('scores'))}, not {text(position.luxury)}")
    known = ["normal", *(f"forfeit:{fault}" for fault in FAULTS)]
    ended = line.get("ended")
    if not isinstance(ended, list) or len(ended) != position.players:
        return [*problems, f"ended is not a list of {position.players}"]
    problems += [f"ended {text(how)} not known" for how in ended if how not in known]
    ranks = ranks_of(position.luxury, ended)
    if text(line.get("ranks")) != text(ranks):
        problems.append(f"ranks are {text(line.get('ranks'))}, not {text(ranks)}")
    return problems


def ranks_of(scores: list[int], ended: list[str]) -> list[int]:
    """Return ranks from 1, equal scores sharing one; forfeited seats share the one after all."""
    normal = [score for score, how in zip(scores, ended, strict=True) if how == "normal"]
    return [
        1 + sum(other > score for other in normal) if how == "normal" else 1 + len(normal)
        for score, how in zip(scores, ended, strict=True)
    ]


# A random match


def random_deal(rng: random.Random, players: int, deck: str = "basic") -> Json:
    """Return a shuffled set-up (S2.1)."""
    goods = rng.sample(list(Counter(DECKS[deck]).elements()), 60)
    cards = rng.sample(BLACK_MARKET, 30)
    hands = [[goods.pop() for _ in range(HAND_SIZE)] for _ in range(players)]
    market = [[cards.pop() for _ in range(BLACK_MARKET_HAND_SIZE)] for _ in range(players)]
    piles = {"goods_pile": goods, "black_market_pile": cards}
    return {"hands": hands, "black_market_hands": market, **piles}


def random_chance(rng: random.Random, position: Position) -> Json:
    """Return a random outcome for the next chance owed."""
    due = position.owed[0]
    if due["what"] == "draw":
        return {**due, "good": rng.choice(position.hands[due["from"]])}
    pile = position.goods_pile if due["pile"] == "goods" else position.black_market_pile
    return {**due, "order": rng.sample(pile, len(pile))}


def random_match(seed: int, players: int, deck: str = "basic") -> list[Json]:
    """Return the replay lines of a match of random legal moves; equal arguments, equal match."""
    rng = random.Random(seed)
    setup = random_deal(rng, players, deck)
    head: Json = {"type": "match", "format": FORMAT, "arena": "oracle", "game": "schwarzmarkt"}
    head |= {"match": f"random-{seed}", "deal": f"random-{seed}", "seed": None}
    head |= {"options": {} if deck == "basic" else {"deck": deck}, "relabel": list(GOODS)}
    head |= {"players": players, "seats": [{"bot": "random", "version": "1"}] * players}
    lines = [{**head, "setup": setup}]
    position = Position(setup)
    while not position.is_over:
        legal = legal_moves(position)
        move = rng.choice(legal)
        line = {"type": "move", "n": len(lines), "seat": position.to_move, "move": move}
        line |= {"legal": len(legal), "ms": 0.0}
        if len(legal) == 1:
            line["forced"] = True
        lines.append(line)
        position.make_move(move)
        while position.owed:
            outcome = random_chance(rng, position)
            lines.append({"type": "chance", "n": len(lines), **outcome})
            position.take_chance(outcome)
    scores, ended = list(position.luxury), ["normal"] * players
    ranks = ranks_of(scores, ended)
    lines.append({"type": "outcome", "scores": scores, "ranks": ranks, "ended": ended})
    return lines
