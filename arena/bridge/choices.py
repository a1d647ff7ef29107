"""A choice that is not one of the legal moves, told so that its author sees what was to choose."""

from __future__ import annotations

import json

from arena.errors import ArenaError, ProgramError
from arena.games.registry import get_game
from arena.v1 import play_pb2
from arena.wire.codec import codec_for

_LISTED = 40  # legal moves; a reader wants no more


def refuse_choice(
    started: play_pb2.MatchStarted, decision: play_pb2.Decision, index: int, number: int
) -> ProgramError:
    """Return the error for an index outside the legal moves, in a line of the program's output."""
    count = decision.legal_count
    chose = f"line {number} of the program's output chose {index}"
    reason = f"{chose}, which is not one of the {count} legal moves"
    lines = [f"  {place}: {text}" for place, text in enumerate(_texts(started, decision))]
    if count > _LISTED:
        lines.append(f"  … and {count - _LISTED} more")
    match = f"{started.game} match {started.match_id}, seat {started.seat} of {len(started.seats)}"
    lines.append(f"(decision {decision.decision_id} of {match}; moveIndex counts from 0)")
    return ProgramError(reason, "\n".join([":", *lines]))


def _texts(started: play_pb2.MatchStarted, decision: play_pb2.Decision) -> list[str]:
    """Return the first of the legal moves as the rules write them, as far as they are known."""
    try:
        game = get_game(started.game).configure(json.loads(started.options_json or "{}"))
        _, legal = codec_for(game).read_decision(decision)
    except (ArenaError, ValueError):  # a game, or something in it, that is not known here
        return ["?"] * min(decision.legal_count, _LISTED)
    return [game.move_to_text(move) for move in legal[:_LISTED]]
