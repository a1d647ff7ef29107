"""Compiles the rules from their sources with mypyc, where there is a compiler: `make compile`.

Half a minute of processor time, for rules that take half to two thirds of theirs. So it is done for
the benchmarks, and for wheels where ARENA_COMPILE is set; everything works without it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from arena.compiled import (  # noqa: E402 - found just now
    CHECKSUM,
    DIRECTORY,
    RULES,
    SHARED,
    are_rules_compiled,
    source_of,
    sum_up_sources,
)

SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

place, group, *files = sys.argv[1:]
flags = ["--config-file", "pyproject.toml", "--cache-dir", f"{place}/mypy"]
modules = mypycify([*flags, *files], opt_level="2", group_name=group, target_dir=f"{place}/c")
where = ["--build-temp", f"{place}/objects", "--build-lib", f"{place}/made"]
setup(name="rules", packages=[], ext_modules=modules, script_args=["--quiet", "build_ext", *where])
"""


def compile_rules() -> str | None:
    """Write the modules beside the package; return why that is not possible, None if it is done."""
    if os.environ.get("ARENA_PURE"):
        return "ARENA_PURE is set"
    if are_rules_compiled():
        return None
    checksum = sum_up_sources()
    files = [str(Path(source_of(module)).relative_to(ROOT)) for module in RULES]
    with tempfile.TemporaryDirectory(prefix="arena-") as place:
        command = [sys.executable, "-c", SETUP, place, SHARED.removesuffix("__mypyc"), *files]
        pure = {**os.environ, "ARENA_PURE": "1"}
        done = subprocess.run(
            command, cwd=ROOT, env=pure, capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = (done.stdout + done.stderr).splitlines()
            complaints = [line for line in said if "error" in line.lower()]
            return (complaints or said or [f"it ended with {done.returncode}"])[0]
        Path(place, "made", Path(CHECKSUM).name).write_text(checksum, encoding="utf-8")
        fresh = Path(f"{DIRECTORY}.{os.getpid()}")
        shutil.copytree(Path(place, "made"), fresh)
        shutil.rmtree(DIRECTORY, ignore_errors=True)
        fresh.rename(DIRECTORY)
    return None


def main() -> None:
    """Compile for this checkout, unless that has been done, and say so."""
    trouble = compile_rules()
    if trouble is None:
        print("the rules are compiled")
    else:
        print(f"the rules stay pure Python, which is slower: {trouble}", file=sys.stderr)


if __name__ == "__main__":
    main()
