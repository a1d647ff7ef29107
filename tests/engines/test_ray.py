from __future__ import annotations

import sys

import pytest

from arena.engines import ray_engine
from arena.engines.ray_engine import RayEngine, _check_answered
from arena.errors import InputError
from tests.e2e.conftest import place as short_place
from tests.engines.ray_cluster import isolated
from tests.engines.scaled import a_config, randoms

place = short_place  # Ray's sockets need a short path, too


@pytest.mark.slow
def test_own_cluster(place):
    """On a cluster of its own the reports are the same, and it ends."""
    found = isolated("own_cluster", place)
    assert found["same"]
    assert found["left"] == []
    assert found["files"] == ["home"]  # Ray's own directory is gone
    assert found["err"] == ""


@pytest.mark.slow
def test_killed_arena(place):
    """Its cluster is for this machine, and not even SIGKILL leaves anything of it, or of bots."""
    found = isolated("killed_arena", place)
    assert found["running"] > 8
    assert found["listening"] == []  # on any address but loopback
    assert found["modes"] == ["0o700"]  # of Ray's directory: bots of another user stay out
    assert found["left"] == []


def test_without_ray(monkeypatch, tmp_path):
    """Where Ray is not installed, the person learns which extra to install."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"not installed: pip install 'arena-server\[ray\]'"):
        RayEngine(a_config(tmp_path, randoms(3)), 2, address="127.0.0.1:1")


class SmallRay:
    """As much of Ray as is asked whether there is room on a cluster, which has one CPU."""

    def is_initialized(self) -> bool:
        return False

    def init(self, **settings: object) -> None:
        pass

    def shutdown(self) -> None:
        pass

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}


async def test_too_few_processors(monkeypatch, tmp_path):
    """A cluster that has no room for all workers is refused, and left."""
    monkeypatch.setattr(ray_engine, "_import_ray", lambda _is_own: SmallRay())
    monkeypatch.setattr(ray_engine, "_check_answered", lambda _address: None)
    with pytest.raises(InputError, match="has 1 CPU, too few for 50 workers"):
        async with RayEngine(a_config(tmp_path, randoms(3)), 50, address="127.0.0.1:1"):
            pytest.fail("it was opened")


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("somewhere", "--ray-address is HOST:PORT .* not 'somewhere'"),
        ("ray://127.0.0.1:10001", "--ray-address is HOST:PORT"),
        ("127.0.0.1:port", "--ray-address is HOST:PORT"),
        ("127.0.0.1:99999", "there is no answer at the --ray-address 127.0.0.1:99999"),
        ("127.0.0.1:1", "there is no answer at the --ray-address 127.0.0.1:1: Connection refused"),
    ],
)
def test_wrong_addresses(address: str, complaint: str):
    """An address at which there is no cluster is refused at once, in words."""
    with pytest.raises(InputError, match=complaint):
        _check_answered(address)
