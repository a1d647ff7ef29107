from __future__ import annotations

import pytest

from arena.counted import counted


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 matches"), (1, "1 match"), (2, "2 matches"), (12_345, "12,345 matches")],
)
def test_one_and_many(number, told):
    """One is told as one, and large numbers can be read."""
    assert counted(number, "match", "es") == told
    assert counted(number, "bot") == told.replace("matches", "bots").replace("match", "bot")
