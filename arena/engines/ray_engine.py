"""Matches on a Ray cluster: workers on many machines.

Each worker is a Ray actor that takes one CPU and keeps the same process that a worker on this
machine has (see worker.py): it ends, with its bots, when the actor does. Actors are spread over
the nodes. When one of them or its node dies, its matches are played again by others.

Every node needs the same version of arena, and the bots' directories under the same paths as
here, on a shared file system or copied: only the tournament's config travels. What bots print is
written on the node they run on. Without an address a small cluster is started on this machine
for the time being, reachable from this machine only. With one, this process must run on a node of
that cluster; it is joined and left as it is.

Ray's usage statistics are switched off. Ray itself is an extra: `pip install 'arena-server[ray]'`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import secrets
import socket
import tempfile
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

from arena.config.tournament import TournamentConfig
from arena.counted import counted
from arena.engines.pool import PoolEngine
from arena.engines.worker_actor import WorkerActor
from arena.engines.worker_messages import CLOSE_S
from arena.errors import InputError, LaunchError
from arena.launch.build import BuildWatcher
from arena.launch.keeper import Keeper
from arena.launch.sweep import ID_LENGTH, LAUNCH_ID

CONNECT_S = 60.0
"""How long an actor may wait for a node with a free CPU."""

_ANSWER_S = 10.0
_MARGIN_S = 2.0
_CALLS = 100  # that an actor answers at once; some wait there for something to hear
_LOOPBACK = "127.0.0.1"
_QUIET = {"log_to_driver": False, "configure_logging": False}


class RayEngine(PoolEngine):
    """Plays in Ray actors (see pool.py)."""

    def __init__(
        self,
        config: TournamentConfig,
        workers: int,
        *,
        address: str | None = None,
        inner: str = "arena",
        logs: Path | None = None,
        builds: BuildWatcher | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        """Prepare; `address` is HOST:PORT of a cluster, None for one of our own.

        Raises InputError if Ray is not installed.
        """
        super().__init__(config, workers, inner=inner, logs=logs, builds=builds, hidden=hidden)
        self._ray = _import_ray(address is None)
        self._count = workers
        self._address = address
        self._close_s = CLOSE_S[inner] + _MARGIN_S
        self._was_there = False
        # After SIGKILL of this process some of Ray's would go on for a minute.
        self._keeper = Keeper()
        self._launch_id = secrets.token_hex(ID_LENGTH // 2)
        self._exits = contextlib.ExitStack()
        # Ray's processes end with the thread that started them, so it stays until the end; and in
        # the main thread Ray would take the signals for itself.
        self._thread = ThreadPoolExecutor(1, "ray")

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        if self._address is None:
            self._keeper.register(self._launch_id)
        joining = loop.run_in_executor(self._thread, self._join)
        try:
            await asyncio.shield(joining)
            return await super().__aenter__()
        except BaseException:
            await asyncio.gather(joining, return_exceptions=True)
            await self._leave()
            raise

    async def connect(self, number: int) -> _ActorLink:
        actor_class = self._ray.remote(
            num_cpus=1, max_concurrency=_CALLS, max_restarts=0, scheduling_strategy="SPREAD"
        )(WorkerActor)
        link = _ActorLink(self._ray, actor_class.remote(), self._close_s)
        try:
            async with asyncio.timeout(CONNECT_S):
                await link.start(number, Path.cwd())
        except TimeoutError:
            await link.close()
            raise LaunchError(
                f"no node of the Ray cluster had a free CPU for worker {number} "
                f"within {CONNECT_S:g} s"
            ) from None
        except BaseException:
            await link.close()
            raise
        return link

    async def _close(self) -> None:
        await super()._close()
        await self._leave()

    def _join(self) -> None:
        """Start Ray, or join the cluster; raises InputError."""
        ray = self._ray
        self._was_there = ray.is_initialized()
        if self._was_there:
            return
        try:
            if self._address is None:
                self._start()
                return
            _check_answered(self._address)
            self._hidden += (Path(tempfile.gettempdir(), "ray"),)  # on every node; see ray start
            ray.init(address=self._address, **_QUIET)
            cpus = int(ray.cluster_resources().get("CPU", 0))
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            where = "on this machine" if self._address is None else f"at {self._address}"
            raise InputError(f"Ray {where} cannot be used: {_first_line(error)}") from error
        if cpus < self._count:
            raise InputError(
                f"the Ray cluster at {self._address} has {counted(cpus, 'CPU')}, too few for "
                f"{counted(self._count, 'worker')}, which take one each"
            )

    def _start(self) -> None:
        """Start a cluster of our own; all its processes carry the id that the keeper knows."""
        directory = self._exits.enter_context(self._keeper.temporary_directory("ray-"))
        self._hidden += (directory,)
        # Names that Ray gives its processes would else be written over their environment.
        carried = {LAUNCH_ID: self._launch_id, "SPT_NOENV": "1"}
        os.environ.update(carried)
        try:
            self._ray.init(
                address="local",
                num_cpus=self._count,
                include_dashboard=False,
                _node_ip_address=_LOOPBACK,
                _temp_dir=str(directory / "r"),  # which Ray opens to every user
                **_QUIET,
            )
        finally:
            for name in carried:
                del os.environ[name]

    async def _leave(self) -> None:
        """Leave the cluster; one of our own ends. Idempotent."""
        if not self._was_there:
            self._was_there = True
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._ray.shutdown)
        await self._keeper.close()
        self._exits.close()
        self._thread.shutdown(wait=False)


class _ActorLink:
    """A link to the worker behind an actor. There is one reader, who waits for each answer."""

    def __init__(self, ray: Any, actor: Any, close_s: float) -> None:
        self._ray = ray
        self._actor = actor
        self._close_s = close_s
        self._heard: deque[bytes] = deque()
        self._unsent: list[bytes] = []
        self._sending: asyncio.Task[None] | None = None
        self._is_there = False
        self.ending = "was lost"

    async def start(self, number: int, place: Path) -> None:
        """Wait for the actor to be there, and have it start its process; raises LaunchError."""
        try:
            await self._actor.start.remote(number, self._close_s, str(place))
        except self._ray.exceptions.RayError as error:
            raise LaunchError(f"worker {number} cannot be started: {_first_line(error)}") from error
        self._is_there = True

    def send(self, text: bytes) -> None:
        self._unsent.append(text)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.ensure_future(self._send())

    async def receive(self) -> bytes | None:
        while not self._heard:
            try:
                texts, ending = await self._actor.hear.remote()
            except self._ray.exceptions.RayError as error:
                self._is_there = False
                self.ending = f"was lost: {_first_line(error)}"
                return None
            if ending is not None:
                self.ending = ending
                return None
            self._heard.extend(texts)
        return self._heard.popleft()

    async def close(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        if self._is_there:
            self._is_there = False
            with contextlib.suppress(self._ray.exceptions.RayError, TimeoutError):
                async with asyncio.timeout(self._close_s + _MARGIN_S):
                    await self._actor.close.remote()
        self._ray.kill(self._actor)  # also one that no node has had room for

    async def _send(self) -> None:
        """Send what there is, in order: one call at a time, as Ray may change their order."""
        while self._unsent:
            texts, self._unsent = self._unsent, []
            try:
                await self._actor.tell.remote(texts)
            except self._ray.exceptions.RayError:
                return  # whoever receives will hear of it


def _import_ray(is_own: bool) -> Any:
    """Return the package; raises InputError if it is not installed. `is_own`: for our own cluster.

    Ray reads most of its settings when it is imported. What a person has set stays.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Even that they are off would be reported; to nobody, then.
    os.environ.setdefault("RAY_USAGE_STATS_REPORT_URL", f"http://{_LOOPBACK}:9/")
    if is_own:
        # Never look for an address in the outside world: everything is on this machine.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        # Everybody on this machine can reach it: only our own processes know the token.
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    factory = logging.getLogRecordFactory()
    try:
        ray = importlib.import_module("ray")
        worker: Any = importlib.import_module("ray._private.worker")
    except ImportError:
        raise InputError(
            "the engine ray needs the package Ray, which is not installed: "
            "pip install 'arena-server[ray]'"
        ) from None
    finally:
        logging.setLogRecordFactory(factory)  # Ray's own adds a field to every line of the log
    logging.getLogger("ray").setLevel(logging.ERROR)
    # Ray prints on stdout that a node has died, log_to_driver or not. We say so ourselves.
    worker._worker_logs_enabled = False  # noqa: SLF001
    return ray


def _check_answered(address: str) -> None:
    """Raise InputError unless somebody listens there: Ray would try for many minutes."""
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit()) or "//" in host:
        raise InputError(
            f"--ray-address is HOST:PORT of the cluster's head, such as {_LOOPBACK}:6379, "
            f"not {address!r}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER_S).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"there is no answer at the --ray-address {address}: {reason}") from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
