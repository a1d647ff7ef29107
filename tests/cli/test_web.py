from __future__ import annotations

import subprocess
import sys

import pytest

BUSY = """
import subprocess, sys, time
from arena.cli.web import _end_at_eof
_end_at_eof(sys.argv[1] or None)
subprocess.Popen(["sleep", "60"])
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("is_swept", [True, False])
def test_a_gateway_ends_with_whoever_started_it(tmp_path, is_swept):
    """At once, with its bots and the directory that was made for it, however busy it is."""
    directory = tmp_path / "made"
    directory.mkdir()
    command = [sys.executable, "-c", BUSY, str(directory) if is_swept else ""]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.close()
        assert process.wait(30) in (0, -15)  # which of the two comes first does not matter
        assert process.stdout.read() == ""  # the bot, who has it too, has ended
    assert directory.exists() != is_swept
