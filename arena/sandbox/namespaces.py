"""Plain namespaces, made by util-linux: where bubblewrap is missing.

A bot sees no other process and no network, and nothing of what is hidden from it. The rest of the
file system is what the user who runs arena has.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.sandbox.limits import OPEN_FILES

_SCRIPT = (
    # What is open is still there when its path is hidden; not canonicalised, it is found by it.
    'own=$1; shift; [ -z "$own" ] || exec 9<"$own" || exit 125; '
    'while [ "$1" != -- ]; do mount -t tmpfs -o mode=0100 tmpfs "$1" || exit 125; '
    'case "$own" in "$1"/*) mkdir -p "$own" && mount -c --bind /proc/self/fd/9 "$own" && '
    'mount -o remount,bind,ro "$own" || exit 125;; esac; '
    'mount -o remount,bind,ro "$1" || exit 125; shift; done; '
    'exec 9<&-; shift; ulimit -c 0; ulimit -n "$1"; shift; '
    "exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all "
    '--securebits=+noroot,+noroot_locked "$@"'
)


def namespaces_command(
    hidden: Sequence[Path], socket: Path | None, program: str, arguments: Sequence[str]
) -> list[str]:
    """Return the words that run a program in namespaces of its own, without capabilities.

    `hidden` are directories that it finds empty but for the directory of the socket.
    """
    own = "" if socket is None else str(socket.parent)
    return [
        *"unshare --user --map-root-user --pid --fork --kill-child --mount --mount-proc".split(),
        *"--net --ipc --uts --cgroup -- /bin/sh -c".split(),
        *(_SCRIPT, "arena", own, *map(str, hidden), "--", str(OPEN_FILES), program, *arguments),
    ]
