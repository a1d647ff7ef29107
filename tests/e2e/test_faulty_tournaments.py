"""Tournaments with bots that always fail: they end, and the others are judged as ever."""

from __future__ import annotations

import signal
import time

import pytest

from arena.cli import BAD_INPUT, DONE
from tests.e2e.command import bot_option
from tests.e2e.tournaments import (
    NAME,
    attempts,
    check_ratings,
    complete,
    finish,
    leaderboard,
    matches,
    run_to_end,
    settings,
    to_end,
    tournament,
)

QUICK = ("--move-time", 0.5, "--bank", 1)
FEW = ("--rotation", "none", "--rounds", 2)  # matches
GONE = "name=absent,cmd=false"
FAULTS = {
    "crashing": ("crash", "the process exited with code 3", "the sky is falling"),
    "illegal": ("illegal_move", "", ""),
    "asleep": ("timeout", "no answer within move time and bank", ""),
    "absent": ("no_start", "last output: I would rather not", "I would rather not"),
}


@pytest.mark.slow
def test_bots_that_always_fail(place):
    """Each forfeits every match for its own reason, and the honest ones play theirs to the end."""
    bots = [
        "random",
        "greedy",
        bot_option("crashing", "moody.py", place, HOW="crash"),
        bot_option("illegal", "raw.py", place, HOW="illegal"),
        bot_option("asleep", "moody.py", place, HOW="asleep"),
        bot_option("absent", "moody.py", place, HOW="absent"),
    ]
    words = settings(*QUICK, *FEW, bots=bots, players=6)

    started = time.monotonic()
    told = run_to_end("tournament", "--out", place / NAME, *words, "--unfit", "enter")
    assert told.code == DONE, told.err
    assert time.monotonic() - started < 100.0  # alone it takes a few seconds
    assert "these bots cannot play:\n  absent: the process exited with code 1" in told.err

    board = leaderboard(place / NAME)
    assert board["matches"] == 2
    assert board["parked"] == []
    for name, (fault, detail, printed) in FAULTS.items():
        bot = board["bots"][name]
        assert bot["forfeits"] == bot["matches"] == 2
        assert {kind for kind, count in bot["faults"].items() if count} == {fault}
        reason = bot["reasons"][0]
        assert {each["fault"] for each in bot["reasons"]} == {fault}
        assert detail in reason["detail"]
        shown = to_end("show", place / NAME, "--bot", name)
        assert f"{fault}: {reason['detail']}" in shown
        assert printed in shown
        assert f", {name}: {fault}" in told.err
    for name in ("random", "greedy"):
        bot = board["bots"][name]
        assert (bot["forfeits"], sum(bot["faults"].values())) == (0, 0)
        assert bot["rank"] <= 2
    for match in matches(place / NAME):
        ranks = dict(zip(match.fixture.bots, match.report.ranks, strict=True))
        assert {ranks[name] for name in FAULTS} == {3}
        assert max(ranks["random"], ranks["greedy"]) <= 2
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}
    check_ratings(place / NAME)


@pytest.mark.slow
def test_left_out(place):
    """With --unfit leave-out, a bot that does not start is told, and the others play without it."""
    words = settings(bots=["random", "greedy", "name=g2,builtin=greedy", GONE], rounds=1)
    told = run_to_end("tournament", "--out", place / NAME, *words, "--unfit", "leave-out")
    assert told.code == DONE, told.err
    assert "absent: the process exited with code 1" in told.err
    board = leaderboard(place / NAME)
    assert set(board["bots"]) == {"random", "greedy", "g2"}
    assert board["matches"] == 3
    finish(place)


@pytest.mark.slow
def test_a_bot_that_is_not_what_it_was(place):
    """In another version a bot is refused; if it no longer starts, it forfeits where it may."""
    (place / "version").write_text("1.0")
    mood = {"HOW": "absent", "WHILE": place / "away", "VERSION_FILE": place / "version"}
    moody = bot_option("moody", "moody.py", place, **mood)
    words = settings(*FEW, bots=["random", "greedy", moody])
    begun = tournament(place, *words, "-j", 1, ARENA_FAIL_POINT="after commit:1")
    complete(begun, -signal.SIGKILL)

    (place / "version").write_text("2.0")
    refused = run_to_end("tournament", place / NAME)
    assert refused.code == BAD_INPUT
    assert refused.err.splitlines()[-1] == (
        "arena: bot moody is version '2.0' now, but its matches were played by version '1.0': "
        "start that one, or begin another tournament"
    )
    assert len(matches(place / NAME)) == 1

    (place / "version").write_text("1.0")
    (place / "away").touch()
    to_end("tournament", place / NAME, "--unfit", "enter")
    bot = leaderboard(place / NAME)["bots"]["moody"]
    assert (bot["forfeits"], bot["faults"]["no_start"], bot["version"]) == (1, 1, "1.0")
    assert "I would rather not" in bot["reasons"][0]["detail"]
    assert [match.report.forfeits.count(None) for match in matches(place / NAME)] == [3, 2]
    check_ratings(place / NAME)
