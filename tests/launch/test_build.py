from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import BuildError, InputError
from arena.launch.build import build_bot
from tests.launch.conftest import Run, command
from tests.marks import marked

SPEC = command("true")


def test_commands_run_in_order_in_the_bots_directory(run: Run, tmp_path: Path) -> None:
    """Output comes back, each command announced."""

    async def work() -> None:
        commands = (("sh", "-c", "echo one; echo $X > a"), ("cat", "a"))
        spec = replace(SPEC, dir=tmp_path, env={"X": "two"}, build=commands)
        assert await build_bot(spec) == "$ sh -c 'echo one; echo $X > a'\none\n$ cat a\ntwo\n"

    run(work())


def test_a_failing_command_shows_what_it_printed(run: Run, tmp_path: Path) -> None:
    """The error names bot, command and ending, and carries the output; the rest is not run."""

    async def work() -> None:
        commands = (("sh", "-c", "echo oh; echo no >&2; exit 2"), ("touch", "later"))
        with pytest.raises(BuildError) as caught:
            await build_bot(replace(SPEC, dir=tmp_path, build=commands))
        assert str(caught.value).startswith("bot mine: building it failed: `sh -c ")
        assert "exited with code 2\noh\nno" in str(caught.value)
        assert caught.value.output.endswith("oh\nno\n")
        assert not (tmp_path / "later").exists()

    run(work())


def test_a_hanging_command_is_ended(run: Run, mark: str) -> None:
    """Building has a time limit, and nothing of it is left behind."""

    async def work() -> None:
        before = time.monotonic()
        with pytest.raises(BuildError, match=r"longer than the 0\.2 seconds"):
            await build_bot(
                replace(
                    SPEC, build=(("true",), ("sh", "-c", "trap '' TERM; sleep 600 & sleep 600"))
                ),
                limit_s=0.2,
            )
        assert time.monotonic() - before < 5.0
        assert not marked(mark)

    run(work())


def test_a_missing_program_is_named(run: Run) -> None:
    """A build command must exist, too."""

    async def work() -> None:
        with pytest.raises(InputError, match="bot mine: there is no program no-such-tool in PATH"):
            await build_bot(replace(SPEC, build=(("no-such-tool", "x"),)))

    run(work())
