"""Tries what the kernel allows, in processes that end at once, and prints a line of JSON.

Run as a program with `python -I -S`. It reads a seccomp filter from stdin that is to refuse ptrace.
The values say what went wrong, and are empty where nothing did; `files` is how many descriptors a
process could open, up to the number in the first argument.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import socket
import sys
from collections.abc import Callable, Mapping

_NEW_USER = 0x10000000
NAMESPACES = {  # each within a user namespace
    "user": 0,
    "mount": 0x00020000,
    "cgroup": 0x02000000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "pid": 0x20000000,
    "network": 0x40000000,
}
Tried = Mapping[str, str | int]

_SET_SECCOMP, _FILTER = 22, 2
_SET_NO_NEW_PRIVILEGES = 38
_INSTRUCTION = 8  # bytes
_LONGEST_TEXT = 4096

_LIBC = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _call(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _in_child(attempt: Callable[[], str]) -> str:
    """Make the attempt in a process of its own; return what it returns, or why it failed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = attempt()
        except OSError as error:
            said = error.strerror or str(error)
        os.write(writing, said.encode()[:_LONGEST_TEXT])
        os._exit(0)
    os.close(writing)
    heard = os.read(reading, _LONGEST_TEXT).decode()
    os.close(reading)
    _, status = os.waitpid(child, 0)
    return heard or ("" if status == 0 else f"the process ended with status {status}")


def try_namespace(name: str) -> str:
    """Enter a namespace of that kind in a user namespace, as a sandbox does, and look around."""

    def attempt() -> str:
        _call(_LIBC.unshare(_NEW_USER | NAMESPACES[name]))
        if name == "pid":
            return _in_child(lambda: "" if os.getpid() == 1 else "other processes are seen")
        if name == "network" and [link for _, link in socket.if_nameindex()] != ["lo"]:
            return "other networks are seen"
        return ""

    return _in_child(attempt)


def try_seccomp(program: bytes) -> str:
    """Install the filter and make a call that it refuses."""

    def attempt() -> str:
        _call(_LIBC.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        filled = _Program(len(program) // _INSTRUCTION, program)
        _call(_LIBC.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(filled), 0, 0))
        is_traced = _LIBC.ptrace(0, 0, None, None) == 0
        return "the filter does not refuse ptrace" if is_traced else ""

    return _in_child(attempt)


def count_files(most: int) -> int:
    """Return how many descriptors a process may hold, up to `most`, its limit being raised."""

    def attempt() -> str:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        null = os.open(os.devnull, os.O_RDONLY)
        try:
            while null < most:
                null = os.dup(null)
        except OSError:
            return str(null + 1)
        return str(most)

    return int(_in_child(attempt))


def main() -> None:
    """Try everything once."""
    program = sys.stdin.buffer.read()
    tried: dict[str, str | int] = {name: try_namespace(name) for name in NAMESPACES}
    if program:
        tried["seccomp"] = try_seccomp(program)
    tried["files"] = count_files(int(sys.argv[1]))
    sys.stdout.write(json.dumps(tried))


if __name__ == "__main__":
    main()
