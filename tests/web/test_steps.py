"""Steps of a match as pages read them: only what changed is written, and nothing is lost by it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from highcard.rules import HighCard

from arena.games.byzanz import Byzanz
from arena.games.game import AnyGame
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.shuffle import SeededChance
from arena.web.steps import PUBLIC, Decision, Made, StepWriter, seat_of

GAMES: list[tuple[AnyGame, int]] = [(Byzanz(), 4), (Schwarzmarkt(), 4), (HighCard(), 3)]


def play(game, seats):
    """Yield the observations of a random match by view, with the decision that led to them."""
    seed = bytes(32)
    state = game.start(game.setup(seed, seats), SeededChance(seed))
    views = [PUBLIC, *map(str, range(seats))]
    rng = Random(1)
    made = None
    while True:
        seen = {view: state.observe(seat_of(view)) for view in views}
        yield seen, made
        if state.to_act is None:
            return
        legal = list(state.legal_moves())
        move = rng.choice(legal)
        made = Made(state.to_act, None, None, Decision(state.to_act, seen[PUBLIC], legal, move))
        state.apply(move)


def fold(position, step):
    """Take in a step as a page does."""
    table, own = position
    table |= step.get("table", {})
    for name, items in step.get("items", {}).items():
        table[name] = [items.get(str(at), item) for at, item in enumerate(table[name])]
    for view, fields in step.get("own", {}).items():
        own.setdefault(view, {}).update(fields)


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=[game.name for game, _ in GAMES])
def test_changes_add_up_to_every_position(game, seats):
    """Folding the steps gives what each view may know, field by field, after every move."""
    names = [f"bot-{seat}" for seat in range(seats)]
    writer = StepWriter(game, names)
    position: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for seen, made in play(game, seats):
        step: dict[str, Any] = writer.write(seen, dict.fromkeys(seen, ()), made)
        fold(position, step)
        table, own = position
        fields = set(game.notations.fields(type(seen[PUBLIC]))) - {"seat"}
        assert fields == {*table, *game.own}
        for view, observation in seen.items():
            for name in fields:
                found = own[view][name] if name in game.own else table[name]
                assert found == game.field_to_json(observation, name)
        if made is not None:
            numbers = [
                number
                for part in step["decision"]["legal"]
                for number in ([part] if isinstance(part, int) else range(part[0], part[1] + 1))
            ]
            decision = made.decision
            show = game.show_move
            texts = [show(move, decision.observation, names) for move in decision.legal]
            assert [writer.moves[number] for number in numbers] == texts[:500]
            chosen = show(decision.chosen, decision.observation, names)
            assert writer.moves[step["decision"]["chosen"]] == chosen


def test_a_table_is_told_in_words_for_want_of_a_drawing(monkeypatch):
    """A game without a drawing has lines for the table and each hand; one with a drawing none."""
    for drawing, is_told in (("", True), ("drawing.js", False)):
        monkeypatch.setattr(HighCard, "drawing", drawing)
        writer = StepWriter(HighCard(), ["a", "b", "c"])
        seen, _ = next(play(HighCard(), 3))
        step = writer.write(seen, dict.fromkeys(seen, ()))
        assert ("text" in step, "hand" in step, bool(writer.lines)) == (is_told,) * 3
