"""Checks that nobody is shown what is hidden, and that sampling hides nothing that is possible."""

from __future__ import annotations

from collections.abc import Callable

from arena.games.game import AnyState, Move, Seat
from arena.testing.trial import Trial, seen_events

_SAMPLES = 400
_REDEALS = 5
_LOOK_EVERY = 40


def check_determinize(trial: Trial) -> None:
    """A state sampled from an observation alone looks the same to its seat, and can be played.

    It has all the cards.
    """
    everything = dict(trial.state.inventory())
    for _ in trial.decisions():
        sampled = trial.state
        for watcher in trial.watchers:
            observation = trial.state.observe(watcher)
            sampled = trial.game.determinize(observation, trial.rng)
            complete = dict(sampled.inventory()) == everything
            trial.require(complete, "determinize lost or made a card")
            same = sampled.observe(watcher) == observation
            trial.require(same, "a sampled state looks different")
            if watcher == trial.state.to_act:
                _require_same_moves(trial, sampled)
        if trial.decision % 10 == 1:
            for _ in trial.play_on(sampled):
                pass
            trial.require(sampled.to_act is None, "a sampled state does not end")


def check_hidden_information(trial: Trial) -> None:
    """What a seat is shown does not depend on what it cannot see.

    Before every decision the cards it cannot see are dealt anew, piles and chance as they are. Its
    observation and legal moves must be the same; so must what it sees of the move, unless the move
    is its own and chance shows it something. A move whose content is secret is made with another
    content.
    """
    for legal in trial.decisions():
        mover = trial.state.to_act
        for watcher in trial.watchers:
            other = trial.game.redeal(trial.state, watcher, trial.rng)
            same = other.observe(watcher) == trial.state.observe(watcher)
            trial.require(same, f"the observation of {watcher} shows something hidden")
            if watcher == mover:
                _require_same_moves(trial, other)
            move = trial.rng.choice(legal)
            counterpart = _counterpart(trial, move, other, watcher)
            if counterpart is not None:
                _compare(trial, other, watcher, (move, counterpart))


def _require_same_moves(trial: Trial, other: AnyState) -> None:
    same = list(other.legal_moves()) == list(trial.state.legal_moves())
    trial.require(same, "legal moves depend on what the seat cannot see")


def _counterpart(trial: Trial, move: Move, other: AnyState, watcher: Seat | None) -> Move | None:
    """Return a move in the other world that must look the same; None if there is none."""
    public = trial.game.public_move(move)
    legal = other.legal_moves()
    if watcher != trial.state.to_act and public != trial.game.move_to_json(move):
        alike = [m for m in legal if trial.game.public_move(m) == public]
        return trial.rng.choice(alike) if alike else None
    return move if move in legal else None


def _compare(trial: Trial, other: AnyState, watcher: Seat | None, moves: tuple[Move, Move]) -> None:
    here = trial.state.copy()
    mover = here.to_act
    seen_here = seen_events(here.apply(moves[0]), watcher)
    seen_there = seen_events(other.apply(moves[1]), watcher)
    if watcher == mover and any(event.by_chance for event in seen_here):
        return
    trial.require(
        seen_here == seen_there,
        f"an event shows {watcher} something hidden: {seen_here}; what all see of {moves[0]} must "
        "be in its `shown`",
    )
    trial.require(
        here.observe(watcher) == other.observe(watcher),
        f"after a move the observation of {watcher} shows something hidden",
    )


def check_events_tell_no_more(trial: Trial) -> None:
    """An event tells a seat nothing that its observation afterwards does not carry.

    Everything the seat cannot see is sampled, piles too, and the move is made in both worlds. If
    the observations afterwards are equal, so must be the events that led there: otherwise an event
    told something that only somebody else may know.
    """
    for legal in trial.decisions():
        move = trial.rng.choice(legal)
        for watcher in trial.watchers:
            other = trial.game.determinize(trial.state.observe(watcher), trial.rng)
            counterpart = _counterpart(trial, move, other, watcher)
            if counterpart is None:
                continue
            here = trial.state.copy()
            seen_here = seen_events(here.apply(move), watcher)
            seen_there = seen_events(other.apply(counterpart), watcher)
            if here.observe(watcher) == other.observe(watcher):
                trial.require(
                    seen_here == seen_there,
                    f"an event shows {watcher} something hidden: {seen_here}",
                )


def check_hidden_cards_vary(trial: Trial) -> None:
    """Sampling and dealing anew reach what is possible.

    Within many samples every card another seat really holds turns up in its sampled hand, and
    `redeal` does change hidden hands.
    """
    redealt = False
    for _ in trial.decisions():
        if trial.decision % _LOOK_EVERY != 1:
            continue
        watcher = trial.rng.choice(trial.watchers)
        observation = trial.state.observe(watcher)
        seats = [Seat(seat) for seat in range(trial.seats)]
        held = [dict(trial.state.holdings(seat)) for seat in seats]
        missing = [set(cards) for cards in held]
        samples = 0
        while any(missing) and samples < _SAMPLES:
            samples += 1
            state = trial.game.determinize(observation, trial.rng)
            for seat in seats:
                missing[seat].difference_update(state.holdings(seat))
        for seat in seats:
            unseen = sorted(missing[seat])
            trial.require(not unseen, f"seat {seat} is never sampled to hold {unseen}")
        redealt = redealt or any(
            held != [dict(other.holdings(seat)) for seat in seats]
            for watcher in trial.watchers
            for _ in range(_REDEALS)
            for other in [trial.game.redeal(trial.state, watcher, trial.rng)]
        )
    trial.require(redealt, "redeal never changes a hidden hand")


SECRECY_CHECKS: tuple[Callable[[Trial], None], ...] = (
    check_determinize,
    check_hidden_information,
    check_events_tell_no_more,
)
