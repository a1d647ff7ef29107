"""Compiles arena/wire/_encoder.c, where there is a compiler; everything works without it.

`make` runs this for the checkout, and Hatchling's hook (ship.py) for wheels and editable installs.
A failure is one line, never a failed install.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from arena.compiled import encoder_mark  # noqa: E402 - found just now

SOURCE = ROOT / "arena" / "wire" / "_encoder.c"
MODULE = f"_encoder{sysconfig.get_config_var('EXT_SUFFIX')}"


def compile_encoder(target: Path) -> str | None:
    """Write the module into the file; return why that is not possible, None if it is done."""
    if os.environ.get("ARENA_PURE"):
        return "ARENA_PURE is set"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    include = sysconfig.get_paths()["include"]
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    mark = encoder_mark(SOURCE.read_bytes())
    flags = ["-O2", "-shared", "-fPIC", f"-I{include}", f'-DSOURCE="{mark}"']
    command = [*compiler, *flags, str(SOURCE), "-o", str(fresh)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{compiler[0]}: {error.strerror}"
    if done.returncode:
        complaints = [line for line in done.stderr.splitlines() if "error" in line]
        return (complaints or [f"{compiler[0]} ended with {done.returncode}"])[0]
    fresh.replace(target)  # whoever has the old one loaded keeps it
    return None


def main() -> None:
    """Compile for this checkout and say so."""
    target = SOURCE.with_name(MODULE)
    trouble = compile_encoder(target)
    if trouble is None:
        print("compiled arena/wire/_encoder.c")
    else:
        target.unlink(missing_ok=True)  # it may be of an older source
        print(f"arena stays pure Python, which is slower: {trouble}", file=sys.stderr)


if __name__ == "__main__":
    main()
