"""What keeps bots apart here."""

from __future__ import annotations

import platform
from collections.abc import Iterator

from arena.doctor.probed import Probed, Usability
from arena.doctor.trial import NAMESPACES, Tried
from arena.sandbox.cgroups import find_cgroups
from arena.sandbox.level import Level
from arena.sandbox.probe import try_level

AREA = "isolation"
_ALLOW_NAMESPACES = (
    "allow user namespaces (sysctl user.max_user_namespaces; in a container, ask its host)"
)


def probe_levels() -> Iterator[Probed]:
    """Start a process at each level, strongest first."""
    for level in Level:
        if level is Level.NONE:
            continue
        attempt = try_level(level)
        if not attempt.works:
            yield Probed(AREA, level.value, Usability.MISSING, attempt.reason, attempt.install)
        elif level.does_not_stop:
            left = f"works, but bots can {level.does_not_stop}"
            yield Probed(AREA, level.value, Usability.LIMITED, left)
        else:
            yield Probed(AREA, level.value, Usability.OK, "works")


def probe_cgroups() -> Probed:
    """Make a control group and remove it again."""
    name, found = "control groups", find_cgroups()
    if found is None:
        advice = (
            "run arena under `systemd-run --user --scope -p Delegate=yes` "
            "(as root without --user); until then arena itself adds up what a bot uses"
        )
        return Probed(AREA, name, Usability.LIMITED, "none can be made here", advice)
    detail = f"version {found.version}: {', '.join(found.places)}"
    return Probed(AREA, name, Usability.OK, detail)


def judge_kernel(tried: Tried) -> Iterator[Probed]:
    """Say what was found about namespaces and seccomp."""
    refused = [f"{name}: {tried[name]}" for name in NAMESPACES if tried[name]]
    if refused:
        state = Usability.MISSING if tried["user"] else Usability.LIMITED
        yield Probed(AREA, "kernel namespaces", state, ", ".join(refused), _ALLOW_NAMESPACES)
    else:
        yield Probed(AREA, "kernel namespaces", Usability.OK, ", ".join(NAMESPACES))
    if "seccomp" not in tried:
        reason = f"arena has no filter for {platform.machine()}"
        yield Probed(AREA, "seccomp", Usability.MISSING, reason)
    elif tried["seccomp"]:
        advice = "use a kernel with CONFIG_SECCOMP_FILTER"
        yield Probed(AREA, "seccomp", Usability.MISSING, str(tried["seccomp"]), advice)
    else:
        yield Probed(AREA, "seccomp", Usability.OK, "a filter refuses ptrace")
