"""Files that are there whole or not at all, whoever reads or kills."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from arena.errors import ResultsError

_FEW = 32
"""Up to so many files are made durable one by one; more of them by one sync of everything."""

_ABANDONED_S = 24 * 3600.0
"""A partial file of another machine is nobody's any more after so long."""

_PARTIAL = re.compile(r"\..+\.(?P<host>[\w-]+)\.(?P<pid>\d+)\.partial")
_HOST = re.sub(r"[^\w-]", "_", socket.gethostname()) or "host"


def partial_of(path: Path) -> Path:
    """Return where a file is written before it is whole: `sweep_partials` knows its name."""
    return path.with_name(f".{path.name}.{_HOST}.{os.getpid()}.partial")


def replace_files(
    directory: Path, contents: Mapping[str, bytes], before: Callable[[], None] | None = None
) -> None:
    """Write these files, by name; none is replaced before all are on the disk.

    `before` is called when they are and nothing has been replaced yet. Raises ResultsError that
    names the file if one cannot be written.
    """
    partials = {name: partial_of(directory / name) for name in contents}
    make_directory(directory)
    name = ""
    try:
        for name, content in contents.items():
            _write(partials[name], content, is_synced=len(contents) <= _FEW)
        if len(contents) > _FEW:
            os.sync()
        if before is not None:
            before()
        for name, partial in partials.items():
            partial.replace(directory / name)
        _sync_directory(directory)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResultsError(directory / name, f"cannot be written: {reason}") from None
    finally:
        for partial in partials.values():
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)


def make_directory(directory: Path) -> None:
    """See that a directory is there; raises ResultsError that says why it cannot be."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResultsError(directory, f"cannot be written to: {reason}") from None


def _write(path: Path, content: bytes, *, is_synced: bool) -> None:
    with path.open("wb") as file:
        file.write(content)
        if is_synced:
            file.flush()
            os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep_partials(directory: Path) -> None:
    """Remove what a killed process left half written; a live one's files stay."""
    with contextlib.suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            found = _PARTIAL.fullmatch(entry.name)
            if found is not None and _is_abandoned(entry, found):
                with contextlib.suppress(OSError):
                    Path(entry.path).unlink(missing_ok=True)


def _is_abandoned(entry: os.DirEntry[str], found: re.Match[str]) -> bool:
    if found["host"] == _HOST:
        pid = int(found["pid"])
        return pid == os.getpid() or not _is_alive(pid)
    try:
        return time.time() - entry.stat().st_mtime > _ABANDONED_S
    except OSError:  # it has gone by itself
        return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)  # only asks
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@contextlib.contextmanager
def lone_writer(directory: Path) -> Iterator[None]:
    """Wait until no other arena writes to the directory, and keep them waiting meanwhile.

    The directory is made if it is not there; raises ResultsError if it cannot be.
    """
    make_directory(directory)
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems cannot: then without
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
