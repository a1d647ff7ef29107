"""`make chaos`: harm of every kind from a fixed seed, and whether anybody but its cause suffers.

Exit code 1 if something is wrong. `--short` takes a small part of each, as the tests do.
"""

from __future__ import annotations

import argparse
import sys
import time

from arena.grpc_settings import choose_settings

choose_settings()  # before anything imports gRPC

from tests.chaos import scenarios  # noqa: E402
from tests.chaos.scenario import IDLE_MINUTES, play  # noqa: E402


def main() -> int:
    """Run the scenarios that are named, or all."""
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    names = list(scenarios.ALL)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=f"of {', '.join(names)}")
    parser.add_argument("--short", action="store_true", help="a small part of each")
    parser.add_argument("--seed", type=int, default=14, help="of all chance (default: %(default)s)")
    parser.add_argument(
        "--idle-minutes",
        type=float,
        default=IDLE_MINUTES,
        metavar="N",
        help="how long sessions are idle before they play (default: %(default)g)",
    )
    args = parser.parse_args()
    unknown = [name for name in args.scenarios if name not in scenarios.ALL]
    if unknown:
        parser.error(f"unknown scenario {unknown[0]!r}: choose from {', '.join(names)}")
    started = time.monotonic()
    runs = [
        play(
            name,
            scenarios.ALL[name],
            is_short=args.short,
            seed=args.seed,
            idle_minutes=args.idle_minutes,
        )
        for name in args.scenarios or names
    ]
    print("== summary")
    for run in runs:
        state = "WRONG" if run.wrong else "skipped" if run.skipped and not run.done[1:] else "ok"
        print(f"   {run.name:<9} {state}")
        for line in run.wrong:
            print(f"             {line.splitlines()[0]}")
    wrong = sum(len(run.wrong) for run in runs)
    print(f"chaos: {len(runs)} scenarios, {wrong} wrong, {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
