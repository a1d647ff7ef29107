from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from arena.launch.sweep import (
    Found,
    Registered,
    find_launched,
    find_session,
    read_registrations,
    send,
    send_group,
    sweep,
)
from tests.waiting import wait_until

ID, OTHER = secrets.token_hex(16), secrets.token_hex(16)  # tests may run beside each other


def start(launch_id: str, *, is_session: bool = True) -> subprocess.Popen[bytes]:
    """Start a process that leads a group of its own."""
    environment = {**os.environ, "FIRST": "ARENA_LAUNCH_ID=x", "ARENA_LAUNCH_ID": launch_id}
    group = None if is_session else 0
    process = subprocess.Popen(
        ["sleep", "600"], env=environment, start_new_session=is_session, process_group=group
    )
    environ = Path(f"/proc/{process.pid}/environ")  # on a busy machine not there for a moment
    wait_until(lambda: launch_id.encode() in environ.read_bytes())
    return process


def test_a_process_is_known_by_its_id_or_its_group(mark: str) -> None:
    """Those of other launches are not found, nor is a group that is not a session."""
    with start(ID) as one, start(OTHER) as two, start(OTHER, is_session=False) as three:
        try:
            assert [found.pid for found in find_launched({ID: 0})] == [one.pid]
            both = find_launched({ID: 0, "c" * 32: two.pid})
            assert [found.pid for found in both] == sorted([one.pid, two.pid])
            assert find_launched({"c" * 32: three.pid}) == []
        finally:
            one.kill()
            two.kill()
            three.kill()
            one.wait()
        assert find_launched({ID: one.pid}) == []


def test_a_session_is_found_whole(mark: str) -> None:
    """Also what leads another group there, has wiped its environment and has lost its parent."""
    orphan = (
        "import os; os.fork() or (os.setpgid(0, 0), os.execve('/bin/sleep', ['sleep', '600'], {}))"
    )
    leader = subprocess.Popen([sys.executable, "-c", orphan], start_new_session=True)
    deadline = time.monotonic() + 30.0
    left: list[Found] = []
    while not (left and leader_ended(leader.pid) and left[0].group != leader.pid):
        assert time.monotonic() < deadline
        left = [each for each in find_session(leader.pid, ID) if each.pid != leader.pid]
    assert find_launched({ID: leader.pid}) == left
    send(left[0], signal.SIGKILL)
    leader.wait()


def leader_ended(pid: int) -> bool:
    """Return whether it waits to be reaped."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def test_a_signal_reaches_only_the_process_that_was_found(mark: str) -> None:
    """A later process with the same pid is spared; one that is gone is no error."""
    with start(ID) as process:
        (found,) = find_launched({ID: 0})
        send(found._replace(started=b"1"), signal.SIGKILL)
        assert process.poll() is None
        send(found, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        send(found, signal.SIGKILL)
        send_group(process.pid, signal.SIGKILL)


def test_a_sweep_ends_when_nothing_is_left(mark: str) -> None:
    """All launches are swept together, and others stay."""
    with start(ID) as one, start(OTHER) as two:
        reaper = threading.Thread(target=one.wait)
        reaper.start()
        sweep({ID: 0})
        reaper.join()
        assert one.returncode == -signal.SIGKILL
        assert two.poll() is None
        sweep({OTHER: two.pid})
        assert two.wait() == -signal.SIGKILL


def test_registrations_are_read_to_the_end() -> None:
    """The latest word about each launch counts when the pipe ends."""
    reading, writing = os.pipe()
    os.write(writing, f"+{ID}\t0\n+{OTHER}\t0\n+{ID}\t12\t/a b\n-{OTHER}\n-{OTHER}\n".encode())
    os.close(writing)
    assert read_registrations(reading, os.getppid()) == {ID: Registered(12, ("/a b",))}
    os.close(reading)


def test_an_arena_that_is_already_gone_is_noticed() -> None:
    """A keeper whose parent is another process by now reads what there is, and waits no longer."""
    reading, writing = os.pipe()
    os.write(writing, f"+{ID}\t12\n".encode())
    assert read_registrations(reading, os.getpid()) == {ID: Registered(12, ())}
    os.close(writing)
    os.close(reading)
