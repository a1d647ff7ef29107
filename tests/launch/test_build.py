from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from arena.errors import BuildError, InputError
from arena.launch.build import BuildWatcher, build_bot
from tests.launch.conftest import command
from tests.marks import marked

SPEC = command("true")


async def test_commands_run_in_order_in_the_bots_directory(tmp_path: Path) -> None:
    """Output comes back, each command announced."""
    commands = (("sh", "-c", "echo one; echo $X > a"), ("cat", "a"))
    spec = replace(SPEC, dir=tmp_path, env={"X": "two"}, build=commands)
    assert await build_bot(spec) == "$ sh -c 'echo one; echo $X > a'\none\n$ cat a\ntwo\n"


async def test_a_failing_command_shows_what_it_printed(tmp_path: Path) -> None:
    """The error names bot, command and ending, and carries the output; the rest is not run."""
    commands = (("sh", "-c", "echo oh; echo no >&2; exit 2"), ("touch", "later"))
    with pytest.raises(BuildError) as caught:
        await build_bot(replace(SPEC, dir=tmp_path, build=commands))
    assert str(caught.value).startswith("building it failed: `sh -c ")
    assert "exited with code 2\noh\nno" in str(caught.value)
    assert caught.value.printed == ("oh", "no")
    assert not (tmp_path / "later").exists()


async def test_a_hanging_command_is_ended(mark: str) -> None:
    """Building has a time limit, and nothing of it is left behind."""
    before = time.monotonic()
    with pytest.raises(BuildError, match=r"longer than the limit of 0\.2 seconds"):
        await build_bot(
            replace(SPEC, build=(("true",), ("sh", "-c", "trap '' TERM; sleep 600 & sleep 600"))),
            limit_s=0.2,
        )
    assert time.monotonic() - before < 5.0
    assert not marked(mark)


async def test_a_missing_program_is_named() -> None:
    """A build command must exist, too."""
    with pytest.raises(InputError, match="there is no program no-such-tool in PATH"):
        await build_bot(replace(SPEC, build=(("no-such-tool", "x"),)))


class Recorder(BuildWatcher):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def begun(self, spec: BotSpec) -> None:
        self.told.append(f"begun {spec.name}")

    def printed(self, spec: BotSpec, chunk: bytes) -> None:
        self.told.append(chunk)

    def ended(self, spec: BotSpec, elapsed_s: float, *, is_built: bool) -> None:
        assert elapsed_s > 0.0
        self.told.append(f"ended {spec.name}, {is_built}")


@pytest.mark.parametrize(("program", "is_built"), [("true", True), ("false", False)])
async def test_a_watcher_is_told(program: str, is_built: bool) -> None:
    """Start, output and end of a build are told, however it ends."""
    watcher = Recorder()
    try:
        await build_bot(replace(SPEC, build=(("echo", "x"), (program,))), watcher=watcher)
    except BuildError:
        assert not is_built
    told = ["begun mine", b"$ echo x\n", b"x\n", f"$ {program}\n".encode()]
    assert watcher.told == [*told, f"ended mine, {is_built}"]
