from __future__ import annotations

import pytest

from arena.results.archive import Archive
from arena.results.export import Exports, Release, make_exports
from arena.results.replay_files import OnProgress
from tests.browser import browser, shared_tab, tab

__all__ = ["browser", "shared_tab", "tab"]


@pytest.fixture
def exports_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is due is made once for all that make the same: few bytes are of the matches."""
    made: list[tuple[Archive, Release, Exports]] = []

    def make(archive: Archive, *, release: Release, on_progress: OnProgress | None) -> Exports:
        for one, other, exports in made:
            if (one, other) == (archive, release):
                return exports
        made.append((archive, release, make_exports(archive, release=release)))
        return made[-1][-1]

    monkeypatch.setattr("arena.results.audit.exports.make_exports", make)
