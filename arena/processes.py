"""Work spread over processes of this machine; its results come in the order of the work."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import TypeVar

from arena.errors import WorkerError

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_AHEAD = 3
"""So many items a process are taken before their turn, so that none waits for the next."""


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_in_processes(
    work: Callable[[ItemT], ResultT], items: Iterable[ItemT], processes: int
) -> Generator[tuple[ItemT, ResultT], None, None]:
    """Yield each item with what `work` makes of it, in order; with one process in this one.

    Work, items and results must be such as can be pickled. Few items are taken ahead, so there may
    be any number. Close the generator, or use it up: then no process is left. Raises what `work`
    raises, and WorkerError if a process dies.
    """
    if processes == 1:
        for item in items:
            yield item, work(item)
        return
    # Spawned, not forked: this process may have threads, a database, and a large memory.
    context = multiprocessing.get_context("spawn")
    alive, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(processes, context, initializer=_end_with, initargs=(alive,))
    ahead: deque[tuple[ItemT, Future[ResultT]]] = deque()
    try:
        for item in items:
            with _uninterrupted():
                ahead.append((item, pool.submit(work, item)))
            if len(ahead) >= _AHEAD * processes:
                yield _next_of(ahead)
        while ahead:
            yield _next_of(ahead)
    except BrokenProcessPool:
        raise WorkerError(
            "a worker process was killed, perhaps because memory ran out; "
            "try again with fewer at once (-j)"
        ) from None
    except BaseException:
        ours.close()  # nobody wants the rest: all end at once
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        ours.close()
        alive.close()


def _next_of(ahead: deque[tuple[ItemT, Future[ResultT]]]) -> tuple[ItemT, ResultT]:
    item, future = ahead.popleft()
    return item, future.result()


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started here: it is this one that ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(alive: Connection) -> None:
    """Let this process end when the other end is closed: on purpose, or because its owner died."""

    def wait() -> None:
        alive.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
