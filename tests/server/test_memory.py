"""What is left of a match in memory: nothing that waits for the garbage collector."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections import Counter
from collections.abc import Iterator

import pytest

from arena.server import hall, session
from tests.integration.bots import open_house


@contextlib.contextmanager
def cycles() -> Iterator[Counter[str]]:
    """Count, by type, what of arena's could only be freed by the collector, which is off."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        kinds = (type(thing) for thing in gc.garbage)
        found.update(kind.__qualname__ for kind in kinds if kind.__module__.startswith("arena."))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
async def test_nothing_of_a_match_waits_for_the_collector(tmp_path, monkeypatch, game):
    """Matches that have ended, void ones too, are freed as soon as they are forgotten."""
    monkeypatch.setattr(hall, "_REMEMBERED", 0)
    monkeypatch.setattr(session, "_REMEMBERED", 0)
    async with open_house(tmp_path) as house:
        seats = [(await house.honest(name))[1] for name in "abc"]
        await house.start(seats, game=game)  # whatever is made once is there now
        with cycles() as found:
            played = house.start(seats, game=game)
            aborted = house.start(seats, game=game)
            watching = hall.Hall.find(house.arena.hall, "m3").watch()
            await asyncio.sleep(0)
            house.arena.hall.abort(["m3"], "for this test")
            assert (await played).outcome is not None
            assert (await aborted).outcome is None
            del played, aborted, watching
            await asyncio.sleep(0)
        assert not found


@pytest.mark.slow
def test_what_the_collector_would_free_is_found():
    """A match that holds itself would be noticed."""
    with cycles() as found:
        spectator = hall.Spectator()
        spectator.itself = spectator  # type: ignore[attr-defined]
        del spectator
    assert found == {"Spectator": 1}
