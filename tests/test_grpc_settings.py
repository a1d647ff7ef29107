"""gRPC's event engine is off in the arena and in the Python SDK, and nobody else notices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from arena import grpc_settings
from arena.grpc_settings import LAST_KNOWN, VARIABLE, WITHOUT_EVENT_ENGINE

# A server and a client in one process; what gRPC then traces names the source files it runs.
CONNECT = """
import {modules}
import os, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
import grpc
server = grpc.server(ThreadPoolExecutor(1))
with tempfile.TemporaryDirectory() as directory:
    server.add_insecure_port(f"unix:{{directory}}/s")
    server.start()
    with grpc.insecure_channel(f"unix:{{directory}}/s") as channel:
        grpc.channel_ready_future(channel).result(30)
    server.stop(None).wait()
print(os.environ.get("GRPC_EXPERIMENTS"))
"""
POLLER = "tcp_posix.cc"  # of the event engine it is never one


def run(text: str, **variables: str) -> subprocess.CompletedProcess[str]:
    given = {name: value for name, value in os.environ.items() if not name.startswith("GRPC_")}
    return subprocess.run(
        [sys.executable, "-c", text],
        env=given | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def connect(modules: str, **variables: str) -> tuple[str, bool]:
    """Return what GRPC_EXPERIMENTS is at the end, and whether gRPC went without the engine."""
    traced = {"GRPC_VERBOSITY": "DEBUG", "GRPC_TRACE": "tcp"}
    done = run(CONNECT.format(modules=modules), **traced, **variables)
    return done.stdout.strip(), POLLER in done.stderr


def test_this_version_of_grpc_knows_the_settings():
    """It complains of names that it does not know, and must not complain of these."""
    unknown = "Unknown experiment"
    assert unknown in run("import grpc", **{VARIABLE: "-no_such_thing"}).stderr, (
        f"grpcio {grpc.__version__} does not report unknown experiments as it used to: find out "
        "how it does now, or whether it has experiments at all"
    )
    complaint = run("import grpc", **{VARIABLE: WITHOUT_EVENT_ENGINE}).stderr
    assert unknown not in complaint, (
        f"grpcio {grpc.__version__} has dropped {WITHOUT_EVENT_ENGINE}, and the event engine with "
        f"its thread switches cannot be left: measure (make bench), and remove grpc_settings.py\n"
        f"{complaint}"
    )
    assert grpc_settings.is_known(), (
        f"grpcio {grpc.__version__} is newer than {LAST_KNOWN}, so that the event engine is on; "
        "it knows the names still: raise LAST_KNOWN in grpc_settings.py"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["arena.server.app", "arena.client.lasting_session", "arena.examine.scripted"]
)
def test_the_arena_goes_without_the_event_engine(module):
    """Whatever loads gRPC first, and no variable is left behind."""
    assert connect(module) == ("None", True)


@pytest.mark.slow
def test_bots_of_the_sdk_go_without_the_event_engine():
    """As the arena does."""
    assert connect("arena_client") == ("None", True)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["arena.server", "arena_client"])
def test_what_a_person_has_set_stays(module):
    """Even if it is set to nothing: that is how to have the event engine back."""
    assert connect(module, **{VARIABLE: ""}) == ("", False)


@pytest.mark.slow
def test_grpc_that_is_loaded_already_stays_as_it_is():
    """A program that imports gRPC before the SDK plays all the same."""
    assert connect("grpc, arena_client") == ("None", False)


def test_later_versions_are_left_alone(monkeypatch):
    """They may have dropped the names, and would complain in every bot's log."""
    monkeypatch.setattr(grpc_settings, "LAST_KNOWN", (1, 79))
    assert not grpc_settings.is_known()


def test_a_grpc_that_is_not_there_or_looks_different(monkeypatch, tmp_path):
    """Without a version there is nothing to set."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    (tmp_path / "grpc").mkdir()
    for file, text in (("__init__.py", ""), ("_grpcio_metadata.py", "version = None")):
        assert not grpc_settings.is_known()
        Path(tmp_path / "grpc" / file).write_text(text)
    assert not grpc_settings.is_known()
