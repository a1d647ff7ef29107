"""`check_game`: does a game keep the contract of `arena.games.game`?

Each check plays random matches and raises ContractError with the game, table size, match number and
decision at which the contract was broken, so that the failure can be found again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from arena.errors import ArenaError, IllegalMoveError, MatchNotOverError
from arena.games.game import AnyGame, AnyState, Event, Move, Seat, seen_by
from arena.games.shuffle import SeededChance
from arena.referee.follow import FollowedReplay
from arena.referee.match import Fixture, play_match
from arena.referee.replay import Entrant

MOST_DECISIONS = 20_000
"""A random match longer than this is taken never to end."""

Judge = Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]
"""An independent reading of the rules: takes a replay's lines, returns what is wrong with them."""


class ContractError(AssertionError):
    """A game does not keep the contract."""


@dataclass
class _Match:
    """One random match under test: where we are, for the message if something is wrong."""

    game: AnyGame
    seats: int
    number: int
    state: AnyState = field(init=False)
    decision: int = 0

    def __post_init__(self) -> None:
        self.rng = Random(f"{self.game.name}/{self.seats}/{self.number}")
        self.state = self.game.deal(self.seed, self.seats)

    @property
    def seed(self) -> bytes:
        return hashlib.sha256(f"check {self.seats} {self.number}".encode()).digest()

    @property
    def watchers(self) -> list[Seat | None]:
        """Everybody who observes: each seat, and the public."""
        return [*map(Seat, range(self.seats)), None]

    def require(self, holds: bool, message: str) -> None:
        if not holds:
            raise ContractError(
                f"{self.game.name}, {self.seats} players, match {self.number}, "
                f"decision {self.decision}: {message}"
            )

    def decisions(self) -> Iterator[Sequence[Move]]:
        """Play to the end, yielding the legal moves before each random choice among them."""
        while self.state.to_act is not None:
            self.decision += 1
            self.require(self.decision <= MOST_DECISIONS, "random play does not end")
            legal = self.state.legal_moves()
            self.require(bool(legal), "a seat is to act but has no legal move")
            yield legal
            self.state.apply(self.rng.choice(legal))


def check_game(
    game: AnyGame,
    *,
    table_sizes: Sequence[int] | None = None,
    matches: int = 5,
    judge: Judge | None = None,
) -> None:
    """Raise ContractError unless the game keeps the contract, at each table size.

    `matches` is how many random matches each check plays. `judge`, if given, is a second,
    independent reading of the rules: it is shown the replay of every match and must find nothing
    wrong. It is the only check that knows what the rules ought to be.
    """
    for seats in table_sizes or game.table_sizes:
        for number in range(matches):
            for check in CHECKS:
                check(_Match(game, seats, number))
            if judge is not None:
                _check_judged(_Match(game, seats, number), judge)
        check_hidden_cards_vary(_Match(game, seats, 0))


def check_play_ends(match: _Match) -> None:
    """Random play ends; then there are no more moves and the outcome makes sense."""
    for _ in match.decisions():
        seat = match.state.to_act
        match.require(seat in range(match.seats), f"seat {seat} is to act: there is none")
        try:
            match.state.outcome()
        except MatchNotOverError:
            continue
        match.require(False, "there is an outcome before the end")
    match.require(not match.state.legal_moves(), "legal moves after the end")
    outcome = match.state.outcome()
    match.require(len(outcome.scores) == match.seats, "not one score a seat")
    expected_ranks = _is_ranking(outcome.ranks)
    match.require(expected_ranks, f"{outcome.ranks} are not ranks (ties share: 1, 1, 3)")
    for a in range(match.seats):
        for b in range(match.seats):
            if outcome.scores[a] > outcome.scores[b]:
                right = outcome.ranks[a] < outcome.ranks[b]
                match.require(right, "a higher score has no better rank")


def _is_ranking(ranks: Sequence[int]) -> bool:
    ordered = sorted(ranks)
    return all(rank == ordered.index(rank) + 1 for rank in ordered) and ordered[0] == 1


def check_cards_are_conserved(match: _Match) -> None:
    """No card appears or disappears, in play or in sampled states."""
    everything = dict(match.state.inventory())
    for _ in match.decisions():
        match.require(dict(match.state.inventory()) == everything, "a card was lost or made")
        for watcher in match.watchers:
            sampled = match.game.determinize(match.state.observe(watcher), match.rng)
            match.require(
                dict(sampled.inventory()) == everything, "determinize lost or made a card"
            )
    match.require(dict(match.state.inventory()) == everything, "a card was lost or made at the end")


