"""The machine's clock is stepped, by hours and days in both directions, while a tournament runs.

libfaketime shifts the time of day for one process and all that it starts. The monotonic clock goes
on, as it does when somebody sets a real machine's clock.
"""

from __future__ import annotations

from pathlib import Path

from arena.cli import DONE
from tests.chaos.scenario import PATIENT, Lacking, Run
from tests.e2e.command import fresh_arena
from tests.e2e.tournaments import (
    NAME,
    PATIENCE_S,
    attempts,
    check_calm,
    check_whole,
    complete,
    count_results,
    settings,
    tournament,
    wait_for_results,
)

LIBRARIES = "/usr/lib/*/faketime/libfaketimeMT.so.1"
STEPS_S = (400 * 86_400, -86_400, 61, -3_600, -400 * 86_400, 3_600, -61, 86_400)


def clock(run: Run) -> None:
    """Step the clock again and again within one tournament."""
    found = sorted(Path("/").glob(LIBRARIES.lstrip("/")))
    if not found:
        raise Lacking("a stepped clock: libfaketime is not installed (Debian: libfaketime)")
    size, number = run.size(150, 6), run.size(40, 2)
    shift = run.place / "shift"
    shift.write_text("+0\n")
    words = settings("-j", 2, *PATIENT, rounds=size // 3)
    environment = {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME_TIMESTAMP_FILE": str(shift),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    directory = run.place / NAME
    steps = 0
    with tournament(run.place, *words, "--engine", "arena", **environment) as command:
        for step in range(number):
            wait_for_results(directory, 1 + size * step // (number + 1), command)
            if not command.is_running:
                break
            _write(shift, STEPS_S[step % len(STEPS_S)])
            steps += 1
        assert command.wait(PATIENCE_S) == DONE, command.err
    check_calm(command.err)
    run.check(steps == number, f"only {steps} of {number} steps before it was over")
    assert count_results(directory) == size
    check_whole(directory, words)
    complete(fresh_arena("verify", directory, place=run.place))
    tried = attempts(directory)
    dates = {attempt.started[:10] for attempt in tried}
    run.check(len(dates) > 1, "the arena did not notice that its clock was stepped")
    again = sum(attempt.void_reason is not None for attempt in tried)
    run.tell(
        f"{size} matches, clock stepped {steps} times by up to 400 days ({len(dates)} dates in the "
        f"records): {again} matches begun again, every match once, files as in a calm run"
    )


def _write(path: Path, seconds: int) -> None:
    """Replace the file: it is never there by half."""
    new = path.with_suffix(".new")
    new.write_text(f"{seconds:+d}\n")
    new.replace(path)
