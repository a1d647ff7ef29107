from __future__ import annotations

import os
import shutil
import sysconfig
import zipfile
from pathlib import Path

import pytest

from arena.games.registry import BUILT_IN
from arena.starter.files import GAMES, shipped_files
from arena.starter.languages import CLIENTS, get_language, languages
from arena.starter.project import Project, make_game_project, make_project
from arena.starter.toolchain import arena_command, python_command
from arena.web.pages import static_files
from tests.programs import require_success, run_program, run_python

MAKE_ALL = """
import sys
from pathlib import Path
import arena
from arena.cli import main

assert Path(arena.__file__).is_relative_to(sys.argv[1]), arena.__file__
for place in sys.argv[2:]:
    language, game, _ = place.split("/")
    assert main(["init", language, place, *(["--game", game] if game != "any" else [])]) == 0
assert main(["init", "game", "sea_trade"]) == 0
"""


def run(where: Path, *arguments: str) -> None:
    require_success(run_python("-m", *arguments, cwd=where))


def build_wheel(directory: Path) -> Path:
    """Build the wheel of a source distribution of this tree as it is."""
    directory.mkdir()
    run(CLIENTS.parent, "hatchling", "build", "--target", "sdist", "--directory", str(directory))
    (source,) = directory.iterdir()
    require_success(run_program("tar", "-xf", source, cwd=directory))
    (unpacked,) = (path for path in directory.iterdir() if path.is_dir())
    assert (unpacked / "arena" / "wire" / "_encoder.c").exists()
    run(unpacked, "hatchling", "build", "--target", "wheel", "--directory", str(directory))
    (wheel,) = directory.glob("*.whl")
    return wheel


def install(wheel: Path, directory: Path) -> None:
    """Install the wheel in a directory: what may be executed is all that a ZipFile leaves out."""
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            path = Path(archive.extract(info, directory))
            path.chmod(path.stat().st_mode | info.external_attr >> 16 & 0o111)


def check_files(wheel: Path) -> None:
    """Exactly the files that are read come along, whatever else lies about in clients/."""
    prefix, linked = "arena/starter/clients/", "lasting_session.py"
    with zipfile.ZipFile(wheel) as archive:
        everything = set(archive.namelist())
        names = [name for name in archive.namelist() if name.startswith(prefix)]
        shared = archive.read(f"arena/client/{linked}")

    assert shared == (CLIENTS / "python" / "arena_client" / linked).read_bytes()
    assert sorted(names) == sorted(prefix + place for place in shipped_files())
    static = {f"arena/web/static/{path}" for path, _ in static_files(BUILT_IN)}
    assert static | {f"arena/web/rules/{game}.md" for game in BUILT_IN} <= everything
    assert "arena/web/static/match.html" in static


def content(directory: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(directory).as_posix(): (path.read_bytes(), path.stat().st_mode)
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
def test_an_installed_arena_makes_the_same_projects(tmp_path, monkeypatch):
    """Far from a checkout every language and game gives the same files, programs included."""
    monkeypatch.setenv("CC", "no-such-compiler")  # the other test compiles, and that takes long
    monkeypatch.delenv("ARENA_PURE", raising=False)
    wheel = build_wheel(tmp_path / "wheel")
    assert wheel.name.endswith("-py3-none-any.whl")
    check_files(wheel)
    installed = tmp_path / "installed"
    install(wheel, installed)
    monkeypatch.setenv("PATH", str(tmp_path))  # no tool is asked for its version
    places = [
        f"{language.name}/{game}/mine" for language in languages() for game in ("any", *GAMES)
    ]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    require_success(run_python("-c", MAKE_ALL, installed, *places, cwd=tmp_path, env=environment))

    make_game_project(tmp_path / "checkout" / "game", "sea_trade")
    assert content(tmp_path / "sea_trade") == content(tmp_path / "checkout" / "game")
    values = {
        "name": "mine",
        "arena": arena_command(),
        "python": python_command(CLIENTS / "python"),
    }
    for place in places:
        name, game, _ = place.split("/")
        here = tmp_path / "checkout" / place
        make_project(Project(get_language(name), here, None if game == "any" else game, values))
        assert content(tmp_path / place) == content(here), place


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["cc", "false"])
def test_the_encoder_is_compiled_where_there_is_a_compiler(tmp_path, monkeypatch, compiler):
    """Then the wheel is one for this platform; without a compiler it is pure, and no failure."""
    has_headers = Path(sysconfig.get_paths()["include"], "Python.h").exists()
    is_there = compiler == "cc" and shutil.which("cc") is not None and has_headers
    monkeypatch.setenv("CC", compiler)
    monkeypatch.delenv("ARENA_PURE", raising=False)
    run(CLIENTS.parent, "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        modules = [name for name in archive.namelist() if name.endswith(".so")]

    assert wheel.name.endswith("-py3-none-any.whl") is not is_there
    encoder = f"arena/wire/_encoder{sysconfig.get_config_var('EXT_SUFFIX')}"
    assert modules == ([encoder] if is_there else [])
