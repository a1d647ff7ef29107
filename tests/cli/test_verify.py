from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recorded import SHORT


@pytest.fixture
def wrong(replays: dict[str, Path], tmp_path: Path) -> Path:
    """A replay whose line 5 is wrong."""
    lines = replays["byzanz"].read_text().splitlines(keepends=True)
    file = tmp_path / "wrong.jsonl"
    file.write_text("".join([*lines[:4], lines[4].replace('"seat":', '"seat":1'), *lines[5:]]))
    return file


def test_a_sound_replay(run, replays):
    """A replay that agrees with the rules and its seed is ok."""
    for name, file in replays.items():
        moves = file.read_text().count('"type":"move"')
        done = run("verify", file)
        assert (done.code, done.err) == (0, "")
        assert done.out == (
            f"{file}: ok, {name}, {moves} moves, set-up and chance derived from the seed\n"
        )


def test_a_constructed_deal(run, replays):
    """Without a seed there is nothing to derive, and verify says so."""
    lines = replays["schwarzmarkt"].read_text().splitlines(keepends=True)
    head = json.loads(lines[0]) | {"seed": None}
    replays["schwarzmarkt"].write_text("".join([json.dumps(head) + "\n", *lines[1:]]))
    done = run("verify", replays["schwarzmarkt"])

    assert done.code == 0
    assert "no seed to derive set-up and chance from: rules checked only" in done.out


def test_a_wrong_replay(run, wrong):
    """The file, the line and the reason are named, and the exit code is 1."""
    done = run("verify", wrong)

    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(f"{wrong}:5: seat ")
    assert done.out.count("\n") == 1


def test_several_files(run, replays, wrong):
    """Every file is checked, whatever is wrong with those before."""
    done = run("verify", wrong, *replays.values())

    assert done.code == 1
    assert [line.split(": ")[1][:3] for line in done.out.splitlines()] == ["sea", "ok,", "ok,"]


def test_a_directory(run, replays, wrong, tmp_path):
    """A directory stands for all *.jsonl files below it, in order."""
    deeper = tmp_path / "deeper" / "still"
    deeper.mkdir(parents=True)
    replays["byzanz"].rename(deeper / "byzanz.jsonl")
    (tmp_path / "notes.txt").write_text("not a replay")
    done = run("verify", tmp_path)

    assert done.code == 1
    assert [line.split(":")[0] for line in done.out.splitlines()] == [
        str(deeper / "byzanz.jsonl"),
        str(replays["schwarzmarkt"]),
        str(wrong),
    ]


def test_quiet(run, replays, wrong):
    """With --quiet only what is wrong is printed."""
    assert run("verify", "--quiet", *replays.values()) == (0, "", "")
    done = run("verify", "--quiet", *replays.values(), wrong)
    assert done.code == 1
    assert done.out.startswith(f"{wrong}:5: ")
    assert done.out.count("\n") == 1


def test_json(run, replays, wrong):
    """With --json there is an object a file."""
    done = run("verify", "--json", replays["byzanz"], wrong)
    sound, other = map(json.loads, done.out.splitlines())

    assert done.code == 1
    assert sound == {
        "file": str(replays["byzanz"]),
        "ok": True,
        "game": "byzanz",
        "match": f"m{SHORT['byzanz']}",
        "moves": replays["byzanz"].read_text().count('"type":"move"'),
        "derived": True,
    }
    assert list(other) == ["file", "ok", "line", "problem"]
    assert (other["ok"], other["line"]) == (False, 5)


class TestExitCodes:
    def test_a_missing_file(self, run, tmp_path):
        """A file that cannot be opened is bad input."""
        done = run("verify", tmp_path / "nowhere.jsonl")

        assert (done.code, done.out) == (2, "")
        assert done.err == (
            f"arena: {tmp_path / 'nowhere.jsonl'}: cannot be read: No such file or directory\n"
        )

    @pytest.mark.parametrize("first", [True, False])
    def test_a_missing_file_among_wrong_ones(self, run, wrong, tmp_path, first):
        """Bad input outweighs a wrong replay, wherever it stands; the others are still checked."""
        files = [tmp_path / "nowhere", wrong] if first else [wrong, tmp_path / "nowhere"]
        done = run("verify", *files)

        assert done.code == 2
        assert done.out.startswith(f"{wrong}:5: ")
        assert done.err.count("\n") == 1

    def test_a_directory_without_replays(self, run, tmp_path, replays):
        """A directory in which there is nothing to verify is bad input."""
        empty = tmp_path / "empty"
        empty.mkdir()
        done = run("verify", empty)

        assert (done.code, done.out) == (2, "")
        assert done.err == f"arena: {empty}: no *.jsonl replay in this directory\n"

    def test_an_empty_directory_among_files(self, run, tmp_path, replays):
        """The other files are still checked."""
        empty = tmp_path / "empty"
        empty.mkdir()
        done = run("verify", empty, *replays.values())

        assert done.code == 2
        assert done.out.count(": ok, ") == 2

    @pytest.mark.parametrize("content", [b"", b"\x00" * 50, b"\xff\xfe\x00", b"text\n"])
    def test_a_file_of_another_kind(self, run, tmp_path, content):
        """A file that is no replay is a wrong replay."""
        file = tmp_path / "x.jsonl"
        file.write_bytes(content)
        done = run("verify", file)

        assert (done.code, done.err) == (1, "")
        assert done.out.startswith(f"{file}:1: ")

    def test_no_file(self, run):
        """Without a file there is nothing to do."""
        assert run("verify").code == 2
