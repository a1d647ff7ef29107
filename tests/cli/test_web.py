from __future__ import annotations

import subprocess
import sys

import pytest

BUSY = """
import subprocess, sys, time
from arena.cli.web import _end_at_eof, _own_directory
_end_at_eof(_own_directory(sys.argv[1]))
subprocess.Popen(["sleep", "60"])
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(("name", "is_left"), [("arena-web-1", False), ("mine", True)])
def test_a_gateway_ends_with_whoever_started_it(tmp_path, name, is_left):
    """At once, with its bots and the directory that was made for it, however busy it is."""
    directory = tmp_path / name
    directory.mkdir()
    command = [sys.executable, "-c", BUSY, f"unix:{directory / 'arena'}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.close()
        assert process.wait(30) in (0, -15)  # which of the two comes first does not matter
        assert process.stdout.read() == ""  # the bot, who has it too, has ended
    assert directory.exists() == is_left
