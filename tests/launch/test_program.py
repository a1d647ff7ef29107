from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from arena.errors import InputError
from arena.launch.program import bot_command, find_program
from tests.launch.conftest import command


def make(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, newline="")
    path.chmod(mode)
    return path


def test_a_name_with_a_slash_is_relative_to_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With or without a directory of its own, and also when that is itself relative."""
    program = make(tmp_path / "sub" / "bot")
    monkeypatch.chdir(tmp_path)
    for name, place in (("./bot", tmp_path / "sub"), ("./bot", Path("sub")), ("sub/bot", None)):
        found = find_program(replace(command(name), dir=place))
        assert Path(found).is_absolute()
        assert Path(found).samefile(program)


def test_any_other_name_is_looked_up(tmp_path: Path) -> None:
    """PATH is that of the bot."""
    program = make(tmp_path / "bin" / "bot")
    path = {"PATH": f"/bin:{program.parent}"}
    assert find_program(command("bot"), path) == str(program)
    with pytest.raises(InputError, match=r"no program bot in PATH; write \./bot for the one in"):
        find_program(replace(command("bot"), dir=program.parent), {"PATH": "/bin"})


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("./gone", r"there is no program .*/gone$"),
        ("./plain", r"plain is not executable: chmod \+x it, or name its interpreter$"),
        ("./dir", r"dir is a directory, not a program$"),
        ("./plain/x", r"there is no program|Not a directory"),
        ("./typo", r"typo begins with #!/usr/bin/pyhton, which does not exist$"),
        ("./windows", r"windows has Windows line endings"),
        ("./nothing", r"begins with #!nothing"),
        ("./" + "x" * 300, r"File name too long$"),
        ("./loop", r"no program|Too many levels"),
        ("gone", r"there is no program gone in PATH$"),
    ],
)
def test_what_cannot_be_run_is_told(tmp_path: Path, name: str, told: str) -> None:
    """Each reason by its name."""
    make(tmp_path / "plain", mode=0o644)
    make(tmp_path / "typo", "#!/usr/bin/pyhton -u\n")
    make(tmp_path / "windows", "#!/bin/sh\r\necho\r\n")
    make(tmp_path / "nothing", "#!\n")
    (tmp_path / "dir").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match=told):
        find_program(replace(command(name), dir=tmp_path))


def test_the_directory_must_be_one(tmp_path: Path) -> None:
    """A bot's directory that is missing or a file is told before the program."""
    file = make(tmp_path / "file")
    with pytest.raises(InputError, match=r"its directory .*/gone does not exist"):
        find_program(replace(command("true"), dir=tmp_path / "gone"))
    with pytest.raises(InputError, match=r"its directory .*/file is not a directory"):
        find_program(replace(command("true"), dir=file))


def test_a_connected_bot_has_no_command() -> None:
    """To start one is a mistake of the caller."""
    with pytest.raises(ValueError, match="nothing to start"):
        bot_command(BotSpec("far", connected=True))


def test_a_bridged_program_is_looked_up_before_its_bridge_starts(tmp_path: Path) -> None:
    """What is started is this Python; what is missing is the program."""
    make(tmp_path / "bot")
    spec = BotSpec("old", stdio=("./bot", "-v"), dir=tmp_path, memory_mb=64)
    assert find_program(spec) == sys.executable
    bridge = (sys.executable, "-P", "-m", "arena", "bridge", "--memory-mb", "64")
    assert bot_command(spec) == (*bridge, "--", "./bot", "-v")
    with pytest.raises(InputError, match=r"^there is no program .*/gone$"):
        find_program(replace(spec, stdio=("./gone",)))


@pytest.mark.slow
def test_a_bridge_is_not_led_astray_by_the_bots_files(tmp_path: Path) -> None:
    """It runs in the bot's directory, where files may be called like modules."""
    for name in ("json.py", "arena.py", "signal.py"):
        (tmp_path / name).write_text("raise SystemExit('led astray')")
    words = bot_command(BotSpec("old", stdio=("--help",)))
    arguments = [word for word in words if word != "--"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: arena bridge")
