"""A private PostgreSQL server for tests, on a socket in a directory of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.requirements import skip_lacking

ONE_SERVER = pytest.mark.xdist_group("PostgreSQL")
"""Tests with this mark run in one process, and share its server: one takes a second to start."""

_USER = "arena"
_ACCOUNT = "nobody"  # who runs it when the tests run as root: PostgreSQL refuses root
_SETTINGS = {
    "listen_addresses": "''",
    "fsync": "off",
    "shared_buffers": "16MB",
    "max_connections": "30",
    "log_min_messages": "fatal",
}


def programs() -> Path | None:
    """Return the directory of the newest PostgreSQL's programs, None if there is none."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"),
        key=lambda path: int(path.parts[-3]) if path.parts[-3].isdigit() else 0,
    )
    if found:
        return found[-1].parent
    on_path = shutil.which("pg_ctl")
    return Path(on_path).resolve().parent if on_path else None


class Server:
    """A server that can be stopped and started again; its data go with it when it is closed."""

    def __init__(self, bin_directory: Path) -> None:
        self._bin = bin_directory
        # Not pytest's directory: the other account must get in, and a socket's path be short.
        self._directory = Path(tempfile.mkdtemp(prefix="arena-pg-"))
        self._account: list[str] = []
        if os.getuid() == 0:
            shutil.chown(self._directory, _ACCOUNT)
            self._account = ["setpriv", f"--reuid={_ACCOUNT}", "--clear-groups", "--"]
        try:
            initdb = ["-A", "trust", "-U", _USER, "-E", "UTF8", "--locale=C", "--no-sync"]
            self._run("initdb", "-D", str(self._data), *initdb)
            with (self._data / "postgresql.conf").open("a") as config:
                config.writelines(f"{key} = {value}\n" for key, value in _SETTINGS.items())
                config.write(f"unix_socket_directories = '{self._directory}'\n")
            self.start()
        except BaseException:
            shutil.rmtree(self._directory)
            raise

    @property
    def _data(self) -> Path:
        return self._directory / "data"

    def start(self) -> None:
        """Start it; return when it can be used."""
        log = str(self._directory / "log")
        self._run("pg_ctl", "start", "-w", "-D", str(self._data), "-l", log)

    def stop(self) -> None:
        """Stop it; every connection breaks."""
        self._run("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(self._data))

    def close(self) -> None:
        """Stop it and delete its data."""
        with contextlib.suppress(subprocess.CalledProcessError):  # it is stopped already
            self.stop()
        shutil.rmtree(self._directory)

    def url(self, database: str, user: str = _USER, password: str = "") -> str:
        """Return the address of a database, which need not be there."""
        who = f"{user}:{quote(password, safe='')}" if password else user
        return f"postgresql://{who}@/{database}?host={quote(str(self._directory), safe='')}"

    def execute(self, sql: str, database: str = "postgres") -> None:
        """Run a statement as superuser."""
        import psycopg  # noqa: PLC0415 - takes long to load, and few tests need it

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(sql.encode())

    @contextlib.contextmanager
    def place(self, name: str) -> Iterator[str]:
        """Make an empty schema, as good as a database and faster; yield its address; drop it."""
        self.execute(f"CREATE SCHEMA {name}")
        yield f"{self.url('postgres')}&options=-csearch_path%3D{name}"
        self.execute(f"DROP SCHEMA {name} CASCADE")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._account, str(self._bin / program), *arguments]
        # Its output goes to a file, not a pipe: the server inherits it, and would keep it open.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                command, stdout=output, stderr=output, cwd=self._directory, check=False
            )
            if done.returncode:
                output.seek(0)
                error = subprocess.CalledProcessError(done.returncode, command)
                error.add_note(output.read().decode(errors="replace"))
                raise error


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running server of this test process, started when first asked for; skips without one."""
    bin_directory = programs()
    if bin_directory is None:
        skip_lacking("PostgreSQL is not installed: its store is not tested")
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        skip_lacking("setpriv is not installed, and root cannot run PostgreSQL without it")
    server = Server(bin_directory)
    yield server
    server.close()
