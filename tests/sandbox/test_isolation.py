from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.sandbox.isolation import Isolation, default_isolation, parse_isolation
from arena.sandbox.level import Level


@pytest.mark.parametrize("text", ["auto", "require", "require:namespaces", "require:user", "none"])
def test_the_setting_is_written_as_it_is_read(text: str) -> None:
    """Every setting keeps its text."""
    assert parse_isolation(text).text == text


@pytest.mark.parametrize(
    "text", ["", "Auto", "require:", "require:none", "require:jail", "auto:user"]
)
def test_other_settings_are_refused(text: str) -> None:
    """What is not understood is refused, with what there is."""
    with pytest.raises(InputError, match="isolation must be auto, require, require:LEVEL"):
        parse_isolation(text)


def test_the_environment_sets_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """ARENA_ISOLATION counts where nobody says anything, and is named if it is wrong."""
    monkeypatch.delenv("ARENA_ISOLATION")
    assert default_isolation() == Isolation.AUTO
    monkeypatch.setenv("ARENA_ISOLATION", "require")
    assert default_isolation() == Isolation.REQUIRE
    monkeypatch.setenv("ARENA_ISOLATION", "jail")
    with pytest.raises(InputError, match="ARENA_ISOLATION: isolation must be"):
        default_isolation()


def test_levels_are_ordered_and_say_what_they_leave() -> None:
    """The stronger a level, the higher its number; all but the strongest say what bots can do."""
    assert [level.strength for level in Level] == [3, 2, 1, 0]
    assert [bool(level.does_not_stop) for level in Level] == [False, True, True, True]