def check_legal_moves(match: _Match) -> None:
    """Legal moves are listed once, written and read back the same, and all can be made."""
    for legal in match.decisions():
        match.require(len(set(legal)) == len(legal), "a legal move is listed twice")
        match.require(
            list(legal) == list(match.state.legal_moves()), "another order when asked again"
        )
        match.require(match.state.default_move() in legal, "the default move is not legal")
        for move in legal:
            written = json.loads(json.dumps(match.game.move_to_json(move)))
            match.require(match.game.move_from_json(written) == move, f"{move} is read back wrong")
            text = match.game.move_to_text(move)
            match.require(match.game.move_from_text(text) == move, f"{text!r} is read back wrong")
            match.state.copy().apply(move)


def check_illegal_moves(match: _Match) -> None:
    """Every move that is not legal is refused, and changes nothing.

    Tried are moves that were legal at some other time in matches of this game.
    """
    moves = sorted(_some_moves(match.game, match.seats), key=repr)
    for legal in match.decisions():
        allowed = set(legal)
        before = _look(match.state, match.watchers)
        for move in match.rng.sample(moves, min(len(moves), 40)):
            if move in allowed:
                continue
            try:
                match.state.apply(move)
            except IllegalMoveError as error:
                match.require(bool(error.rule), "the refusal cites no rule")
            else:
                match.require(False, f"{move} is not legal but was accepted")
        match.require(
            _look(match.state, match.watchers) == before, "a refused move changed something"
        )


def _some_moves(game: AnyGame, seats: int) -> set[Move]:
    other = _Match(game, seats, 1_000)
    return {move for legal in other.decisions() for move in legal}


def _look(state: AnyState, watchers: Sequence[Seat | None]) -> list[Any]:
    return [state.observe(watcher) for watcher in watchers] + [list(state.legal_moves())]


def check_copies(match: _Match) -> None:
    """A copy has the same future and is independent of the original."""
    for _ in match.decisions():
        before = _look(match.state, match.watchers)
        twin, third = match.state.copy(), match.state.copy()
        for _ in range(5):
            if twin.to_act is None:
                break
            move = match.rng.choice(twin.legal_moves())
            match.require(list(twin.apply(move)) == list(third.apply(move)), "copies part ways")
        match.require(
            _look(match.state, match.watchers) == before, "playing a copy changed the original"
        )


def check_seed(match: _Match) -> None:
    """The same seed makes the same match, another seed another deal; renaming is undone."""
    game, seed, seats = match.game, match.seed, match.seats
    setup = game.setup(seed, seats)
    match.require(setup == game.setup(seed, seats), "the same seed makes another set-up")
    match.require(setup != game.setup(seed[::-1], seats), "another seed makes the same set-up")
    written = json.loads(json.dumps(game.setup_to_json(setup)))
    match.require(game.setup_from_json(written, seats) == setup, "the set-up is read back wrong")
    labelings = game.relabelings()
    match.require(
        tuple(labelings[0]) == tuple(range(len(game.kinds))), "no identity renaming first"
    )
    labels = match.rng.choice(labelings)
    back = tuple(labels.index(kind) for kind in range(len(game.kinds)))
    renamed = game.relabel(setup, labels)
    match.require(game.relabel(renamed, back) == setup, "renaming is not undone by its inverse")
    inventory = game.start(renamed, SeededChance(seed)).inventory()
    match.require(dict(inventory) == dict(match.state.inventory()), "renaming changed the cards")


def check_replay(match: _Match) -> None:
    """A recorded match, played again from its replay, has the same outcome."""
    replay = _record(match)
    try:
        followed = FollowedReplay(replay.encode())
        moves = list(followed)
    except ArenaError as error:
        match.require(False, f"the replay is refused: {error}")
    match.require(bool(moves) and followed.outcome is not None, "the replay is empty")


def _check_judged(match: _Match, judge: Judge) -> None:
    lines = [json.loads(line) for line in _record(match).splitlines()]
    for problem in judge(lines):
        match.require(False, f"the judge says: {problem}")


def _record(match: _Match) -> str:
    class Chooser:
        def decide(self, _observation: Any, legal_moves: Sequence[Move]) -> Move:
            return match.rng.choice(legal_moves)

    seats = [Entrant("random", "1")] * match.seats
    fixture = Fixture(match.game, "1", "1", match.seed, seats)
    return play_match(fixture, [Chooser()] * match.seats).replay


