"""timing.json against the matches and the database: all of it but the times themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from arena import __version__
from arena.results.archive import Archive, read_bytes
from arena.results.audit.report import AuditReport
from arena.results.export import Release, make_timing
from arena.results.matches_file import MATCHES_FILE
from arena.results.timing_file import TIMING_FILE, Timing


def check_timing(
    report: AuditReport, stored: Archive | None, listed: Archive, release: Release
) -> None:
    """Compare the file with the matches listed and, byte for byte, with the database.

    Only what is complete is compared with a database: else more may have happened since.
    """
    if listed.timing is None:
        return
    path = report.directory / TIMING_FILE
    problems = list(_problems(listed.timing, listed, release))
    for problem in problems:
        report.add(path, None, problem)
    is_comparable = release.is_complete and listed.timing.arena == __version__
    if stored is None or not is_comparable or report.accuses(path):
        return
    matches = read_bytes(report.directory / MATCHES_FILE)
    due = make_timing(stored, matches, listed.timing.replays, is_complete=True)
    if due != read_bytes(path):
        report.add(path, None, "is not what the database makes")


def _problems(timing: Timing, listed: Archive, release: Release) -> Iterator[str]:
    played = [match.fixture for match in listed.matches]
    if [*timing.matches] != [fixture.match for fixture in played]:
        yield f"matches are not those of {MATCHES_FILE}"
        return
    scheduled = {fixture.match: fixture for fixture in listed.fixtures}
    voids = Counter(match for match, _, _ in timing.void)
    for match in voids:
        if match not in scheduled:
            yield f"void names match {match!r}, which is not in the schedule"
    decisions: Counter[str] = Counter()
    for fixture in played:
        found = timing.matches[fixture.match]
        if len(found.seats) != len(fixture.bots):
            yield f"matches.{fixture.match} must have an entry for each seat"
            return
        if found.attempts != voids[fixture.match] + 1:
            yield f"matches.{fixture.match} does not agree with void about the attempts"
        for bot, seat in zip(fixture.bots, found.seats, strict=True):
            decisions[bot] += seat.decisions
    if {bot.name: bot.decisions for bot in timing.bots} != dict(decisions):
        yield "bots do not have the decisions of their matches"
    released = [fixture.match for fixture in played if fixture.deal in release.deals]
    if [*timing.replays] != [match for match in released if match in {*timing.replays}]:
        yield "replays are not matches that have been played, in order"
