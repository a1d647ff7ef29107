from __future__ import annotations

import subprocess
import sys

import pytest

from arena.cli.web_beside import WEB_TOKEN, gallery_beside
from arena.errors import InputError
from arena.server.auth import hash_token

pytestmark = pytest.mark.slow

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


def test_the_organisers_token_is_not_written_where_others_read_it(capfd):
    """It comes from the environment, and a new one is told on a terminal alone."""
    token = "0123456789abcdef"
    with gallery_beside({WEB_TOKEN: token}) as gallery:
        assert gallery.sha256 == hash_token(token)
        assert gallery.directory.stat().st_mode & 0o077 == 0
    assert not gallery.directory.exists()
    with gallery_beside({}) as gallery:
        said = capfd.readouterr().err
        assert WEB_TOKEN in said
        assert hash_token(said.split()[-1]) != gallery.sha256


def test_a_token_that_can_be_guessed_is_refused():
    """What shows open deals has at least 16 characters."""
    with pytest.raises(InputError, match="at least 16"), gallery_beside({WEB_TOKEN: "boss"}):
        pass
