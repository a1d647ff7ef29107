"""Plain namespaces, made by util-linux: where bubblewrap is missing.

A bot sees no other process and no network, and what is hidden from it. The rest of the file system
is what the user who runs arena has.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.sandbox.limits import OPEN_FILES

_SCRIPT = (
    'while [ "$1" != -- ]; do mount -t tmpfs -o ro,mode=0 tmpfs "$1" || exit 125; shift; done; '
    'shift; ulimit -c 0; ulimit -n "$1"; shift; '
    "exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all "
    '--securebits=+noroot,+noroot_locked "$@"'
)


def namespaces_command(hidden: Sequence[Path], program: str, arguments: Sequence[str]) -> list[str]:
    """Return the words that run a program in namespaces of its own, without capabilities.

    `hidden` are directories that it finds empty.
    """
    return [
        *"unshare --user --map-root-user --pid --fork --kill-child --mount --mount-proc".split(),
        *"--net --ipc --uts --cgroup -- /bin/sh -c".split(),
        *(_SCRIPT, "arena", *map(str, hidden), "--", str(OPEN_FILES), program, *arguments),
    ]
