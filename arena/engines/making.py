"""Which engine plays a tournament. Only that one is imported: most of them take long to load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.config.tournament import RunSettings, TournamentConfig, check_run
from arena.errors import InputError
from arena.launch.build import BuildWatcher
from arena.server.dial_in import DialIn
from arena.tournament.engine import Engine


def make_engine(
    config: TournamentConfig,
    run: RunSettings,
    *,
    logs: Path | None = None,
    dial_in: DialIn | None = None,
    ray_address: str | None = None,
    builds: BuildWatcher | None = None,
    hidden: Sequence[Path] = (),
) -> Engine:
    """Return the engine that the settings ask for; raises InputError where they cannot be.

    Bots that dial in by themselves have one session, and so need one arena, in this process.
    `hidden` is what no bot may see. In a gallery matches are watched that arenas on this machine
    play: not those on a Ray cluster, nor those of the engine inline, which has no arena.
    """
    check_run(run)
    if ray_address is not None and run.engine != "ray":
        raise InputError(f"--ray-address goes with --engine ray, not with {run.engine}")
    if run.engine != "arena" or run.workers > 1:
        _check_closed(config, run, dial_in)
    if run.engine == "inline" and config.fresh:
        raise InputError("--fresh needs processes; the engine inline has none")
    if run.engine == "ray":
        from arena.engines.ray_engine import RayEngine  # noqa: PLC0415

        return RayEngine(
            config, run.workers, address=ray_address, logs=logs, builds=builds, hidden=hidden
        )
    if run.workers > 1:
        from arena.engines.workers import WorkersEngine  # noqa: PLC0415

        return WorkersEngine(
            config,
            run.workers,
            inner=run.engine,
            logs=logs,
            builds=builds,
            hidden=hidden,
            gallery=None if dial_in is None else dial_in.gallery,
        )
    if run.engine == "inline":
        from arena.engines.inline import InlineEngine  # noqa: PLC0415

        return InlineEngine(config)
    from arena.engines.hosted import HostedEngine  # noqa: PLC0415

    return HostedEngine(config, logs, dial_in, builds, hidden)


def _check_closed(config: TournamentConfig, run: RunSettings, dial_in: DialIn | None) -> None:
    """Raise InputError if anybody is to dial in."""
    what = f"the engine {run.engine}" if run.engine != "arena" else f"{run.workers} workers"
    connected = [spec.name for spec in config.bots.values() if spec.connected]
    if connected:
        raise InputError(
            f"bot {connected[0]} connects by itself, which is not possible with {what}: "
            "use the engine arena with one worker"
        )
    if dial_in is not None and dial_in.addresses:
        raise InputError(
            f"--listen is for bots that connect by themselves, which is not possible with {what}: "
            "use the engine arena with one worker"
        )
