"""The system calls that a sandboxed bot may not make, as a filter program for the kernel.

The filter is a list of what is denied, not of what is allowed: bots come in any language, with any
runtime. Namespaces and missing capabilities already take most of these calls their effect; the
filter closes the parts of the kernel in which such protection has failed before, and what would
undo the sandbox from inside. A denied call fails with EPERM and the bot goes on.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Mapping

_Numbers = tuple[int | None, int | None]  # on x86_64, on aarch64; None: does not exist there

DENIED: Mapping[str, _Numbers] = {
    # Other processes, even of the same bot.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # Keys, which are not in any namespace.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # Large parts of the kernel that no bot needs.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "memfd_secret": (447, 447),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # Mounts and namespaces: the walls of the sandbox.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # The machine: modules, kernels, clocks, swap, accounting.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    # Else a bot could crowd the core of another, or of the arena.
    "sched_setaffinity": (203, 122),
}

_CLONE: _Numbers = (56, 220)
_CLONE3: _Numbers = (435, 435)
_IOCTL: _Numbers = (16, 29)
_SOCKET: _Numbers = (41, 198)

_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: type into somebody's terminal
_SOCKET_FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink; vsock would leave the namespace

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # a second numbering of the same calls on x86_64

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24  # in struct seccomp_data
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_END = {"allow": _ALLOW, "kill": _KILL, "deny": _FAIL | errno.EPERM}
_END |= {"unknown call": _FAIL | errno.ENOSYS, "unknown family": _FAIL | errno.EAFNOSUPPORT}


def make_filter(machine: str | None = None) -> bytes | None:
    """Return the filter for a machine, as `bwrap --seccomp` reads it; None if it is not known."""
    known = _ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    # (operation, value, where to go if it holds, where if not); None: on to the next.
    code: list[tuple[int, int, str | None, str | None]] = [
        (_LOAD, _ARCHITECTURE, None, None),
        (_EQUAL, architecture, None, "kill"),
        (_LOAD, _NUMBER, None, None),
    ]
    if column == 0:
        code.append((_AT_LEAST, _X32, "unknown call", None))
    denied = (numbers[column] for numbers in DENIED.values())
    code += [(_EQUAL, number, "deny", None) for number in denied if number is not None]
    # Its flags are in memory, where a filter cannot look. The C libraries then use clone.
    code.append((_EQUAL, _CLONE3[column] or 0, "unknown call", None))
    code += [
        (_EQUAL, _CLONE[column] or 0, "clone", None),
        (_EQUAL, _IOCTL[column] or 0, "ioctl", None),
        (_EQUAL, _SOCKET[column] or 0, "socket", "allow"),
    ]
    labels: dict[str, int] = {}
    labels["clone"] = len(code)
    code.append((_LOAD, _ARGUMENT_0, None, None))
    code.append((_ANY_BIT, _NEW_NAMESPACES, "deny", "allow"))
    labels["ioctl"] = len(code)
    code.append((_LOAD, _ARGUMENT_1, None, None))
    code += [(_EQUAL, request, "deny", None) for request in _TERMINAL_INPUT[:-1]]
    code.append((_EQUAL, _TERMINAL_INPUT[-1], "deny", "allow"))
    labels["socket"] = len(code)
    code.append((_LOAD, _ARGUMENT_0, None, None))
    code += [(_EQUAL, family, "allow", None) for family in _SOCKET_FAMILIES[:-1]]
    code.append((_EQUAL, _SOCKET_FAMILIES[-1], "allow", "unknown family"))
    for name, value in _END.items():
        labels[name] = len(code)
        code.append((_RETURN, value, None, None))

    def distance(index: int, label: str | None) -> int:
        return 0 if label is None else labels[label] - index - 1

    return b"".join(
        struct.pack("=HBBI", operation, distance(index, true), distance(index, false), value)
        for index, (operation, value, true, false) in enumerate(code)
    )
