from __future__ import annotations

import sys
from typing import Any

import pytest

from arena.config.tournament import RunSettings
from arena.engines.hosted import HostedEngine
from arena.engines.inline import InlineEngine
from arena.engines.making import make_engine
from arena.engines.workers import WorkersEngine
from arena.errors import InputError
from arena.server.address import Address
from arena.server.dial_in import DialIn
from tests.engines.scaled import a_config, randoms

OPEN = DialIn([Address("unix:/tmp/arena.sock")])
CONNECTED = {**randoms(2), "far": {"connected": True}}


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (RunSettings(), HostedEngine),
        (RunSettings(workers=2), WorkersEngine),
        (RunSettings(engine="inline"), InlineEngine),
        (RunSettings(engine="inline", workers=2), WorkersEngine),
    ],
)
def test_kinds(tmp_path, run: RunSettings, kind: type):
    """Each setting has its engine."""
    assert type(make_engine(a_config(tmp_path, randoms(3)), run)) is kind


def test_one_arena_is_open_to_all(tmp_path):
    """One arena in this process takes bots that dial in by themselves."""
    assert isinstance(make_engine(a_config(tmp_path, CONNECTED), RunSettings()), HostedEngine)
    config = a_config(tmp_path, randoms(3))
    assert isinstance(make_engine(config, RunSettings(), dial_in=OPEN), HostedEngine)
    assert isinstance(make_engine(config, RunSettings(workers=2), dial_in=DialIn()), WorkersEngine)


@pytest.mark.parametrize(
    ("run", "more", "complaint"),
    [
        (RunSettings(workers=2), {"dial_in": OPEN}, "--listen .* with 2 workers"),
        (RunSettings(engine="inline"), {"dial_in": OPEN}, "--listen .* with the engine inline"),
        (RunSettings(engine="ray"), {"dial_in": OPEN}, "--listen .* with the engine ray"),
        (RunSettings(), {"ray_address": "h:1"}, "--ray-address goes with --engine ray"),
        (RunSettings(engine="other"), {}, "there is no engine 'other'"),
        (RunSettings(workers=0), {}, "workers must be 1 to"),
    ],
)
def test_what_cannot_be(tmp_path, run: RunSettings, more: dict[str, Any], complaint: str):
    """Settings that contradict each other are refused in words."""
    with pytest.raises(InputError, match=complaint):
        make_engine(a_config(tmp_path, randoms(3)), run, **more)


@pytest.mark.parametrize(
    "run", [RunSettings(workers=2), RunSettings(engine="inline"), RunSettings(engine="ray")]
)
def test_connected_bots_need_one_arena(tmp_path, run: RunSettings):
    """A bot that dials in by itself cannot be in several places."""
    with pytest.raises(InputError, match="bot far connects by itself"):
        make_engine(a_config(tmp_path, CONNECTED), run)


def test_nothing_to_start_anew(tmp_path):
    """Fresh processes for each match are refused where there are no processes."""
    config = a_config(tmp_path, randoms(3), fresh=True)
    with pytest.raises(InputError, match="--fresh needs processes"):
        make_engine(config, RunSettings(engine="inline"))
    assert isinstance(make_engine(config, RunSettings()), HostedEngine)


def test_ray_is_an_extra(tmp_path, monkeypatch):
    """The engine ray is refused where Ray is not installed."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"arena-server\[ray\]"):
        make_engine(
            a_config(tmp_path, randoms(3)), RunSettings(engine="ray"), ray_address="127.0.0.1:1"
        )
