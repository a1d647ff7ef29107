"""Checks that a game's matches hang together: play, cards, moves, copies, seeds, replays, words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from arena.errors import ArenaError, IllegalMoveError, MatchNotOverError
from arena.games.game import AnyGame, Event, Game, Move
from arena.games.shuffle import SeededChance
from arena.referee.fixture import Fixture
from arena.referee.follow import FollowedReplay
from arena.referee.match import play_match
from arena.referee.replay import Entrant, Recording
from arena.testing.trial import Trial, seen_events

Judge = Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]
"""An independent reading of the rules: takes a replay's lines, returns what is wrong with them."""

_TRIED_MOVES = 40
_DECISIONS_ON = 30


def check_declarations(trial: Trial) -> None:
    """What the game declares of its types is what it does, so that the defaults hold."""
    game, fields = trial.game, trial.game.notations.fields
    if game.option_specs and type(game).configure is Game.configure:
        trial.complain("it has options and does not override `configure`")
    same = [name for name in fields(game.observation_type) if name not in ("seat", *game.own)]
    for legal in trial.decisions():
        public = trial.state.observe(None)
        for watcher in trial.watchers:
            seen = trial.state.observe(watcher)
            for name in same:
                alike = getattr(seen, name) == getattr(public, name)
                trial.require(alike, f"{name} differs by who observes: name it in `own`")
        for event in trial.state.copy().apply(trial.rng.choice(legal)):
            _check_event(trial, event)


def _check_event(trial: Trial, event: Event) -> None:
    kind, declared = type(event), trial.game.event_types
    trial.require(not declared or kind in declared, f"{kind.__name__} is not in `event_types`")
    shown = [one for watcher in trial.watchers for one in seen_events([event], watcher)]
    trial.require(
        bool(shown) or event.by_chance,
        f"nobody sees {kind.__name__}: derive it from PublicEvent or PrivateEvent",
    )
    for one in shown if declared else ():
        for name, notation in trial.game.notations.fields(type(one)).items():
            told = getattr(one, name) is not None or notation.is_optional
            trial.require(told, f"{name} of {kind.__name__} is hidden: its type must be `| None`")


def check_play_ends(trial: Trial) -> None:
    """Random play ends; then there are no more moves and the outcome makes sense."""
    for _ in trial.decisions():
        seat = trial.state.to_act
        trial.require(seat in range(trial.seats), f"seat {seat} is to act: there is none")
        try:
            trial.state.outcome()
        except MatchNotOverError:
            continue
        trial.complain("there is an outcome before the end")
    trial.require(not trial.look(trial.state)[-1], "legal moves after the end")
    outcome = trial.state.outcome()
    trial.require(len(outcome.scores) == trial.seats, "not one score a seat")
    ordered = sorted(outcome.ranks)
    ranked = [ordered.index(rank) + 1 for rank in ordered] == ordered
    trial.require(ranked, f"{outcome.ranks} are not ranks (ties share: 1, 1, 3)")
    better = [
        outcome.ranks[a] < outcome.ranks[b]
        for a in range(trial.seats)
        for b in range(trial.seats)
        if outcome.scores[a] > outcome.scores[b]
    ]
    trial.require(all(better), "a higher score has no better rank")


def check_cards_are_conserved(trial: Trial) -> None:
    """No card appears or disappears in play."""
    everything = dict(trial.state.inventory())
    for _ in trial.decisions():
        trial.require(dict(trial.state.inventory()) == everything, "a card was lost or made")
    trial.require(dict(trial.state.inventory()) == everything, "a card was lost or made at the end")


def check_legal_moves(trial: Trial) -> None:
    """Legal moves are listed once, written and read back the same, and all can be made."""
    read_back: set[Move] = set()
    for legal in trial.decisions():
        trial.require(len(set(legal)) == len(legal), "a legal move is listed twice")
        again = list(trial.state.legal_moves())
        trial.require(list(legal) == again, "another order of legal moves when asked again")
        counted = trial.state.count_legal_moves()
        trial.require(counted == len(legal), f"{counted} legal moves counted, {len(legal)} listed")
        _check_default_move(trial, legal)
        for move in legal:
            if move not in read_back:
                read_back.add(move)
                _check_read_back(trial, move)
            trial.state.copy().apply(move)


def _check_read_back(trial: Trial, move: Move) -> None:
    written = json.loads(json.dumps(trial.game.move_to_json(move)))
    trial.require(trial.game.move_from_json(written) == move, f"{move} is read back wrong")
    text = trial.game.move_to_text(move)
    trial.require(trial.game.move_from_text(text) == move, f"{text!r} is read back wrong")


def _check_default_move(trial: Trial, legal: Sequence[Move]) -> None:
    move = trial.state.default_move()
    trial.require(move in legal, "the default move is not legal")
    again = {trial.state.default_move() for _ in range(5)} | {trial.state.copy().default_move()}
    trial.require(again == {move}, "the default move is another when asked again")


def check_illegal_moves(trial: Trial) -> None:
    """Every move that is not legal is refused, cites a rule and changes nothing at all.

    Tried are moves that were legal at some other time in matches of this game.
    """
    moves = sorted(_some_moves(trial.game, trial.seats), key=repr)
    for legal in trial.decisions():
        allowed = set(legal)
        before, twin = trial.look(trial.state), trial.state.copy()
        for move in trial.rng.sample(moves, min(len(moves), _TRIED_MOVES)):
            if move in allowed:
                continue
            try:
                trial.state.apply(move)
            except IllegalMoveError as error:
                trial.require(bool(error.rule), "the refusal cites no rule")
            else:
                trial.complain(f"{move} is not legal but was accepted")
        trial.require(trial.look(trial.state) == before, "a refused move changed something")
        if trial.decision % 10 == 1:
            _require_same_future(trial, twin, "a refused move changed something nobody sees")


