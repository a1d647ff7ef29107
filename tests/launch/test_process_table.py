from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import pytest

from arena.launch import process_table
from arena.launch.process_table import ProcessTable
from arena.launch.sweep import Found, find_launched
from tests.launch.test_sweep import start
from tests.waiting import until


async def test_launches_are_told_apart() -> None:
    """Each asker gets the processes of its own launch."""
    ids = [secrets.token_hex(16) for _ in range(3)]
    asked = ProcessTable()
    with start(ids[0]) as one, start(ids[1]) as two:
        answers = await asyncio.gather(
            asked.find(ids[0], 0, set()),
            asked.find(ids[1], two.pid, set()),
            asked.find(ids[2], 0, set()),
        )
        one.kill()
        two.kill()
        assert [[found.pid for found in each] for each in answers] == [[one.pid], [two.pid], []]


async def test_many_askers_share_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that ask during one look are answered by the next, which began after they asked."""
    looks: list[list[str]] = []
    asked_by_all = threading.Event()

    def counted(groups: Mapping[str, int], known: AbstractSet[Found]) -> list[Found]:
        looks.append(sorted(groups))
        asked_by_all.wait(15.0)
        return find_launched(groups, known)

    monkeypatch.setattr(process_table, "find_launched", counted)
    asked = ProcessTable()
    first = asyncio.create_task(asked.find("a", 0, set()))
    await until(lambda: bool(looks))
    others = [asyncio.create_task(asked.find(name, 0, set())) for name in "bcd"]
    await asyncio.sleep(0)
    asked_by_all.set()
    await asyncio.gather(first, *others)
    assert looks == [["a"], ["b", "c", "d"]]


async def test_an_asker_that_gives_up_disturbs_nobody() -> None:
    """The others still get their answer."""
    asked = ProcessTable()
    tasks = [asyncio.create_task(asked.find(name, 0, set())) for name in "ab"]
    await asyncio.sleep(0)
    tasks[0].cancel()
    assert await tasks[1] == []
    assert tasks[0].cancelled()
    assert await asked.find("c", 0, set()) == []
