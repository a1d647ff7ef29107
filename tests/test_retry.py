from __future__ import annotations

from itertools import islice

from arena.retry import pauses


def test_pauses_double_up_to_the_longest() -> None:
    """Each is twice as long as the one before, and none is longer than the longest."""
    assert list(islice(pauses(1.0, 5.0), 5)) == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_the_first_attempt_may_be_free() -> None:
    """Then the pauses begin at the second."""
    assert list(islice(pauses(1.0, 5.0, is_first_free=True), 3)) == [0.0, 1.0, 2.0]
