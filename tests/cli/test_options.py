from __future__ import annotations

import os

from arena.atomic import partial_of
from arena.cli.options import make_directory, write_file


def test_a_directory_is_swept_of_what_a_killed_arena_left(tmp_path):
    """A file that another arena is writing stays."""
    killed = partial_of(tmp_path / "1.jsonl")
    alive = killed.with_name(killed.name.replace(f".{os.getpid()}.", ".1."))
    for path in (killed, alive):
        path.write_text("half")

    make_directory(str(tmp_path))
    write_file(str(tmp_path / "2.jsonl"), "whole\n")

    assert {path.name for path in tmp_path.iterdir()} == {alive.name, "2.jsonl"}
