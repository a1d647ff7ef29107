from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.starter import project as making
from arena.starter.languages import CLIENTS, get_language, languages
from arena.starter.project import Project, make_project

VALUES = {"name": "mine", "arena": "arena", "python": "python3"}


def planned(directory: Path, language: str = "python", game: str | None = None) -> Project:
    return Project(get_language(language), directory, game, VALUES)


def content(directory: Path) -> dict[str, bytes]:
    paths = [path for path in directory.rglob("*") if path.is_file()]
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("game", [None, "byzanz", "schwarzmarkt"])
@pytest.mark.parametrize("language", [language.name for language in languages()])
def test_a_project_is_whole_and_nothing_but_files(tmp_path, language, game):
    """Every place is filled in, no link leads out, and no product of a build came along."""
    make_project(planned(tmp_path / "new", language, game))
    made = content(tmp_path / "new")

    for key in (b"name", b"game", b"plays"):
        assert not [place for place, text in made.items() if b"{{%s}}" % key in text]
    assert not [path for path in (tmp_path / "new").rglob("*") if path.is_symlink()]
    assert not {"target", "node_modules", "build", "dist", "__pycache__"} & {
        part for place in made for part in place.split("/")
    }
    assert b"[bots.mine]" in made["bots.toml"]
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.parametrize("language", [language.name for language in languages()])
def test_the_readme_speaks_of_the_game(tmp_path, language):
    """Its commands play the game that the project was made for."""
    make_project(planned(tmp_path / "new", language, "schwarzmarkt"))
    readme = (tmp_path / "new" / "README.md").read_text()

    assert "arena match schwarzmarkt " in readme
    assert "arena match byzanz " not in readme


def test_samples_are_messages_of_the_game(tmp_path):
    """They are those of the conformance tests: in binary, or on one line of JSON."""
    make_project(planned(tmp_path / "a", "python", "schwarzmarkt"))
    make_project(planned(tmp_path / "b", "bash"))
    golden = CLIENTS / "conformance" / "golden"

    binary = (tmp_path / "a" / "samples" / "decisions.binpb").read_bytes()
    assert binary == (golden / "schwarzmarkt-decisions.binpb").read_bytes()
    line = (tmp_path / "b" / "samples" / "match-started.json").read_text()
    assert line.count("\n") == 1
    assert '"byzanz"' in line


def test_programs_stay_programs(tmp_path, monkeypatch):
    """What may be executed in a template may be executed in the project, by whom umask lets."""
    sources = tmp_path / "sources"
    sources.mkdir()
    for name, mode in (("run", 0o755), ("text", 0o644)):
        (sources / name).write_text(name)
        (sources / name).chmod(mode)
    files = {name: sources / name for name in ("run", "text")}
    monkeypatch.setattr(making, "template_files", lambda language, game: files)
    before = os.umask(0o027)
    try:
        make_project(planned(tmp_path / "new"))
    finally:
        os.umask(before)

    assert (tmp_path / "new" / "run").stat().st_mode & 0o777 == 0o750
    assert (tmp_path / "new" / "text").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o750


def test_an_empty_directory_is_filled_and_stays_itself(tmp_path):
    """A shell that is in the directory sees the project there."""
    empty = tmp_path / "empty"
    empty.mkdir()
    before = empty.stat().st_ino
    make_project(planned(empty))

    assert empty.stat().st_ino == before
    assert "my_bot.py" in content(empty)
    assert not list(empty.glob(".arena-init*"))


def test_directories_on_the_way_are_made(tmp_path):
    """The project may lie deeper than what is there."""
    make_project(planned(tmp_path / "a" / "b"))

    assert "my_bot.py" in content(tmp_path / "a" / "b")


def test_what_is_in_the_way_is_named_and_left_alone(tmp_path):
    """A directory with anything in it is refused."""
    for number in range(7):
        (tmp_path / f"file-{number}").touch()
    before = content(tmp_path)
    with pytest.raises(InputError, match=r"is not empty \(file-0, .*file-4 and 2 more\)"):
        make_project(planned(tmp_path))

    assert content(tmp_path) == before


def test_a_file_of_that_name_is_in_the_way(tmp_path):
    """A project cannot be made where a file is."""
    (tmp_path / "mine").touch()
    with pytest.raises(InputError, match="mine: a file of that name exists"):
        make_project(planned(tmp_path / "mine"))


@pytest.mark.parametrize("is_there", [False, True])
def test_nothing_is_left_of_a_project_that_cannot_be_written(tmp_path, monkeypatch, is_there):
    """A disk that is full in the middle leaves what was there before."""
    if is_there:
        (tmp_path / "mine").mkdir()
    write, count = Path.write_bytes, 0

    def write_some(path: Path, data: bytes) -> int:
        nonlocal count
        count += 1
        if count > 3:
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_some)
    with pytest.raises(InputError, match="mine: cannot be written: No space left on device"):
        make_project(planned(tmp_path / "mine"))

    assert list(tmp_path.rglob("*")) == ([tmp_path / "mine"] if is_there else [])


def test_an_interrupted_move_is_taken_back(tmp_path, monkeypatch):
    """In a directory that was there, all files appear or none."""
    rename, count = Path.rename, 0

    def rename_some(path: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count == 4:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", rename_some)
    with pytest.raises(KeyboardInterrupt):
        make_project(planned(tmp_path))

    assert not list(tmp_path.iterdir())
