from __future__ import annotations

import pytest

from arena.client import bot_session


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "required: NAME"),
        (("nobody",), "unknown bot 'nobody' (there are: random, greedy, planner, searcher)"),
        (("searcher:iterations=x",), "iterations"),
        (("random",), "no address: set ARENA_ADDRESS or give --server HOST:PORT or unix:PATH"),
        (("random", "--server", "nowhere"), "'nowhere' must be HOST:PORT or unix:PATH"),
        (("random", "--server", "a b:1"), "'a b:1' must be HOST:PORT or unix:PATH"),
        (("random", "--server", "host:65536"), "must be HOST:PORT or unix:PATH"),
        (("random", "--server", "unix:"), "'unix:' must be HOST:PORT or unix:PATH"),
        (("random", "--server", "http://host:1"), "must be HOST:PORT or unix:PATH"),
        (("random", "--max-matches", "0", "--server", "x:1"), "--max-matches must be 1 to"),
        (("random", "--max-matches", "-3", "--server", "x:1"), "--max-matches must be 1 to"),
        (("random", "--max-matches", "many", "--server", "x:1"), "invalid int value: 'many'"),
    ],
)
def test_bad_usage(run, arguments, reason):
    """Whatever is wrong is said before anything is dialled."""
    done = run("bot", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert "Traceback" not in done.err


def test_a_missing_authority(run, monkeypatch, tmp_path):
    """A TLS file that cannot be read is named."""
    monkeypatch.setenv("ARENA_CA_FILE", str(tmp_path / "ca.pem"))
    done = run("bot", "random", "--server", "127.0.0.1:1")
    assert done.code == 2
    assert f"{tmp_path}/ca.pem: cannot be read: No such file or directory" in done.err


def test_no_arena_there(run, monkeypatch, tmp_path):
    """It tries for a while, then gives up with 3: it may be started again later."""
    monkeypatch.setattr(bot_session, "_DIAL_FOR_S", 0.2)
    done = run("bot", "random", "--server", f"unix:{tmp_path}/nobody")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"arena: no arena at unix:{tmp_path}/nobody: ")
    assert len(done.err.splitlines()) == 1
