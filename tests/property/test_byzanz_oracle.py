"""The engine and the oracle, two readings of the same rules, side by side through whole matches."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random

import pytest

from arena.games.byzanz import Byzanz
from arena.games.byzanz.cards import names_of
from arena.games.byzanz.rules import ByzanzState
from arena.games.game import Move
from tests.oracle import byzanz as oracle

GAME = Byzanz()


WRITE = json.JSONEncoder(sort_keys=True).encode


def written(move: oracle.Json) -> str:
    """Return a move as text, its cards in one order."""
    cards = {"cards": sorted(move["cards"])} if "cards" in move else {}
    return WRITE(move | cards)


@cache
def written_by_engine(move: Move) -> str:
    """Return a move of the engine as text."""
    return written(GAME.move_to_json(move))


def places(state: ByzanzState) -> list[Counter[str]]:
    """Return the engine's hands, bids, profits, lot and market, by card names."""
    piles = [*state.hands, *state.laid, *state.kept, state.lot, state.market]
    return [Counter(names_of(cards)) for cards in piles]


def oracle_places(position: oracle.Position) -> list[Counter[str]]:
    """Return the same places of the oracle's position."""
    piles = [*position.hands, *position.laid, *position.profit, position.lot, position.market]
    return [Counter(cards) for cards in piles]


def match_side_by_side(seats: int, rng: Random, weights: dict[str, float]) -> Counter[str]:
    """Play one match in both, comparing at every decision; return how often each type was played.

    `weights` says how likely each type of move is against the others that are legal.
    """
    setup = GAME.setup(rng.randbytes(8), seats)
    state = GAME.start(setup, None)  # type: ignore[arg-type]
    position = oracle.Position(json.loads(json.dumps(GAME.setup_to_json(setup))))
    played: Counter[str] = Counter()
    while position.to_move is not None:
        assert state.to_act == position.to_move
        legal = state.legal_moves()
        moves = {written_by_engine(move): move for move in legal}
        expected = {written(move): move for move in oracle.legal_moves(position)}
        assert moves.keys() == expected.keys()
        assert len(moves) == len(legal)
        kinds = sorted({move["type"] for move in expected.values()})
        kind = rng.choices(kinds, [weights.get(name, 1.0) for name in kinds])[0]
        chosen = rng.choice(sorted(text for text in expected if expected[text]["type"] == kind))
        state.apply(moves[chosen])
        position.apply(expected[chosen])
        played[kind] += 1
        assert places(state) == oracle_places(position)
        assert list(state.observe(None).points) == position.scores()
        assert state.observe(None).deck_size == len(position.deck)

    assert state.to_act is None
    assert state.legal_moves() == []
    outcome = state.outcome()
    assert list(outcome.scores) == position.scores()
    assert list(outcome.ranks) == position.ranks(["normal"] * seats)
    return played


STYLES = {
    "even": {},
    "seldom selling": {"sell": 0.05},
    "mostly passing": {"pass": 6.0, "sell": 0.3},
    "mostly bidding": {"pass": 0.2, "sell": 0.3},
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_engine_and_oracle_agree_in_random_matches(seats, style):
    """B2 to B7: same seat to act, legal moves, cards in all places, scores and ranks."""
    played = match_side_by_side(seats, Random(f"{seats}/{style}"), STYLES[style])

    assert played["done"] == seats


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_engine_and_oracle_agree_in_many_random_matches(seats):
    """B2 to B7: the same over many matches, in which every type of move occurs."""
    played: Counter[str] = Counter()
    for number, style in enumerate(STYLES.values()):
        played += match_side_by_side(seats, Random(f"{seats}/{number}"), style)

    assert set(played) == {"pass", "bid", "give", "take", "sell", "discard", "done"}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_the_engine_plays_the_oracles_matches(seats, seed):
    """A match the oracle made up is legal for the engine, move by move, with the same outcome."""
    header, *lines, last = oracle.random_match(seed, seats)
    state = GAME.start(GAME.setup_from_json(header["setup"], seats), None)  # type: ignore[arg-type]
    for line in lines:
        assert (state.to_act, len(state.legal_moves())) == (line["seat"], line["legal"])
        state.apply(GAME.move_from_json(line["move"]))

    assert state.to_act is None
    assert list(state.outcome().scores) == last["scores"]
    assert list(state.outcome().ranks) == last["ranks"]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_oracle_finds_no_fault_in_the_engines_matches(seats):
    """The judge of replays accepts what the engine let happen."""
    rng = Random(seats)
    setup = GAME.setup(b"judged", seats)
    state = GAME.start(setup, None)  # type: ignore[arg-type]
    header = oracle.random_match(0, seats)[0] | {"setup": GAME.setup_to_json(setup)}
    lines = [header]
    while state.to_act is not None:
        legal = state.legal_moves()
        move = rng.choice(legal)
        line = {"type": "move", "n": len(lines), "seat": state.to_act, "legal": len(legal)}
        line["move"] = GAME.move_to_json(move)
        lines.append(line | ({"forced": True} if len(legal) == 1 else {}))
        state.apply(move)
    outcome = state.outcome()
    end = {"type": "outcome", "scores": list(outcome.scores), "ranks": list(outcome.ranks)}
    lines.append(end | {"ended": ["normal"] * seats})

    assert oracle.judge(lines) == []
