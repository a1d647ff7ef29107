"""Playing one match in process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena import __version__
from arena.games.game import AnyGame, AnyState, Event, Labels, Outcome, Seat
from arena.games.shuffle import SeededChance
from arena.referee.faults import NORMAL
from arena.referee.player import Player
from arena.referee.replay import Entrant, Header, ReplayWriter

OnEvents = Callable[[AnyState, Sequence[Event]], None]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One planned match: the game, the deal and who sits where."""

    game: AnyGame
    match: str
    deal: str
    seed: bytes
    seats: Sequence[Entrant]
    labels: Labels | None = None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What is left of a match: the outcome and the replay."""

    outcome: Outcome
    replay: str


def play_match(
    fixture: Fixture, players: Sequence[Player], on_events: OnEvents | None = None
) -> PlayedMatch:
    """Play to the end among trusted players; `on_events` is told of opening and moves.

    A decision with a single legal move is made, not asked. Raises IllegalMoveError if a player
    returns a move that is not legal.
    """
    game = fixture.game
    labels = fixture.labels or tuple(range(len(game.kinds)))
    setup = game.relabel(game.setup(fixture.seed, len(players)), labels)
    state = game.start(setup, SeededChance(fixture.seed))
    writer = ReplayWriter(
        game,
        Header(
            arena=__version__,
            game=game.name,
            options=game.options,
            match=fixture.match,
            deal=fixture.deal,
            seed=fixture.seed,
            relabel=[game.kinds[kind] for kind in labels],
            seats=fixture.seats,
            setup=game.setup_to_json(setup),
        ),
    )
    opening = game.opening(state)
    if on_events is not None and opening:
        on_events(state, opening)
    while (seat := state.to_act) is not None:
        events = _play_decision(state, seat, players[seat], writer)
        if on_events is not None:
            on_events(state, events)
    outcome = state.outcome()
    writer.outcome(outcome, [NORMAL] * len(players))
    return PlayedMatch(outcome, writer.text())


def _play_decision(
    state: AnyState, seat: Seat, player: Player, writer: ReplayWriter
) -> Sequence[Event]:
    legal = state.legal_moves()
    elapsed_s = 0.0
    if len(legal) == 1:
        move = legal[0]
    else:
        started = time.perf_counter()
        move = player.decide(state.observe(seat), legal)
        elapsed_s = time.perf_counter() - started
    events = state.apply(move)
    writer.move(seat, move, len(legal), elapsed_s * 1000)
    writer.events(events)
    return events
