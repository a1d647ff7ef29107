from __future__ import annotations

import signal
from pathlib import Path

import pytest

from arena.launch.exits import Exit, judge_exit, oom_kills
from arena.referee.faults import Fault


def fault(
    status: int | None = 1,
    words: bytes = b"",
    limit_mb: int | None = None,
    peak_mb: int = 0,
    oom_killed: bool = False,
) -> Fault:
    return judge_exit(
        status,
        last_words=words,
        limits={} if limit_mb is None else {Fault.OUT_OF_MEMORY: limit_mb},
        peak_kb=peak_mb * 1024,
        oom_killed=oom_killed,
    ).fault


@pytest.mark.parametrize(
    "words",
    [
        b"Traceback (most recent call last):\nMemoryError\n",
        b"numpy._core._exceptions._ArrayMemoryError: Unable to allocate 8 GiB\n",
        b"terminate called after throwing an instance of 'std::bad_alloc'\n",
        b'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat x\n',
        b"Out of memory.\nUnhandled exception. System.OutOfMemoryException: ...",
        b"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
        b"fatal error: runtime: out of memory\n\ngoroutine 1:\n",
        b"memory allocation of 8589934592 bytes failed\nAborted\n",
        b"sh: fork: Cannot allocate memory\n",
    ],
)
def test_well_known_last_words(words: bytes) -> None:
    """A failed process that says it had no memory had none; one that did well had enough."""
    assert fault(1, words) is fault(-6, words) is Fault.OUT_OF_MEMORY
    assert fault(0, words) is Fault.CRASH


@pytest.mark.parametrize(
    "words",
    [
        b"RuntimeError: can't start new thread\n",
        b" = _fork_exec(\nBlockingIOError: [Errno 11] Resource temporarily unavailable\n",
        b"java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory\n",
        b"runtime: failed to create new OS thread (have 9 already; errno=11)\n",
        b"thread 'main' panicked: failed to spawn thread: Os { code: 11 }\n",
        b"Error: spawn sh EAGAIN\n",
        b"sh: 1: Cannot fork\n",
        b"bash: fork: retry: Resource temporarily unavailable\n",
        b"bot.rb:1: Resource temporarily unavailable - fork(2) (Errno::EAGAIN)\n",
    ],
)
def test_last_words_about_processes(words: bytes) -> None:
    """A failed process that could not start another one ran out of them, not of memory."""
    assert fault(1, words) is Fault.OUT_OF_PROCESSES
    assert fault(0, words) is Fault.CRASH


@pytest.mark.parametrize(
    "words",
    [
        b"OSError: [Errno 28] No space left on device: '/tmp/x'\n",
        b"open /tmp/x: no space left on device\n",
        b"Error: ENOSPC: no space left on device, write\n",
        b"OSError: [Errno 27] File too large\n",
    ],
)
def test_last_words_about_the_disk(words: bytes) -> None:
    """A failed process that could not write more filled its disk."""
    assert fault(1, words) is Fault.OUT_OF_DISK
    assert fault(0, words) is Fault.CRASH


@pytest.mark.parametrize("reached", [Fault.OUT_OF_PROCESSES, Fault.OUT_OF_DISK])
def test_a_limit_that_is_known_to_be_reached(reached: Fault) -> None:
    """It counts without words, if the process failed; its number is told."""
    limits = {reached: 7}

    def judge(status: int, *, oom_killed: bool = False) -> Exit:
        return judge_exit(
            status,
            last_words=b"",
            limits=limits,
            peak_kb=0,
            oom_killed=oom_killed,
            reached=reached,
        )

    assert (judge(1).fault, judge(1).limit) == (reached, 7)
    assert judge(0).fault is Fault.CRASH
    assert judge(-9, oom_killed=True).fault is Fault.OUT_OF_MEMORY


@pytest.mark.parametrize("words", [b"ValueError: x", b"handled MemoryError before", b""])
def test_other_last_words(words: bytes) -> None:
    """Anything else is a crash."""
    assert fault(1, words) is Fault.CRASH


def test_the_kernels_killer() -> None:
    """SIGKILL while the kernel killed for memory, also as a shell reports it."""
    assert fault(-9, oom_killed=True) is fault(137, oom_killed=True) is Fault.OUT_OF_MEMORY
    assert fault(-9) is fault(-11, oom_killed=True) is fault(1, oom_killed=True) is Fault.CRASH


def test_death_at_the_limit() -> None:
    """A signal counts only near the limit, a plain exit never."""
    assert fault(-11, limit_mb=100, peak_mb=95) is Fault.OUT_OF_MEMORY
    assert fault(-11, limit_mb=100, peak_mb=50) is Fault.CRASH
    assert fault(-11, peak_mb=95) is Fault.CRASH
    assert fault(1, limit_mb=100, peak_mb=95) is Fault.CRASH
    assert fault(-signal.SIGTERM, limit_mb=100, peak_mb=95) is Fault.CRASH


def test_a_file_that_grows_too_large_has_a_signal() -> None:
    """Also where nobody has said a word."""
    assert fault(-signal.SIGXFSZ) is Fault.OUT_OF_DISK


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (Exit(3, None), "exited with code 3"),
        (Exit(None, 11), "was killed by SIGSEGV"),
        (Exit(None, 40), "was killed by signal 40"),
        (Exit(None, None), "ended for an unknown reason"),
        (Exit(200, None), "exited with code 200"),
        (Exit(137, None), "exited with code 137, which a shell reports for SIGKILL"),
        (Exit(None, 15, was_asked=True), "stopped as asked (killed by SIGTERM)"),
        (
            Exit(None, 9, Fault.OUT_OF_MEMORY, limit=512),
            "ran out of memory (killed by SIGKILL at its limit of 512 MB)",
        ),
        (Exit(1, None, Fault.OUT_OF_MEMORY), "ran out of memory (exited with code 1)"),
        (
            Exit(1, None, Fault.OUT_OF_PROCESSES, limit=64),
            "ran out of processes (exited with code 1 at its limit of 64 processes)",
        ),
        (
            Exit(None, 25, Fault.OUT_OF_DISK, limit=32),
            "ran out of disk space (killed by SIGXFSZ at its limit of 32 MB)",
        ),
    ],
)
def test_an_exit_is_described(end: Exit, told: str) -> None:
    """What happened, to stand behind the bot's name."""
    assert end.describe() == told


@pytest.mark.parametrize(
    ("cgroup", "file", "text", "kills"),
    [
        ("0::/user/a\n", "user/a/memory.events", "low 0\noom 5\noom_kill 3\n", 3),
        (
            "4:cpu:/\n3:memory:/box\n0::/\n",
            "memory/box/memory.oom_control",
            "under_oom 0\noom_kill 2\n",
            2,
        ),
        ("3:memory:/of/the/host\n", "memory/memory.oom_control", "oom_kill 4\n", 4),
        ("3:memory:/old\n", "memory/old/memory.oom_control", "under_oom 0\n", 0),
        ("0::/gone\n", "other", "", 0),
    ],
)
def test_the_kernel_counts(tmp_path: Path, cgroup: str, file: str, text: str, kills: int) -> None:
    """The counter is found under both versions of cgroups; where it is not, it is 0."""
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(cgroup)
    counter = tmp_path / "sys/fs/cgroup" / file
    counter.parent.mkdir(parents=True)
    counter.write_text(text)
    assert oom_kills(tmp_path) == kills


def test_no_counter_at_all(tmp_path: Path) -> None:
    """A system without cgroups counts nothing; this one can be asked."""
    assert oom_kills(tmp_path) == 0
    assert oom_kills() >= 0
