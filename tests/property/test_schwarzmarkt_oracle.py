"""Engine and oracle play the same random matches side by side and must agree at every step."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from arena.games.counts import unpack
from arena.games.game import Event
from arena.games.game import Move as EngineMove
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS
from arena.games.schwarzmarkt.rules import SchwarzmarktState
from arena.games.shuffle import SeededChance
from tests.oracle import schwarzmarkt as oracle

Move = dict[str, Any]
Policy = Callable[[Random, list[Move], oracle.Position], Move]

GAMES = {deck: Schwarzmarkt({"deck": deck}) for deck in ("basic", "uneven")}
TABLES = [(deck, players) for deck in GAMES for players in (3, 4, 5)]


def uniform(rng: Random, legal: list[Move], position: oracle.Position) -> Move:
    return rng.choice(legal)


def texts_first(rng: Random, legal: list[Move], position: oracle.Position) -> Move:
    """Play text cards whenever possible, so that hands grow, cards pile up and lie open."""
    texts = [move for move in legal if not move.get("card", "offer:").startswith("offer:")]
    return rng.choice(texts or legal)


def never_trade(rng: Random, legal: list[Move], position: oracle.Position) -> Move:
    """Step or hold, so that game rounds end by their row of idle exchange rounds (S6.4)."""
    return rng.choice([move for move in legal if move["type"] != "trade"])


def reluctant(rng: Random, legal: list[Move], position: oracle.Position) -> Move:
    """Trade one card when the row of idle rounds would be full: 100 cards are reached (S6.4)."""
    seat = position.to_move
    assert seat is not None
    single = [move for move in legal if len(move.get("goods", [])) == 1]
    about_to_end = position.rounds_without_trade == 2 * position.players - 1
    if single and about_to_end and not position.traded and len(position.hands[seat]) > 1:
        return rng.choice(single)
    return never_trade(rng, legal, position)


POLICIES: dict[str, Policy] = {"uniform": uniform, "texts first": texts_first}


WRITE = json.JSONEncoder(sort_keys=True).encode


@cache
def written_by_engine(game: Schwarzmarkt, move: EngineMove) -> str:
    """Return a move of the engine as text."""
    return WRITE(game.move_to_json(move))


def compare(
    game: Schwarzmarkt, state: SchwarzmarktState, position: oracle.Position, legal: list[Move]
) -> None:
    """Check that both see the same table, the same seat to move and the same legal moves."""
    assert state.to_act == position.to_move
    moves = sorted(written_by_engine(game, move) for move in state.legal_moves())
    assert moves == sorted(map(WRITE, legal))
    assert list(state.luxury) == position.luxury
    assert [GOODS[good] for good in state.goods_pile] == position.goods_pile
    names = [card.name for card in game.material.cards]
    assert [names[card] for card in state.black_market_pile] == position.black_market_pile
    for seat in range(state.seats):
        held = [GOODS[good] for good in unpack(state.goods[seat])]
        assert held == oracle.in_order(position.hands[seat])
        cards = Counter(names[card] for card in unpack(state.cards[seat]))
        assert cards == Counter(position.black_market_hands[seat])


def chance_lines(game: Schwarzmarkt, events: Sequence[Event]) -> list[Move]:
    lines = [game.chance_to_json(event) for event in events if event.by_chance]
    return [dict(line) for line in lines if line is not None]


def play_both(
    deck: str, players: int, policy: Policy, seed: int, first_hand: Sequence[str] = ()
) -> Counter[str]:
    """Play one match on both and return what happened in it, by name.

    With a `first_hand` seat 0 is dealt these black-market cards in exchange for its own.
    """
    rng = Random(seed)
    game = GAMES[deck]
    deal_seed = rng.randbytes(8)
    setup = json.loads(json.dumps(game.setup_to_json(game.setup(deal_seed, players))))
    give_first_hand(setup, first_hand)
    state = game.start(game.setup_from_json(setup, players), SeededChance(deal_seed))
    position = oracle.Position(setup)
    happened: Counter[str] = Counter()
    while True:
        legal = oracle.legal_moves(position)
        compare(game, state, position, legal)
        if position.is_over:
            break
        move = policy(rng, legal, position)
        cards, idle = position.cards_this_round, position.rounds_without_trade
        game_round = position.game_round
        events = state.apply(game.move_from_json(move))
        chance = chance_lines(game, events)
        position.apply(move, chance)
        happened[move["type"]] += 1
        happened.update(line["what"] for line in chance)
        if position.game_round != game_round or position.is_over:
            happened["ended by idle rounds"] += idle == 2 * players - 1 and move["type"] == "hold"
            happened["ended by the 100th card"] += cards >= 99 and move["type"] != "trade"
    outcome = state.outcome()
    assert list(outcome.scores) == position.luxury
    assert list(outcome.ranks) == oracle.ranks_of(position.luxury, ["normal"] * players)
    return happened


def give_first_hand(setup: Any, cards: Sequence[str]) -> None:
    places = [*setup["black_market_hands"][1:], setup["black_market_pile"]]
    first = setup["black_market_hands"][0]
    for index, card in enumerate(cards):
        if card not in first[index:]:
            place = next(place for place in places if card in place)
            place[place.index(card)], first[index] = first[index], card
        else:
            found = first.index(card, index)
            first[index], first[found] = first[found], first[index]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("deck", "players"), TABLES)
def test_engine_and_oracle_agree_through_matches(deck, players, policy):
    """Both have the same seat to move, legal moves, hands, piles, scores and ranks throughout."""
    total: Counter[str] = Counter()
    for seed in range(3):
        total += play_both(deck, players, POLICIES[policy], seed)

    assert total["play"]
    assert total["trade"]
    assert total["shuffle"]


@pytest.mark.parametrize(("deck", "players"), TABLES)
def test_engine_and_oracle_agree_on_idle_game_rounds(deck, players):
    """S6.4: both end game rounds without any trade after 2 × players exchange rounds."""
    total = play_both(deck, players, never_trade, 1)

    assert total["ended by idle rounds"] == 2
    assert total["trade"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "players"), TABLES)
def test_engine_and_oracle_agree_on_the_100th_card(deck, players):
    """S6.4: both end a long game round with its 100th card."""
    total = play_both(deck, players, reluctant, 1)

    assert total["ended by the 100th card"]


def test_engine_and_oracle_agree_on_what_is_rare():
    """Buried cards, finds, returns and draws occur, and both deal with them alike."""
    total: Counter[str] = Counter()
    for seed in range(3):
        unplayable = ["new_goods", "new_goods", "protection"]
        total += play_both("basic", 3, texts_first, seed, unplayable)
        total += play_both("basic", 3, never_trade, seed)

    for kind in ("bury", "find", "return", "trade", "hold", "draw"):
        assert total[kind], kind


class RecordedChance:
    """Chance that comes out as a replay's chance lines say."""

    def __init__(self, game: Schwarzmarkt, lines: Sequence[Move]) -> None:
        fields = [{k: v for k, v in line.items() if k not in ("type", "n")} for line in lines]
        self._outcomes = [game.chance_from_json(line) for line in fields]

    def shuffle(self, pile: str, cards: Sequence[int]) -> list[int]:
        what, order = self._outcomes.pop(0)
        assert what == f"shuffle {pile}"
        assert sorted(order) == sorted(cards)
        return list(order)

    def pick(self, what: str, cards: Sequence[int]) -> int:
        kind, (card,) = self._outcomes.pop(0)
        assert kind == "draw"
        assert card in cards
        return card

    def copy(self) -> RecordedChance:
        raise NotImplementedError

    @property
    def is_used_up(self) -> bool:
        return not self._outcomes


@pytest.mark.parametrize(("deck", "players"), TABLES)
def test_the_engine_plays_the_oracle_s_matches(deck, players):
    """A match the oracle made, with its chance, is played by the engine to the same outcome."""
    head, *lines, outcome = oracle.random_match(players, players, deck)
    game = Schwarzmarkt(head["options"])
    chance = RecordedChance(game, [line for line in lines if line["type"] == "chance"])
    state = game.start(game.setup_from_json(head["setup"], players), chance)

    for line in lines:
        if line["type"] == "move":
            assert state.to_act == line["seat"]
            assert len(state.legal_moves()) == line["legal"]
            state.apply(game.move_from_json(line["move"]))

    assert chance.is_used_up
    assert list(state.outcome().scores) == outcome["scores"]
    assert list(state.outcome().ranks) == outcome["ranks"]


@pytest.mark.parametrize("deck", ["basic", "uneven"])
def test_both_know_the_same_renamings(deck):
    """The oracle's symmetries of the material are the engine's renamings."""
    labels = Schwarzmarkt({"deck": deck}).relabelings()

    named = [[GOODS[good] for good in image] for image in labels]

    assert sorted(named) == sorted(oracle.symmetries(oracle.DECKS[deck]))
