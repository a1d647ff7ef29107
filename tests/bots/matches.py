"""Matches of built-in bots, whose every move is checked."""

from __future__ import annotations

from collections.abc import Sequence

from arena.bots.bot import Bot
from arena.games.game import AnyState, Move
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.schwarzmarkt.material import built_in_content

SHORT_TRACK = Schwarzmarkt(
    {
        "cards": {
            **built_in_content(),
            "track": [{"price": 2, "steps": 9}, {"price": 7, "steps": 0}],
        }
    }
)


def check_match(state: AnyState, bots: Sequence[Bot]) -> list[Move]:
    """Play to the end, each move being one of those offered; return the moves."""
    moves: list[Move] = []
    while state.to_act is not None:
        legal = state.legal_moves()
        move = bots[state.to_act].decide(state.observe(state.to_act), legal)
        assert move in legal
        state.apply(move)
        moves.append(move)
    return moves
