"""Plays, and at decision AT of a match ends in the way that HOW names."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from arena_client import Bot, Decision, run

HOW = os.environ["HOW"]
AT = int(os.environ.get("AT", "3"))
GIGABYTE = 1 << 30


def end() -> None:
    match HOW:
        case "exit-0" | "exit-3":
            os._exit(int(HOW[-1]))
        case "leave":
            sys.exit(0)
        case "segfault":
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGSEGV)
        case "raise" | "lingering":
            raise RuntimeError("the sky is falling\x1b[31m")
        case "memory":
            kept = [bytearray(GIGABYTE) for _ in range(8)]
            raise AssertionError(f"{len(kept)} GB were given")
        case "memory-elsewhere":
            thread = threading.Thread(target=eat)
            thread.start()
            thread.join()
        case "sleep":
            time.sleep(3600)


def eat() -> None:
    """Run out of memory where the SDK does not see it."""
    try:
        kept = [bytearray(GIGABYTE) for _ in range(8)]
    except MemoryError as error:
        print(f"{type(error).__name__}: no more", file=sys.stderr, flush=True)
        os._exit(1)
    raise AssertionError(f"{len(kept)} GB were given")


class Ending(Bot):
    """Well-behaved until it is not."""

    def __init__(self, match: object) -> None:
        self.asked = 0

    def decide(self, decision: Decision) -> int:
        self.asked += 1
        if self.asked == AT:
            end()
        return self.match.rng.randrange(decision.legal_count)


if __name__ == "__main__":
    if HOW == "lingering":  # after its failure, deaf or not
        try:
            run(Ending, [])
        except SystemExit:
            time.sleep(3600)
    if HOW == "deaf":  # to SIGTERM: while it plays, and when it has been told goodbye
        run_code = 0
        # Before, so that this is what the SDK restores at its end: there is no moment in between.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            run(Ending, [])
        except SystemExit as stop:
            run_code = int(stop.code or 0)
        print("told to end, staying", run_code, file=sys.stderr, flush=True)
        time.sleep(3600)
    if HOW == "noisy":
        line = "x" * 1023 + "\n"

        def shout() -> None:
            for _ in range(8 * 1024):
                sys.stdout.write(line)
                sys.stderr.write(line)

        threading.Thread(target=shout, daemon=True).start()
    run(Ending)
