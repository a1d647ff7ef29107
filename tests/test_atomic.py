from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from arena import atomic
from arena.atomic import lone_writer, replace_files, sweep_partials
from arena.errors import ResultsError


def names(directory) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


class TestReplaceFiles:
    @pytest.mark.parametrize("count", [1, 40])
    def test_they_are_there(self, tmp_path, count):
        """Few or many, the files say what they should, and nothing is left beside them."""
        contents = {f"{number}.jsonl": b"%d" % number for number in range(count)}
        replace_files(tmp_path / "new", contents)
        replace_files(tmp_path / "new", contents)

        found = {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()}
        assert found == contents

    def test_all_or_nothing(self, tmp_path):
        """If one file cannot be written none is replaced, and the error names it."""
        (tmp_path / "a").write_text("old")
        with pytest.raises(ResultsError, match=r"b/c: cannot be written"):
            replace_files(tmp_path, {"a": b"new", "b/c": b"new"})

        assert (tmp_path / "a").read_text() == "old"
        assert names(tmp_path) == ["a"]

    def test_the_last_moment(self, tmp_path):
        """Before the first file is replaced all are written."""
        seen = []
        (tmp_path / "a").write_text("old")

        def look() -> None:
            seen.append((tmp_path / "a").read_text())
            seen.append(len(names(tmp_path)))

        replace_files(tmp_path, {"a": b"new", "b": b"new"}, look)

        assert seen == ["old", 3]
        assert (tmp_path / "a").read_text() == "new"

    def test_a_directory_in_the_way(self, tmp_path):
        """What cannot be replaced is named with the reason."""
        (tmp_path / "a").mkdir()
        with pytest.raises(ResultsError, match=r"/a: cannot be written: Is a directory"):
            replace_files(tmp_path, {"a": b"new"})

        assert names(tmp_path) == ["a"]


class TestSweepPartials:
    def test_a_killed_writer(self, tmp_path):
        """What a process was killed over is removed by the next."""
        script = (
            "import os, signal, sys\n"
            "from pathlib import Path\n"
            "from arena.atomic import replace_files\n"
            "die = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
            "replace_files(Path(sys.argv[1]), {'a': b'1', 'b': b'2'}, die)\n"
        )
        subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
        assert len(names(tmp_path)) == 2
        (tmp_path / "a").write_text("sound")
        sweep_partials(tmp_path)

        assert names(tmp_path) == ["a"]

    def test_the_files_of_others(self, tmp_path):
        """Those of live processes stay, and those of other machines for a day."""
        host = atomic._HOST
        for name in (f".a.{host}.{os.getppid()}.partial", ".a.elsewhere.1.partial"):
            (tmp_path / name).write_text("{")
        kept = names(tmp_path)
        (tmp_path / ".a.elsewhere.2.partial").write_text("{")
        os.utime(tmp_path / ".a.elsewhere.2.partial", (0, 0))
        (tmp_path / f".b.{host}.{os.getpid()}.partial").write_text("{")
        sweep_partials(tmp_path)

        assert names(tmp_path) == kept

    def test_no_directory(self, tmp_path):
        """Where there is nothing there is nothing to do."""
        sweep_partials(tmp_path / "nowhere")

        assert names(tmp_path) == []


def test_one_writer_at_a_time(tmp_path):
    """A second writer waits for the first."""
    order = []
    inside, waiting = threading.Event(), threading.Event()

    def second() -> None:
        inside.wait()
        waiting.set()
        with lone_writer(tmp_path):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with lone_writer(tmp_path):
        inside.set()
        waiting.wait()
        order.append("first")
    thread.join()

    assert order == ["first", "second"]
