from __future__ import annotations

import multiprocessing
import os
import signal
from itertools import count, islice

import pytest

from arena.errors import InputError, WorkerError
from arena.processes import count_cores, map_in_processes

# What the processes do: found by them under these names.


def double(number: int) -> int:
    return 2 * number


def refuse(number: int) -> int:
    raise InputError(f"not {number}")


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def interrupt(_number: int) -> None:
    """Do what Ctrl-C does: every process of the group gets the signal, the first one acts."""
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getppid(), signal.SIGINT)
    signal.pause()


def assert_none_is_left() -> None:
    assert multiprocessing.active_children() == []


def test_in_this_process():
    """With one process there is no other."""
    assert list(map_in_processes(lambda _: os.getpid(), "ab", 1)) == [
        ("a", os.getpid()),
        ("b", os.getpid()),
    ]


@pytest.mark.slow
def test_in_order():
    """Results come in the order of the items, each with its item."""
    assert list(map_in_processes(double, range(40), 2)) == [(n, 2 * n) for n in range(40)]
    assert_none_is_left()


@pytest.mark.slow
def test_without_end():
    """Only a few of the items are taken ahead, and closing ends the processes."""
    items = count()
    results = map_in_processes(double, items, 2)

    assert list(islice(results, 20)) == [(n, 2 * n) for n in range(20)]
    assert next(items) < 40
    results.close()
    assert_none_is_left()


@pytest.mark.slow
def test_work_that_fails():
    """What the work raises is raised here."""
    with pytest.raises(InputError, match="not 1"):
        list(map_in_processes(refuse, [1, 2, 3], 2))
    assert_none_is_left()


@pytest.mark.slow
def test_a_process_that_dies():
    """A process that is killed is an error that says so, and nobody waits for it."""
    with pytest.raises(WorkerError, match="killed"):
        list(map_in_processes(die, [1, 2, 3], 2))
    assert_none_is_left()


@pytest.mark.slow
def test_an_interrupt(capfd):
    """Ctrl-C ends all of it at once, whatever is going on, and no process complains."""
    with pytest.raises(KeyboardInterrupt):
        list(map_in_processes(interrupt, [1], 2))
    assert_none_is_left()
    assert capfd.readouterr() == ("", "")


def test_cores():
    """There is at least one core."""
    assert count_cores() >= 1
