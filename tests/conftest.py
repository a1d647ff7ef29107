from __future__ import annotations

import gc
import logging
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from highcard.rules import HighCard
from hypothesis import settings

from arena.games import registry
from arena.grpc_settings import choose_settings
from tests.async_tests import (
    is_worth_logging,
    loop_factory,
    pytest_pycollect_makeitem,
    pytest_pyfunc_call,
)
from tests.certificates import certificates
from tests.marks import mark
from tests.postgres import postgres

__all__ = [
    "certificates",
    "loop_factory",
    "mark",
    "postgres",
    "pytest_pycollect_makeitem",
    "pytest_pyfunc_call",
]

# A shell that starts a program in the background tells it to ignore SIGINT, and with it all that
# the program starts: then no bot of a test could be interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)

logging.getLogger("asyncio").addFilter(is_worth_logging)

# The threads of numpy's matrix products mostly wait for each other, and at full speed.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Many bots of these tests leave marks in files. The tests of isolation ask for it.
os.environ["ARENA_ISOLATION"] = "none"

# As in an arena's process: before a test imports gRPC.
choose_settings()

# How long an example takes says more about the machine than about the code.
settings.register_profile("arena", deadline=None)
settings.register_profile("fast", deadline=None, max_examples=20)  # for make test-fast
settings.load_profile("arena")


# Thousands of tests are collected, and nothing of them is ever garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """Let the collector look only at what comes after the tests have been collected."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Look for what tests have left; pytest looks ten times more, and then at nothing."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, and spread the quick tests: they never wait, as slow ones do.

    Some of them are left for the gaps at the end.
    """
    slow = [item for item in items if item.get_closest_marker("slow") is not None]
    quick = [item for item in items if item.get_closest_marker("slow") is None]
    slow.sort(
        key=lambda item: item.path.parent.name != "sdk"
    )  # compilers, and a hundred starts each
    each = 0.9 * len(quick) / max(len(slow), 1)  # quick ones for a slow one
    places = [
        *enumerate(slow),
        *((number / (each or 1), item) for number, item in enumerate(quick)),
    ]
    items[:] = [item for _, item in sorted(places, key=lambda place: place[0])]


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of the test's own. Unlike pytest's, it is made without reading all names."""
    base = tmp_path_factory.getbasetemp()
    return Path(tempfile.mkdtemp(prefix=f"{request.function.__name__[:24]}-", dir=base))


@pytest.fixture(autouse=True)
def sigint_left_alone() -> Iterator[None]:
    """A command that runs in a test's process leaves Ctrl-C to the next one."""
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[HighCard]:
    """The toy game, known to the registry by its name while the test runs."""
    monkeypatch.setitem(registry.BUILT_IN, HighCard.name, "highcard.rules:HighCard")
    registry.get_game.cache_clear()
    yield HighCard()
    registry.get_game.cache_clear()