def _some_moves(game: AnyGame, seats: int) -> set[Move]:
    return {move for legal in Trial(game, seats, 1_000).decisions() for move in legal}


def _require_same_future(trial: Trial, twin: Any, message: str) -> None:
    here = trial.state.copy()
    for move in trial.play_on(here, _DECISIONS_ON):
        try:
            twin.apply(move)
        except IllegalMoveError:
            trial.complain(message)
        trial.require(trial.look(here) == trial.look(twin), message)


def check_copies(trial: Trial) -> None:
    """A copy has the same future and is independent; observations are values that stay."""
    for _ in trial.decisions():
        before = trial.look(trial.state)
        written = repr(before)
        twin, third = trial.state.copy(), trial.state.copy()
        for _ in range(5):
            if twin.to_act is not None:
                move = trial.choose(twin.legal_moves())
                same = list(twin.apply(move)) == list(third.apply(move))
                trial.require(same, "copies part ways")
        after = trial.look(trial.state)
        trial.require(after == before, "playing a copy changed the original")
        if trial.decision % 10 == 1:
            kept = trial.state.copy()
            seen = trial.look(kept)
            for _ in trial.play_on(kept, 5):
                pass
            trial.require(repr(seen) == written, "an observation goes on changing")


def check_seed(trial: Trial) -> None:
    """The same seed makes the same match, another seed another deal; renaming is undone."""
    game, seed, seats = trial.game, trial.seed, trial.seats
    setup = game.setup(seed, seats)
    trial.require(setup == game.setup(seed, seats), "the same seed makes another set-up")
    trial.require(setup != game.setup(seed[::-1], seats), "another seed makes the same set-up")
    written = json.loads(json.dumps(game.setup_to_json(setup)))
    trial.require(game.setup_from_json(written, seats) == setup, "the set-up is read back wrong")
    renamings = game.relabelings()
    identity = tuple(range(len(game.kinds)))
    trial.require(tuple(renamings[0]) == identity, "the first renaming is not the identity")
    for labels in trial.rng.sample(list(renamings), min(5, len(renamings))):
        renamed = game.relabel(setup, labels)
        back = tuple(labels.index(kind) for kind in identity)
        undone = game.relabel(renamed, back) == setup
        trial.require(undone, "renaming is not undone by its inverse")
        trial.require((renamed != setup) == (labels != identity), "a renaming does nothing")
        inventory = game.start(renamed, SeededChance(seed)).inventory()
        same = dict(inventory) == dict(trial.state.inventory())
        trial.require(same, "renaming changed the cards")


def check_replay(trial: Trial) -> None:
    """A recorded match is accepted again, with its seed and from its recorded chance alone."""
    recording = _record(trial)
    header = recording.header()
    for name, seed in (("with its seed", trial.seed), ("without its seed", None)):
        recording.header = partial(replace, header, seed=seed)
        try:
            replay = FollowedReplay(recording.text().encode(), find_game=lambda _name: trial.game)
            moves = list(replay)
        except ArenaError as error:
            trial.complain(f"the replay is refused {name}: {error}")
        trial.require(bool(moves) and replay.outcome is not None, "the replay is empty")


def check_judged(trial: Trial, judge: Judge) -> None:
    """The independent reading of the rules finds nothing wrong in the replay."""
    problems = judge([json.loads(line) for line in _record(trial).lines()])
    if problems:
        trial.complain(f"the judge says: {problems[0]}")


def _record(trial: Trial) -> Recording:
    class TrialChooser:
        def decide(self, _observation: Any, legal_moves: Sequence[Move]) -> Move:
            return trial.choose(legal_moves)

    seats = [Entrant("random", "1")] * trial.seats
    fixture = Fixture(trial.game, "1", "1", trial.seed, seats)
    return play_match(fixture, [TrialChooser()] * trial.seats).recording


def check_words(trial: Trial) -> None:
    """Every event can be told, and every observation shown, to everybody who may see it."""
    game = trial.game
    for legal in trial.decisions():
        move = trial.rng.choice(legal)
        own = trial.state.observe(trial.state.to_act)
        trial.require(bool(game.show_decision(own, legal, trial.names)), "a decision has no words")
        trial.require(bool(game.show_move(move, own, trial.names)), f"{move} has no words")
        events = trial.state.copy().apply(move)
        for watcher in trial.watchers:
            for event in seen_events(events, watcher):
                trial.require(bool(game.tell(event, trial.names)), f"{event} has no words")
            seen = trial.state.observe(watcher)
            trial.require(bool(game.show_table(seen, trial.names)), "the table has no words")
            if watcher is not None:
                trial.require(bool(game.show_hand(seen)), "a hand has no words")


RULE_CHECKS: tuple[Callable[[Trial], None], ...] = (
    check_declarations,
    check_play_ends,
    check_cards_are_conserved,
    check_legal_moves,
    check_copies,
    check_illegal_moves,
    check_seed,
    check_replay,
    check_words,
)
