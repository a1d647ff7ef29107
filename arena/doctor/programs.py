"""Compilers, toolchains, browsers and databases. arena runs without most of them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sqlite3
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.doctor.probed import Probed, Usability
from arena.starter.languages import Language, languages
from arena.starter.toolchain import find_lack, find_version

_LIMIT_S = 10.0
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_PAGE = "data:text/html,<p>arena</p>"
_POSTGRESQL = Path("/usr/lib/postgresql")
_FOR_TESTS = "only arena's own tests need it"


def probe_programs() -> Iterator[Probed]:
    """Try all of them side by side: each waits for a program, and some are slow to start."""
    others = (_probe_c, _probe_browser, _probe_sqlite, _probe_postgresql)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        running = [threads.submit(_probe_language, each) for each in languages() if each.needs]
        running += [threads.submit(probe) for probe in others]
        for each in running:
            yield each.result()


def _probe_language(language: Language) -> Probed:
    area, name = "languages", language.title
    lacks = [(find_lack(need), need.install) for need in language.needs]
    missing = [(lack, install) for lack, install in lacks if lack is not None]
    if missing:
        reasons, installs = zip(*missing, strict=True)
        advice = f"install {', '.join(installs)}"
        return Probed(area, name, Usability.MISSING, ", ".join(reasons), advice)
    found = [f"{need.program} {find_version(need.version)}" for need in language.needs]
    return Probed(area, name, Usability.OK, ", ".join(dict.fromkeys(found)))


def _probe_c() -> Probed:
    """Compile what includes Python's headers, and keep nothing."""
    area, name = "compilers", "C"
    advice = "install a C compiler and Python's headers (Debian: gcc python3-dev): arena is faster"
    include = sysconfig.get_paths()["include"]
    for compiler in filter(None, map(shutil.which, ("cc", "gcc", "clang"))):
        words = [compiler, "-fsyntax-only", f"-I{include}", "-x", "c", "-"]
        code, said = _run(words, "#include <Python.h>\n")
        if code == 0:
            return Probed(area, name, Usability.OK, f"{compiler} with Python's headers")
        lines = said.splitlines()
        return Probed(area, name, Usability.LIMITED, lines[0] if lines else "fails", advice)
    return Probed(area, name, Usability.MISSING, "no C compiler", advice)


def _probe_browser() -> Probed:
    """Have a browser show a page."""
    area, advice = "browsers", f"install chromium-headless-shell or chromium; {_FOR_TESTS}"
    for browser in filter(None, map(shutil.which, _BROWSERS)):
        with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as place:
            words = [browser, "--headless", "--disable-gpu", f"--user-data-dir={place}"]
            if os.geteuid() == 0:
                words.append("--no-sandbox")  # it refuses root otherwise
            code, said = _run([*words, "--dump-dom", _PAGE], home=place)
        if code == 0 and "<p>arena</p>" in said:
            return Probed(area, "Chromium", Usability.OK, f"{browser} shows a page")
        reason = f"{browser} does not show a page within {_LIMIT_S:g} s"
        return Probed(area, "Chromium", Usability.LIMITED, reason, advice)
    return Probed(area, "Chromium", Usability.MISSING, "not found", advice)


def _probe_sqlite() -> Probed:
    """Write a database in the way in which arena does."""
    area, name = "databases", "SQLite"
    try:
        with tempfile.TemporaryDirectory(prefix="arena-") as place:
            link = sqlite3.connect(Path(place) / "arena.db")
            try:
                ((mode,),) = link.execute("PRAGMA journal_mode = WAL")
                link.execute("CREATE TABLE matches (id INTEGER PRIMARY KEY)")
                link.commit()
            finally:
                link.close()
    except (OSError, sqlite3.Error) as error:
        advice = "set TMPDIR to a directory on a local disk"
        return Probed(area, name, Usability.MISSING, str(error), advice)
    if mode != "wal":
        advice = "keep results on a local disk"
        return Probed(area, name, Usability.LIMITED, "has no write-ahead log here", advice)
    return Probed(area, name, Usability.OK, sqlite3.sqlite_version)


def _probe_postgresql() -> Probed:
    """Look for the driver, which a tournament needs, and the server, which may be elsewhere."""
    area, name = "databases", "PostgreSQL"
    if importlib.util.find_spec("psycopg") is None:
        advice = "pip install 'arena-server[postgres]' to keep results in PostgreSQL"
        return Probed(
            area, name, Usability.MISSING, "the Python package psycopg is missing", advice
        )
    here = sorted(_POSTGRESQL.glob("*/bin/postgres"), key=lambda path: path.parts[-3])
    path = str(here[-1]) if here else shutil.which("postgres")
    if path is None:
        advice = f"a server on this machine (postgresql): {_FOR_TESTS}"
        return Probed(area, name, Usability.LIMITED, "driver only, no server here", advice)
    code, said = _run([path, "--version"])
    if code != 0:
        return Probed(area, name, Usability.LIMITED, f"driver; {path} cannot be run")
    return Probed(area, name, Usability.OK, f"driver and {said.strip()}")


def _run(words: Sequence[str], text: str = "", home: str | None = None) -> tuple[int, str]:
    """Return the exit code and the output of a program; nothing of it outlives the limit."""
    environment = {**os.environ, **({"HOME": home, "TMPDIR": home} if home else {})}
    try:
        with subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        ) as program:
            try:
                said, _ = program.communicate(text.encode(), timeout=_LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)
                return -signal.SIGKILL, ""
            return program.returncode, said.decode(errors="replace")
    except OSError as error:
        return 127, str(error)
