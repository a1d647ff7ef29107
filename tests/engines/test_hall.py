"""What is common to engines that play in a hall; a whole one is in test_hosted."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.engines.hall import SHORTAGE_S
from arena.engines.hosted import HostedEngine
from arena.errors import LaunchError
from arena.server.roster import Roster
from arena.testing import VirtualLoop
from arena.tournament.engine import Void
from tests.engines.scaled import a_config, fixtures, randoms


@pytest.fixture
def loop_factory() -> type[VirtualLoop]:
    """Without waiting."""
    return VirtualLoop


class Starved(Roster):
    """Bots for which the machine has no room."""

    def __init__(self) -> None:
        """Nobody is there."""

    async def ready_all(self, *_arguments: object, **_flags: object) -> list[object]:  # type: ignore[override]
        raise LaunchError("r2: cannot be started: Too many open files")


async def test_a_shortage_of_the_machine_is_no_fault_of_a_bot(tmp_path: Path):
    """The match is void and tried again, after others have had the time to give something back."""
    config = a_config(tmp_path, randoms(3))
    engine = HostedEngine(config)
    start = asyncio.get_running_loop().time()
    played = await engine._play(Starved(), fixtures(config)[0], {}, None)
    assert played == Void("r2: cannot be started: Too many open files")
    assert asyncio.get_running_loop().time() - start == pytest.approx(SHORTAGE_S)
