"""Ray in a world of its own: a network that ends at this machine, and processes that end with it.

A test runs this file as a program through `isolated`, which takes namespaces for the network and
for processes. By default Ray looks for its address and sends its statistics in the outside world;
here there is no way out. The program is the first process of its namespace: with it, everything it
has started is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.e2e.glance import glance
from tests.requirements import skip_lacking
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
HEAD, OTHER = "10.77.0.1", "10.77.0.2"  # both on the loopback interface
PORT = 6379
_UNSHARE = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
_SET_UP = f"ip link set lo up && ip address add {HEAD} dev lo && ip address add {OTHER} dev lo"
_LONG_S = 240.0
_CHILDREN: set[int] = set()  # started by the program itself


def isolated(work: str, place: Path, limit_s: float = 600.0) -> Any:
    """Run one of the functions below in a world of its own and return what it returned.

    Skips the test where that cannot be.
    """
    _check_possible()
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    home = place / "home"
    home.mkdir()
    others = {key: text for key, text in os.environ.items() if not key.startswith("RAY_")}
    program = f'{_SET_UP} && exec "$0" -m tests.engines.ray_cluster {work} "$1"'
    done = subprocess.run(
        [*_UNSHARE, *user, "sh", "-c", program, sys.executable, str(place)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit_s,
        cwd=ROOT,
        env={**others, "HOME": str(home), "TMPDIR": str(place)},
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return {**json.loads(done.stdout.splitlines()[-1]), "err": done.stderr}


def _check_possible() -> None:
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    reason = ""
    try:
        import ray  # noqa: F401, PLC0415 - only to see whether it is there
    except ImportError:
        reason = "ray is not installed: matches on a Ray cluster are not tested"
    else:
        with contextlib.suppress(OSError):
            tried = subprocess.run(
                [*_UNSHARE, *user, "sh", "-c", _SET_UP], capture_output=True, check=False
            )
            if tried.returncode == 0:
                return
        reason = "no namespace can be made here: matches on a Ray cluster are not tested"
    skip_lacking(reason)


# What follows runs inside.


def own_cluster(place: Path) -> dict[str, Any]:
    """Play on a cluster that the engine starts, and compare with matches played inline."""
    from arena.engines.inline import InlineEngine  # noqa: PLC0415 - not needed by the test itself
    from arena.engines.ray_engine import RayEngine  # noqa: PLC0415
    from tests.engines import scaled  # noqa: PLC0415

    config = scaled.a_config(place, scaled.randoms(3))
    planned = scaled.fixtures(config)

    async def work() -> dict[str, Any]:
        async with InlineEngine(config) as inline:
            expected = await scaled.play_all(inline, planned, await scaled.enter(inline))
        engine = RayEngine(config, 1, inner="inline")
        _leave_out()  # only now: the engine tells Ray how to be before it is imported
        async with engine:
            versions = await scaled.enter(engine)
            reports = await scaled.play_all(engine, planned, versions)
        return {"same": list(map(scaled.timeless, reports)) == list(map(scaled.timeless, expected))}

    found = asyncio.run(work())
    return {**found, "left": _left(), "files": sorted(path.name for path in place.iterdir())}


def killed_arena(place: Path) -> dict[str, Any]:
    """Kill an arena that plays on a cluster of its own, and see what is left after a while."""
    with subprocess.Popen(
        [sys.executable, "-c", _ENDLESS, str(place)], stdout=subprocess.PIPE, cwd=ROOT
    ) as arena:
        _CHILDREN.add(arena.pid)
        assert arena.stdout is not None
        assert arena.stdout.readline() == b"playing\n"
        found = {"running": len(_others()), "listening": _listening(), "modes": _modes(place)}
        arena.kill()
    return {**found, "left": _left()}


_ENDLESS = """
import asyncio, sys
from pathlib import Path
from arena.engines.ray_engine import RayEngine
from tests.engines.scaled import a_config, enter, fixtures, play_all, script

async def main():
    bots = {name: script("honest.py", THINK_S=0.5) for name in "abc"}
    config = a_config(Path(sys.argv[1]), bots)
    async with RayEngine(config, 1) as engine:
        versions = await enter(engine)
        print("playing", flush=True)
        await play_all(engine, fixtures(config), versions)

