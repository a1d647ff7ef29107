"""Plays a bot's program again and again in one process: conformance_series.py PROGRAM [ARGUMENT …].

Each line of stdin begins a run (see clients/README.md).
"""

import json
import logging
import os
import runpy
import sys


def play(program: str) -> int:
    """Run a program that calls run(); return the code it would have ended with."""
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def is_of_this_run(record: logging.LogRecord) -> bool:
    """A filter for asyncio's log: without what gRPC still had to tell the loop of an earlier run.

    It has one queue of events for all loops of a process; other programs have one loop.
    """
    error = record.exc_info[1] if record.exc_info else None
    return (
        "PollerCompletionQueue" not in record.getMessage() or str(error) != "Event loop is closed"
    )


def main() -> None:
    """Play for each line as it says; tell the end of each run on both outputs."""
    logging.getLogger("asyncio").addFilter(is_of_this_run)
    # Nor does gRPC itself write what it still hears of an earlier run, whose arena is closing.
    os.environ["GRPC_VERBOSITY"] = "NONE"
    del sys.argv[0]
    arguments = sys.argv[1:]
    of_process = dict(os.environ)
    for line in sys.stdin:
        order = json.loads(line)
        os.environ.clear()
        os.environ.update(of_process | order["variables"])
        sys.argv[1:] = [*arguments, *order["flags"]]
        code = play(sys.argv[0])
        for output in (sys.stdout, sys.stderr):
            print(order["mark"], code, file=output, flush=True)


if __name__ == "__main__":
    main()
