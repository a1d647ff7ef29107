"""Small tournaments for engines that play side by side, and what must come out the same."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.config.bot_spec import specs_from_tables
from arena.config.tournament import TournamentConfig
from arena.referee.clock import TimeControl
from arena.schedule.schedule import make_schedule
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Engine, Entered

BOTS = Path(__file__).parents[1] / "e2e" / "bots"
SALT = "0" * 64


def builtin(tier: str, **fields: object) -> dict[str, Any]:
    """Return the table of a built-in bot."""
    return {"builtin": tier, **fields}


def script(file: str, **env: object) -> dict[str, Any]:
    """Return the table of a bot that is one of the scripts, run by this Python."""
    texts = {key: str(value) for key, value in env.items()}
    return {"run": [sys.executable, str(BOTS / file)], "env": texts}


def randoms(count: int) -> dict[str, dict[str, Any]]:
    """Return as many random bots."""
    return {f"r{number}": builtin("random") for number in range(1, count + 1)}


def a_config(base: Path, bots: Mapping[str, Mapping[str, Any]], **changes: Any) -> TournamentConfig:
    """Return a tournament of Byzanz, by default for three players with ample time."""
    config = TournamentConfig(
        name="scaled",
        game="byzanz",
        players=3,
        bots=specs_from_tables("the test", "", bots, base),
        rounds=1,
        seed="7",
        salt=SALT,
        control=TimeControl(10.0, 0.0, 60.0),
    )
    return replace(config, **changes)


def fixtures(config: TournamentConfig) -> tuple[FixtureRecord, ...]:
    """Return all matches of the tournament."""
    return tuple(make_schedule(config.plan()).fixtures)


async def enter(engine: Engine) -> dict[str, str]:
    """Pass all bots and return their versions."""
    verdicts = await engine.preflight()
    assert all(isinstance(verdict, Entered) for verdict in verdicts.values()), verdicts
    return {name: verdict.version for name, verdict in verdicts.items()}  # type: ignore[union-attr]


async def play_all(
    engine: Engine, planned: Sequence[FixtureRecord], versions: Mapping[str, str]
) -> list[MatchReport]:
    """Play everything at once and return the reports in order."""
    reports = await asyncio.gather(*(engine.play(each, versions) for each in planned))
    assert all(isinstance(report, MatchReport) for report in reports), reports
    return list(reports)  # type: ignore[arg-type]


def timeless(report: MatchReport) -> MatchReport:
    """Return the report without the times, which are all that differs from run to run."""
    return replace(
        report, times=(), isolation="", replay=re.sub(r'"ms":[0-9.e+-]+', '"ms":0', report.replay)
    )
