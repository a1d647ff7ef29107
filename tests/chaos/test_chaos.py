"""A small part of every scenario of `make chaos`, which runs them in full."""

from __future__ import annotations

import asyncio

import pytest

from tests.chaos.scenario import Run, play
from tests.chaos.scenarios import ALL
from tests.chaos.session_target import take
from tests.integration.nonsense import corpus
from tests.requirements import skip_lacking

SHORT = [name for name in ALL if name not in {"clock", "postgres"}]
"""Those two take longest: `make test` restarts PostgreSQL once, in tests/e2e."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_nothing_is_wrong_afterwards(name):
    """What a scenario does harms nobody but whom it is done to, and nothing is left."""
    run = play(name, ALL[name], is_short=True, seed=14)
    if not run.done[:-1]:  # but how long it took
        skip_lacking("; ".join(run.skipped))
    assert not run.wrong


def test_a_failure_is_a_finding(capsys):
    """What a scenario raises or finds is part of its account, and does not end the others."""

    def fail(run: Run) -> None:
        run.check(False, "one thing")
        (run.place / "arena-left").mkdir()
        raise AssertionError("another")

    run = play("failing", fail, is_short=True, seed=0)
    assert [text.partition(":")[0] for text in run.wrong] == [
        "one thing",
        "AssertionError at fail",
        "files left behind",
    ]
    assert "WRONG: one thing" in capsys.readouterr().out


async def test_an_arena_takes_the_whole_corpus():
    """Every kept message is taken or refused properly; among them are all kinds."""
    await asyncio.sleep(0)  # within a loop, as sessions are
    assert {take(data) for data in corpus()} == {"live", "ended", "refused"}
