"""Change the rules of the games in small ways and see whether the tests notice.

mutmut makes the changes and runs, for each, the tests that reach the changed function; which
modules and which tests is said in pyproject.toml. It changes the inside of functions and methods,
but neither tables at the top of a module nor functions with a cache around them.

A mutant that no test fails on survives: a test is missing, or the change makes no difference.
Survivors that only word a message differently are counted but not shown.

    python -m benchmarks.mutants              # all mutants, made anew
    python -m benchmarks.mutants --survivors  # those that survived the last run, with today's tests
    python -m benchmarks.mutants --report     # nothing is run: the results of the last run again
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mutmut.mutation.diff_apply import get_diff_for_mutant

FOLDER = Path("mutants")  # mutmut takes no other
LOG = FOLDER / "mutmut.log"
PROCESSES = 2
MINUTES = 60.0

# What pytest's exit says of a mutant, and what mutmut adds to it.
KILLED = frozenset({1, 2, 3})  # a test failed, or could not even be collected
TIMED_OUT = frozenset({24, -24, 36, 152, 255})

LITERAL = re.compile(r'f?"[^"]*"')


class Mutant(NamedTuple):
    """One small change and what became of it."""

    name: str
    module: str
    exit_code: int | None  # none if the time was up before its turn

    @property
    def survived(self) -> bool:
        return self.exit_code is not None and self.exit_code not in KILLED | TIMED_OUT

    def diff(self) -> list[str]:
        """Return the lines of the change, without the names of files."""
        return get_diff_for_mutant(self.name, path=self.module).splitlines()[2:]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run mutmut, then print a score for each module and the diffs of the survivors."""
    args = _parser().parse_args(arguments)
    if not Path("pyproject.toml").exists():
        print("mutants: start this where pyproject.toml is", file=sys.stderr)
        return 2
    status = 0
    if not args.report:
        names: list[str] = []
        if args.survivors:
            last = [mutant for mutant in results() if mutant.survived]
            names = [mutant.name for mutant in last if not is_wording(mutant.diff())]
            if not names:
                print("mutants: no survivors to run again", file=sys.stderr)
                return 2
        elif FOLDER.exists():
            shutil.rmtree(FOLDER)
        status = _run_mutmut(names, args.processes, args.minutes * 60)
    print(report(results()))
    return status


def _run_mutmut(names: Iterable[str], processes: int, seconds: float) -> int:
    """Run mutmut on these mutants, or all; return 1 if it failed, which is then shown."""
    FOLDER.mkdir(exist_ok=True)
    command = [str(Path(sys.executable).with_name("mutmut")), "run"]
    command += ["--max-children", str(processes), *names]
    print(f"running mutmut for up to {seconds / 60:g} minutes; see {LOG}", flush=True)
    with LOG.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            print("the time is up: mutants not yet tested are left out", flush=True)
            process.send_signal(signal.SIGINT)  # it ends its own children
            process.wait()
            return 0
    if process.returncode:
        lines = re.split(r"[\r\n]+", LOG.read_text(encoding="utf-8"))
        print("mutmut failed:", *lines[-40:], sep="\n", file=sys.stderr)
    return min(process.returncode, 1)


def results() -> list[Mutant]:
    """Return the mutants of the last run, by module."""
    found = []
    for path in sorted(FOLDER.glob("arena/**/*.meta")):
        module = str(path.relative_to(FOLDER).with_suffix(""))
        exit_codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        found += [Mutant(name, module, exit_code) for name, exit_code in exit_codes.items()]
    return found


def report(mutants: Sequence[Mutant]) -> str:
    """Return the diffs of the survivors, then a table with a line for each module."""
    lines = []
    table = [
        "| module | mutants | not tested | killed | timed out | wording | survived | score |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for module in sorted({mutant.module for mutant in mutants}):
        of_module = [mutant for mutant in mutants if mutant.module == module]
        killed = sum(mutant.exit_code in KILLED for mutant in of_module)
        timed_out = sum(mutant.exit_code in TIMED_OUT for mutant in of_module)
        waiting = sum(mutant.exit_code is None for mutant in of_module)
        diffs = {mutant.name: mutant.diff() for mutant in of_module if mutant.survived}
        shown = {name: diff for name, diff in diffs.items() if not is_wording(diff)}
        for name, diff in shown.items():
            lines += [f"# {name}", *diff, ""]
        noticed = killed + timed_out
        tested = noticed + len(shown)
        score = f"{100 * noticed / tested:.1f} %" if tested else "–"
        table.append(
            f"| {module} | {len(of_module)} | {waiting} | {killed} | {timed_out} "
            f"| {len(diffs) - len(shown)} | {len(shown)} | {score} |"
        )
    return "\n".join([*lines, *table])


def is_wording(diff: Iterable[str]) -> bool:
    """Return whether a change touches nothing but texts with a space in them: messages."""
    lines = list(diff)
    removed = "\n".join(line[1:] for line in lines if line.startswith("-"))
    added = "\n".join(line[1:] for line in lines if line.startswith("+"))
    return removed != _unworded(removed) and _unworded(removed) == _unworded(added)


def _unworded(code: str) -> str:
    return LITERAL.sub(lambda match: "None" if " " in match[0] else match[0], code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutants", description="Do the tests notice changes of the rules?"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--survivors", action="store_true", help="only those of the last run")
    which.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--processes", type=int, default=PROCESSES, metavar="N")
    parser.add_argument("--minutes", type=float, default=MINUTES, metavar="N", help="time limit")
    return parser


if __name__ == "__main__":
    sys.exit(main())
