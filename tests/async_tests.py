"""How `async def` tests run: pytest hooks, for the conftest of every directory of tests.

The fixture `loop_factory` makes the event loop; a directory or module may override it.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

LIMIT_S = 120.0

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture
def loop_factory() -> LoopFactory:
    return asyncio.new_event_loop


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: Any) -> None:
    """Give every async test its loop_factory, parametrised ones included."""
    if collector.istestfunction(obj, name) and inspect.iscoroutinefunction(obj):
        pytest.mark.usefixtures("loop_factory")(obj)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test to its end; fail for what is logged, lost or left behind.

    That is: errors in any log, exceptions that reached the loop, and tasks that still run.
    """
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    funcargs: dict[str, Any] = pyfuncitem.funcargs
    arguments = {name: funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    gc.freeze()  # only what the test itself makes is looked at when it is over: that is quick
    try:
        with asyncio.Runner(loop_factory=funcargs["loop_factory"]) as runner:
            runner.get_loop().set_exception_handler(lambda _loop, context: errors.note(context))
            runner.run(_watched(pyfuncitem.obj(**arguments)))
            gc.collect()  # tasks whose exceptions nobody asked for complain when they are collected
        assert not errors.texts, "\n".join(errors.texts)
    finally:
        gc.unfreeze()
        logging.getLogger().removeHandler(errors)
    return True


class _Errors(logging.Handler):
    """Collects what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))

    def note(self, context: dict[str, Any]) -> None:
        """Keep what reached the loop."""
        if not _is_late(context["message"], context.get("exception")):
            self.texts.append(f"loop: {context}")


def _is_late(message: str, exception: BaseException | None) -> bool:
    """Return whether this is what gRPC still had to tell the loop of an earlier test.

    It has one queue of events for all loops of a process; programs have one loop.
    """
    return str(exception) == "Event loop is closed" and "PollerCompletionQueue" in message


def is_worth_logging(record: logging.LogRecord) -> bool:
    """A filter for asyncio's log, where commands that run in a test's process have their loops."""
    return not (record.exc_info and _is_late(record.getMessage(), record.exc_info[1]))


async def _watched(test: Coroutine[Any, Any, None]) -> None:
    async with asyncio.timeout(LIMIT_S):
        await test
    own = {asyncio.current_task()}
    for _ in range(200):  # gRPC's own tasks need a moment after the last channel is closed
        if asyncio.all_tasks() == own:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"tasks are left: {asyncio.all_tasks() - own}")