def check_determinize(match: _Match) -> None:
    """A state sampled from an observation alone looks the same to its seat, and can be played."""
    for _ in match.decisions():
        for watcher in match.watchers:
            observation = match.state.observe(watcher)
            sampled = match.game.determinize(observation, match.rng)
            match.require(
                sampled.observe(watcher) == observation, "a sampled state looks different"
            )
            if watcher == match.state.to_act:
                same = list(sampled.legal_moves()) == list(match.state.legal_moves())
                match.require(same, "legal moves depend on what the seat cannot see")
        if match.decision % 10 == 1:
            _play_on(match, sampled)


def _play_on(match: _Match, state: AnyState) -> None:
    for _ in range(MOST_DECISIONS):
        if state.to_act is None:
            return
        state.apply(match.rng.choice(state.legal_moves()))
    match.require(False, "a sampled state does not end")


def check_hidden_information(match: _Match) -> None:
    """What a seat is shown does not depend on what it cannot see.

    Before every decision the cards it cannot see are dealt anew. Its observation and legal moves
    must be the same; so must what it sees of the move, unless the move is its own and chance
    shows it something. A move whose content is secret is made with another content.
    """
    for legal in match.decisions():
        mover = match.state.to_act
        for watcher in match.watchers:
            other = match.game.redeal(match.state, watcher, match.rng)
            _require_same_look(match, other, watcher, "before a move")
            if watcher == mover:
                same = list(other.legal_moves()) == list(legal)
                match.require(same, "legal moves depend on what the seat cannot see")
            move = match.rng.choice(legal)
            counterpart = _counterpart(match, move, other, secret=watcher != mover)
            if counterpart is not None:
                _compare_move(match, other, watcher, (move, counterpart))


def _counterpart(match: _Match, move: Move, other: AnyState, *, secret: bool) -> Move | None:
    """Return a move in the other world that must look the same; None if there is none."""
    public = match.game.public_move(move)
    legal = other.legal_moves()
    if secret and public != match.game.move_to_json(move):
        alike = [m for m in legal if match.game.public_move(m) == public]
        return match.rng.choice(alike) if alike else None
    return move if move in legal else None


def _compare_move(
    match: _Match, other: AnyState, watcher: Seat | None, moves: tuple[Move, Move]
) -> None:
    here, there = match.state.copy(), other
    mover = here.to_act
    seen_here = _seen(here.apply(moves[0]), watcher)
    seen_there = _seen(there.apply(moves[1]), watcher)
    may_learn = watcher == mover and any(event.by_chance for event in seen_here)
    if may_learn:
        return
    match.require(
        seen_here == seen_there, f"an event shows {watcher} something hidden: {seen_here}"
    )
    match.require(
        here.observe(watcher) == there.observe(watcher),
        f"after a move the observation of {watcher} shows something hidden",
    )


def _seen(events: Sequence[Event], watcher: Seat | None) -> list[Event]:
    shown = (seen_by(event, watcher) for event in events)
    return [event for event in shown if event is not None]


def _require_same_look(match: _Match, other: AnyState, watcher: Seat | None, when: str) -> None:
    match.require(
        other.observe(watcher) == match.state.observe(watcher),
        f"{when} the observation of {watcher} shows something hidden",
    )


def check_hidden_cards_vary(match: _Match, samples: int = 400) -> None:
    """Over many samples, every card another seat really holds turns up in its sampled hand."""
    for _ in match.decisions():
        if match.decision % 40 != 1:
            continue
        watcher = match.rng.choice(match.watchers)
        observation = match.state.observe(watcher)
        seen: list[set[str]] = [set() for _ in range(match.seats)]
        for _ in range(samples):
            sampled = match.game.determinize(observation, match.rng)
            for seat, names in enumerate(seen):
                names.update(sampled.holdings(Seat(seat)))
        for seat, names in enumerate(seen):
            missing = set(match.state.holdings(Seat(seat))) - names
            match.require(not missing, f"seat {seat} is never sampled to hold {sorted(missing)}")


CHECKS: tuple[Callable[[_Match], None], ...] = (
    check_play_ends,
    check_cards_are_conserved,
    check_legal_moves,
    check_illegal_moves,
    check_copies,
    check_seed,
    check_replay,
    check_determinize,
    check_hidden_information,
)
