"""Variants of the tutorial's game, to test everything that takes any game."""

from __future__ import annotations

from highcard.rules import HighCard, HighCardState


def with_state(state_class: type[HighCardState]) -> HighCard:
    """Return High Card with another state, which it stays when it is copied or sampled."""

    class Changed(HighCard):
        def start(self, *arguments):
            return self._change(super().start(*arguments))

        def sample(self, *arguments):
            return self._change(super().sample(*arguments))

        def _change(self, state):
            state.__class__ = state_class
            return state

    return Changed()
