from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import InputError, StorageError
from arena.storage.opening import open_store


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_an_sqlite_file(kind, tmp_path: Path):
    """A path, as text or not, opens a file, whatever signs are in its name."""
    path = tmp_path / "a b?c#d%41.db"
    open_store(kind(path), "cup").close()
    assert path.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize("place", ["mysql://root@host/db", "sqlite:///x.db", "http://x"])
def test_other_databases_are_not_known(place):
    """An unknown scheme is named, with those that are known."""
    scheme = place.split(":", maxsplit=1)[0]
    with pytest.raises(InputError, match=rf"{scheme}://; give postgresql://.*SQLite"):
        open_store(place, "cup")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:hunter2@host:port/db",
        "postgresql://user:hunter2@host/db?nonsense=1",
        "postgresql://user:hun@ter2@host/db",
        "postgresql://user:hun/ter2@host/db",
        "postgresql://user:12/hunter2@host/db",
        "postgresql://user:hunter2%zz@host/db",
        "postgresql://[::1/db",
    ],
)
def test_an_address_that_cannot_be_read(url):
    """A malformed address says how one looks, and shows nothing of it."""
    with pytest.raises(InputError, match="looks like postgresql://USER") as caught:
        open_store(url, "cup")
    assert "ter2" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:hunter2@127.0.0.1:1/db",
        "postgres://user@127.0.0.1:1/db?password=hunter2",
        "postgresql://user:hunter2@/db?host=/nowhere",
    ],
)
def test_an_address_where_nobody_answers(url):
    """It is said at once where nobody was found and what to check, without the password."""
    with pytest.raises(StorageError, match="it cannot be reached: check that") as caught:
        open_store(url, "cup")
    assert "hunter2" not in str(caught.value)
    assert "postgresql://user@" in str(caught.value)


def test_psycopg_is_an_extra(tmp_path: Path):
    """Without psycopg SQLite works, and PostgreSQL says what to install."""
    program = """
import sys
sys.modules["psycopg"] = None
from arena.errors import InputError
from arena.storage.opening import open_store
open_store(sys.argv[1], "cup").close()
try:
    open_store("postgresql://host/db", "cup")
except InputError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "cup.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "extra `postgres`" in done.stdout
