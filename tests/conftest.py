from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.games import registry
from tests.toy_game import ToyGame


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[ToyGame]:
    """The toy game, known to the registry by its name while the test runs."""
    monkeypatch.setitem(registry.BUILT_IN, ToyGame.name, "tests.toy_game:ToyGame")
    registry.get_game.cache_clear()
    yield ToyGame()
    registry.get_game.cache_clear()
