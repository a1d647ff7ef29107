from __future__ import annotations

import os
import subprocess
import sys

import pytest

from clients.conformance.sdks import (
    COMMANDS,
    PROGRAMS,
    SERIES,
    SdkError,
    build,
    chosen_names,
    is_built,
    is_stale,
    missing,
    read_sdks,
    resolve,
    run,
)
from tests.sdks import NAMES, built

LANGUAGES = ("python", "cpp", "go", "java", "rust", "typescript")

DESCRIPTION = """
title = "Toy"

[[needs]]
program = "{program}"
version = ["{program}", "--version"]
at_least = "{at_least}"
install = "the toy kit"

[commands]
build = [["sh", "-c", "cat source.txt >> build/made.txt"]]
test = [["sh", "-c", "echo out; echo error >&2; exit 3"]]
lint = []
generate = [["sh", "-c", "cp source.txt made.gen"]]

[generated]
files = ["*.gen"]

[programs]
{programs}

[library]
directory = "sdk"
files = ["source.txt"]
"""


@pytest.fixture
def toy(tmp_path):
    """Return a function that describes a small SDK and reads it."""

    def make(program=sys.executable, at_least="3.0"):
        (tmp_path / "toy").mkdir(exist_ok=True)
        programs = "\n".join(f'{name} = ["{{python}}", "{name}"]' for name in PROGRAMS)
        text = DESCRIPTION.format(program=program, at_least=at_least, programs=programs)
        (tmp_path / "toy" / "sdk.toml").write_text(text)
        (tmp_path / "toy" / "source.txt").write_text("one\n")
        [sdk] = read_sdks(tmp_path)
        return sdk

    return make


def test_all_languages_are_there():
    """Every SDK of the repository can be read, Python's first, with all commands and programs."""
    assert NAMES == LANGUAGES
    for sdk in read_sdks():
        assert set(sdk.commands) == set(COMMANDS)
        assert set(sdk.programs) - {SERIES} == set(PROGRAMS)
        assert sdk.library_files


def test_a_wrong_description_names_its_file(toy, tmp_path):
    """What is missing is told with the place."""
    path = toy().directory / "sdk.toml"
    path.write_text(path.read_text().replace("title", "tilte"))
    with pytest.raises(SdkError, match=r"toy/sdk\.toml: KeyError\('title'\)"):
        read_sdks(tmp_path)


def test_langs_chooses(toy):
    """LANGS names languages, with spaces or commas; nothing means all, a wrong one is told."""
    assert chosen_names({}) is chosen_names({"LANGS": " "}) is None
    assert chosen_names({"LANGS": "go, rust"}) == {"go", "rust"}
    with pytest.raises(SdkError, match=r"there is no SDK 'cobol'.*python"):
        chosen_names({"LANGS": "go cobol"})


def test_what_is_missing_is_one_line(toy):
    """A program that is not there or too old is told with what to install."""
    assert missing(toy()) is None
    assert missing(toy("no-such-program")) == (
        "Toy: no-such-program is missing: install the toy kit"
    )
    lacking = missing(toy(at_least="99.1"))
    assert lacking is not None
    assert lacking.endswith("too old: install the toy kit")


def test_building_once(toy):
    """What is built is built again only after a change of its sources."""
    sdk = toy()
    made = sdk.directory / "build" / "made.txt"
    assert not is_built(sdk)
    assert build(sdk)
    assert is_built(sdk)
    assert not build(sdk)
    assert made.read_text() == "one\n"
    (sdk.directory / "source.txt").write_text("two\n")
    assert not is_built(sdk)
    assert build(sdk)
    assert made.read_text() == "one\ntwo\n"


def test_a_failure_shows_the_output(toy):
    """A command that fails is told with all that it printed, and where."""
    with pytest.raises(SdkError) as caught:
        run(toy(), "test")
    assert "in clients/toy failed with 3\nout\nerror" in str(caught.value)


def test_stale_stubs_are_found_and_left_alone(toy):
    """Generated files that differ are named; they stay as they were."""
    sdk = toy()
    stub = sdk.directory / "made.gen"
    assert is_stale(sdk) == ["clients/toy/made.gen"]
    assert not stub.exists()
    stub.write_text("old\n")
    os.utime(stub, (1, 1))
    assert is_stale(sdk) == ["clients/toy/made.gen"]
    assert (stub.read_text(), stub.stat().st_mtime) == ("old\n", 1)  # nothing is built again
    stub.write_text("one\n")
    assert is_stale(sdk) == []


def test_python_in_a_command():
    """{python} stands for this Python."""
    assert resolve(("{python}", "-m", "x")) == [sys.executable, "-m", "x"]


@pytest.mark.slow
def test_the_script_passes_over_what_is_missing(monkeypatch):
    """Without a toolchain one line says what to install; with ARENA_REQUIRE_ALL it is an error."""
    command = [sys.executable, "scripts/sdk", "build", "go"]
    for required, code in (("", 0), ("1", 1)):
        monkeypatch.setenv("ARENA_REQUIRE_ALL", required)
        monkeypatch.setenv("PATH", "/nonexistent")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert done.stderr.splitlines() == ["skipped Go: go is missing: install Go 1.23 or newer"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "python"])
def test_unit_tests(name):
    """The SDK's own unit tests pass, in its language's own test runner."""
    run(built(name), "test")
