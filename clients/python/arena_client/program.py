"""A bot as a program: settings, event loop, signals, messages on stderr and exit codes."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from arena_client.bot import GameBot, check_bot
from arena_client.errors import ArenaClientError, BotFailed
from arena_client.session import Session
from arena_client.settings import Settings, read_settings

INTERRUPTED = 130  # what shells give for Ctrl-C


def run(bot_class: type[GameBot[Any, Any]], arguments: Sequence[str] | None = None) -> NoReturn:
    """Play with a bot until the arena says goodbye, then end the program.

    Reads ARENA_ADDRESS, ARENA_TOKEN and the other variables; flags of the same names count more.

    Args:
        bot_class: the class of the bot; one object of it is made per match.
        arguments: the flags; those of the command line if None, none if empty.

    Raises:
        SystemExit: always. 0 after a goodbye or SIGTERM, 1 the bot's own code failed, 2 bad usage
            or refused by the arena, 3 the arena cannot be reached, 130 Ctrl-C.
    """
    try:
        check_bot(bot_class)
        settings = read_settings(sys.argv[1:] if arguments is None else arguments, os.environ)
        # What is loaded stays to the end. Python would look through all of it for garbage, during
        # decisions and several times at the exit, which takes as long as a sixth of the imports.
        gc.freeze()
        code = play(bot_class, settings)
    except BotFailed as failure:
        _report_failure(failure)
        code = failure.exit_code
    except ArenaClientError as error:
        report(str(error))
        code = error.exit_code
    sys.exit(code)


def play(bot_class: type[GameBot[Any, Any]], settings: Settings) -> int:
    """Play until the arena says goodbye or a signal comes; return the exit code.

    Raises:
        ArenaClientError: it ended in another way.
    """
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_play(bot_class, settings))


def report(text: str) -> None:
    """Write a line for the author of the bot to stderr."""
    sys.stderr.write(f"arena_client: {text}\n")
    sys.stderr.flush()


async def _play(bot_class: type[GameBot[Any, Any]], settings: Settings) -> int:
    session = Session(bot_class, settings, report)
    codes = [0]

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            codes[0] = INTERRUPTED
        session.interrupt(f"stopped by {signal.Signals(number).name}")

    with _signals(on_signal):
        await session.play()
    return codes[0]


@contextmanager
def _signals(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle SIGINT and SIGTERM. Handlers of the event loop would wait for decide() to return."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, handler) for number in numbers]
    try:
        yield
    finally:
        for number, old in zip(numbers, before, strict=True):
            signal.signal(number, old)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's factory if it is installed; it is faster."""
    try:
        import uvloop  # noqa: PLC0415 - optional
    except ImportError:
        return None
    return uvloop.new_event_loop


def _report_failure(failure: BotFailed) -> None:
    """Show the stack of the author's code, without the frame of this package that called it."""
    cause = failure.__cause__
    if cause is not None:
        stack = cause.__traceback__.tb_next if cause.__traceback__ else None
        traceback.print_exception(type(cause), cause, stack or cause.__traceback__)
    report(str(failure))