asyncio.run(main())
"""


def killed_node(place: Path) -> dict[str, Any]:
    """Play a tournament on two nodes, one of which is killed while the arena has stopped itself."""
    words = json.loads((place / "words.json").read_text())
    with (
        two_nodes() as kill_second,
        subprocess.Popen(
            [sys.executable, *words, "--engine", "ray", "--ray-address", f"{HEAD}:{PORT}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=place,
        ) as arena,
    ):
        _CHILDREN.add(arena.pid)
        status = Path(f"/proc/{arena.pid}/stat")
        try:
            wait_until(lambda: status.read_text().rpartition(")")[2].split()[0] in "TZ", _LONG_S)
            assert arena.poll() is None, "it ended"
        except AssertionError:
            arena.kill()
            print(*arena.communicate(), sep="\n", file=sys.stderr)  # why
            raise
        before = glance(place / "cup" / "arena.db")
        kill_second()
        wait_until(lambda: len(_workers()) == 1, _LONG_S)  # Ray's processes notice one by one
        arena.send_signal(signal.SIGCONT)
        out, err = arena.communicate(timeout=_LONG_S)
    return {
        "code": arena.returncode,
        "out": out,
        "arena_err": err,
        "before": before,
        "left": _left(),
    }


@contextlib.contextmanager
def two_nodes() -> Iterator[Callable[[], None]]:
    """Run a cluster of two nodes with one CPU each; yields what kills the second."""
    # Nodes are found dead after seconds, not half a minute. Ray reads this when it is imported.
    quick = {
        "RAY_health_check_period_ms": "500",
        "RAY_health_check_timeout_ms": "1000",
        "RAY_health_check_failure_threshold": "3",
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    os.environ.update(quick)
    _leave_out()
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - not needed by the test itself

    small: Any = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
    cluster = Cluster(shutdown_at_exit=False)
    try:
        cluster.add_node(node_ip_address=HEAD, gcs_server_port=PORT, **small)
        second = cluster.add_node(node_ip_address=OTHER, **small)
        for name in quick:
            del os.environ[name]
        yield functools.partial(_kill_node, second)
    finally:
        for node in cluster.list_all_nodes():
            _kill_node(node)


def _kill_node(node: Any) -> None:
    """Kill all processes of a node, also those that its raylet has started."""
    for info in node.all_processes.get("raylet", ()):
        for children in Path(f"/proc/{info.process.pid}/task").glob("*/children"):
            for pid in children.read_text().split():
                os.kill(int(pid), signal.SIGKILL)
    node.kill_all_processes(check_alive=False, wait=True)


def _leave_out() -> None:
    """Have Ray start nodes without programs that take a second each, and nobody here needs."""
    from ray._private.node import Node  # noqa: PLC0415 - not needed by the test itself

    for name in ("start_monitor", "start_api_server", "start_log_monitor"):
        setattr(Node, name, lambda *_words, **_named: None)


def _left() -> list[str]:
    """Return what still runs beside this process after a while in which it may end by itself."""
    with contextlib.suppress(AssertionError):
        wait_until(lambda: not _others(), 15.0)
    return _others()


def _others() -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z":
                    found.append((entry / "cmdline").read_text().replace("\0", " ").strip())
    return found


def _workers() -> list[str]:
    return [line for line in _others() if "arena.engines.worker_program" in line]


def _modes(place: Path) -> list[str]:
    """Return who may enter Ray's directory."""
    return [oct(path.stat().st_mode & 0o777) for path in place.glob("ray-*")]


def _listening() -> list[str]:
    """Return the addresses but loopback on which anybody listens."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            address, state = line.split()[1], line.split()[3]
            if state == "0A":
                found.add(address.partition(":")[0])
    return sorted(found - {"0100007F", "0000000000000000FFFF00000100007F", f"{1 << 24:032X}"})


def _reap() -> None:
    """Reap orphans for ever, as the first process of a machine does: Ray takes zombies for alive.

    What this process has started itself is left to whoever waits for it.
    """
    while True:
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) not in _CHILDREN:
                with contextlib.suppress(OSError):
                    state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                    if state == "Z" and int(parent) == os.getpid():
                        os.waitpid(int(entry.name), os.WNOHANG)
        time.sleep(0.5)  # looking around takes time from Ray


if __name__ == "__main__":
    threading.Thread(target=_reap, daemon=True).start()
    print(json.dumps(globals()[sys.argv[1]](Path(sys.argv[2]))))
