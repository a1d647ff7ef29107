from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.storage.opening import open_store
from arena.storage.store import Store
from tests.postgres import ONE_SERVER, Server

Opener = Callable[..., Store]

_numbers = itertools.count()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[pytest.mark.slow, ONE_SERVER])])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an empty database is, or will be: of each kind once."""
    if request.param == "sqlite":
        yield str(tmp_path / "arena.db")
    else:
        server: Server = request.getfixturevalue("postgres")
        with server.place(f"arena_{next(_numbers)}") as url:
            yield url


@pytest.fixture
def opened(place: str) -> Iterator[Opener]:
    """Opens stores at the place, and closes them all in the end."""
    stores = []

    def open_at_place(name: str = "cup", **settings: object) -> Store:
        stores.append(open_store(place, name, **settings))  # type: ignore[arg-type]
        return stores[-1]

    yield open_at_place
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Opener) -> Store:
    """A store without a tournament."""
    return opened()
