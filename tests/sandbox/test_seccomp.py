from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from arena.sandbox.seccomp import DENIED, make_filter
from tests.requirements import skip_lacking

ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
DENY = FAIL | errno.EPERM


HEADERS = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}


def judge(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Run the filter as the kernel does, and return its verdict."""
    program = make_filter(machine)
    assert program is not None
    data = struct.pack(
        "=iIQ6Q",
        number,
        architecture or ARCHITECTURE[machine],
        0,
        *arguments,
        *(0,) * (6 - len(arguments)),
    )
    code = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    at, value = 0, 0
    while True:
        operation, true, false, operand = code[at]
        at += 1
        if operation == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif operation == 0x06:
            return int(operand)
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: value & operand}[
                operation
            ]
            at += true if holds else false


@pytest.mark.parametrize("machine", ARCHITECTURE)
def test_what_is_denied_fails_and_the_rest_is_allowed(machine: str) -> None:
    """Each call of the table fails with EPERM under its number on this machine, and no other."""
    column = list(ARCHITECTURE).index(machine)
    denied = {numbers[column] for numbers in DENIED.values()} - {None}
    special = {(56, 220)[column], 435, (16, 29)[column], (41, 198)[column]}
    for number in range(470):
        if number not in special:
            assert judge(machine, number) == (DENY if number in denied else ALLOW), number


@pytest.mark.parametrize(
    ("machine", "clone", "ioctl", "socket"), [("x86_64", 56, 16, 41), ("aarch64", 220, 29, 198)]
)
def test_what_depends_on_arguments(machine: str, clone: int, ioctl: int, socket: int) -> None:
    """Threads and processes start, but not in new namespaces; sockets are of the usual families."""
    assert judge(machine, clone, 0x003D0F00) == ALLOW
    assert judge(machine, clone, 0x10000000 | 17) == DENY
    assert judge(machine, 435) == FAIL | errno.ENOSYS
    assert judge(machine, ioctl, 0, 0x5401) == ALLOW
    assert judge(machine, ioctl, 0, 0x5412) == DENY
    assert [judge(machine, socket, family) == ALLOW for family in (1, 2, 10, 16)] == [True] * 4
    assert judge(machine, socket, 40) == FAIL | errno.EAFNOSUPPORT


def test_another_numbering_is_no_way_round() -> None:
    """Calls of another architecture end the process, those of x32 do not exist."""
    assert judge("x86_64", 101, architecture=0x40000003) == KILL
    assert judge("x86_64", 0x40000000 | 101) == FAIL | errno.ENOSYS
    assert make_filter("m68k") is None


@pytest.mark.parametrize("machine", HEADERS)
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    """Each denied call has the number that the kernel's own headers give it, or does not exist."""
    header = Path("/usr/include", HEADERS[machine])
    if not header.exists():
        skip_lacking(f"the kernel's headers are not here: {header} (Debian: linux-libc-dev)")
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", header.read_text(), re.MULTILINE)
    kernel = {name: int(number) for name, number in found}
    column = list(ARCHITECTURE).index(machine)
    assert len(kernel) > 250
    for name, numbers in DENIED.items():
        assert numbers[column] == kernel.get(name), name
