from __future__ import annotations

import asyncio

import pytest

from arena.engines.inline import InlineEngine
from arena.errors import InputError
from arena.storage.records import MatchReport
from arena.tournament.engine import Entered, Void
from tests.engines.scaled import a_config, builtin, enter, fixtures, play_all, randoms

pytestmark = pytest.mark.slow


async def test_versions_are_those_of_the_bots(tmp_path):
    """A built-in bot has its own version unless its entry gives one."""
    bots = {**randoms(2), "mine": builtin("greedy", version="mine 3")}
    async with InlineEngine(a_config(tmp_path, bots)) as engine:
        verdicts = await engine.preflight()
        assert verdicts["mine"] == Entered("mine 3")
        assert isinstance(verdicts["r1"], Entered)
        assert verdicts["r1"].version != ""


async def test_the_same_each_time(tmp_path):
    """Matches played at once and in any order come out as one by one."""
    config = a_config(tmp_path, randoms(4), rounds=1)
    planned = fixtures(config)
    async with InlineEngine(config) as engine:
        versions = await enter(engine)
        at_once = await play_all(engine, planned, versions)
        backwards = [(await play_all(engine, [each], versions))[0] for each in reversed(planned)]
    for one, other in zip(at_once, reversed(backwards), strict=True):
        assert (one.match, one.scores, one.ranks) == (other.match, other.scores, other.ranks)
        assert one.forfeits == (None,) * 3
        assert one.faults == ()
        assert one.replay.count("\n") >= one.moves


async def test_a_seed_of_its_own(tmp_path):
    """A bot with a seed plays by that one in every match, whatever the tournament's seed says."""
    replays = []
    for seed in ("x", "x", "y"):
        bots = {name: builtin("random", seed=seed) for name in ("a", "b", "c")}
        config = a_config(tmp_path, bots)
        async with InlineEngine(config) as engine:
            [report] = await play_all(engine, fixtures(config)[:1], await enter(engine))
        replays.append(report.scores + report.ranks + (report.moves,))
    assert replays[0] == replays[1] != replays[2]


def test_only_built_in_bots(tmp_path):
    """Programs cannot be played in this process."""
    with pytest.raises(InputError, match="bot mine is a separate program"):
        InlineEngine(a_config(tmp_path, {**randoms(2), "mine": {"run": ["./mine"]}}))


async def test_abort(tmp_path):
    """What has not been begun is void; the loop stays awake meanwhile, and it ends soon."""
    config = a_config(tmp_path, randoms(3), rounds=20)
    async with InlineEngine(config) as engine:
        versions = await enter(engine)
        playing = [asyncio.ensure_future(engine.play(each, versions)) for each in fixtures(config)]
        await playing[0]
        engine.abort()
        reports = await asyncio.gather(*playing)
    assert isinstance(reports[0], MatchReport)
    assert reports[-1] == Void("the arena was stopped")
