from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = """
from tests import async_tests
from tests.async_tests import loop_factory, pytest_pycollect_makeitem, pytest_pyfunc_call

async_tests.LIMIT_S = 0.2
"""
TESTS = """
import asyncio, logging, pytest

class OtherLoop(asyncio.SelectorEventLoop):
    pass

class TestGood:
    @pytest.fixture(params=[OtherLoop, asyncio.SelectorEventLoop])
    def loop_factory(self, request):
        return request.param

    @pytest.mark.parametrize("number", [1, 2])
    async def test_good(self, tmp_path, number, loop_factory):
        await asyncio.sleep(0)
        assert tmp_path.exists() and number
        assert type(asyncio.get_running_loop()) is loop_factory

    def test_sync(self):
        pass

    async def test_hears_of_a_loop_that_is_gone(self):
        asyncio.get_running_loop().call_soon(PollerCompletionQueue().handle_events)
        await asyncio.sleep(0)

class PollerCompletionQueue:
    def handle_events(self):
        raise RuntimeError("Event loop is closed")

async def test_uses_a_loop_that_is_gone():
    asyncio.get_running_loop().call_soon(lambda: PollerCompletionQueue().handle_events())
    await asyncio.sleep(0)

async def work():
    pass

async def test_fails():
    assert False

async def test_hangs():
    await asyncio.sleep(60)

async def test_logs_an_error():
    logging.getLogger("arena").error("lost")

async def test_leaves_a_task():
    test_leaves_a_task.task = asyncio.create_task(asyncio.sleep(60))

async def test_breaks_the_loop():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)

async def test_loses_an_exception():
    async def fail():
        cycle = [asyncio.current_task()]
        cycle.append(cycle)
        raise ValueError
    asyncio.create_task(fail())
    await asyncio.sleep(0)

async def test_awaits_nothing():
    work()

async def test_is_a_generator():
    yield

def test_calls_but_does_not_await():
    work()

def test_returns_a_coroutine():
    return work()
"""


@pytest.mark.slow
def test_async_tests_run_and_may_fail(tmp_path):
    """Async tests run in each of their loops; what is lost, left or never awaited fails them."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-W", "error", "-p", "no:cacheprovider", tmp_path],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split()[:2] for line in done.stdout.splitlines()]
    passed = [words[1] for words in lines if words[:1] == ["PASSED"]]
    failed = [words[1].split("::")[1] for words in lines if words[:1] == ["FAILED"]]
    assert len(passed) == 7
    assert all("::TestGood::" in name for name in passed)
    assert failed == re.findall(r"^(?:async )?def (test_\w+)", TESTS, re.MULTILINE)
