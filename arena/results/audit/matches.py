"""matches.jsonl against the config, the schedule, the seed and the database."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from arena.config.tournament import differences
from arena.counted import counted
from arena.games.game import Json
from arena.referee.faults import ended_by
from arena.results.archive import CONFIG_FILE, Archive
from arena.results.audit.report import AuditReport
from arena.results.export import Release, digests_of, match_fields
from arena.results.matches_file import MATCHES_FILE, MatchLine, write_line
from arena.results.timing_file import TIMING_FILE
from arena.schedule.deals import commitment
from arena.schedule.schedule import make_schedule
from arena.storage.records import FixtureRecord, MatchReport

_FIXTURE_FIELDS = ("index", "block", "round", "table", "deal", "seating", "bots")
_REPORT_FIELDS: Mapping[str, Callable[[MatchReport], object]] = {
    "scores": lambda report: report.scores,
    "ranks": lambda report: report.ranks,
    "ended": lambda report: tuple(map(ended_by, report.forfeits)),
    "faults": lambda report: report.faults,
    "moves": lambda report: report.moves,
}


def check_config(report: AuditReport, stored: Archive, listed: Archive) -> None:
    """Compare the config with the one in the database."""
    path = report.directory / CONFIG_FILE
    for difference in differences(listed.config, stored.config):
        report.add(path, None, f"{difference} when the tournament was created")


def check_stored(report: AuditReport, stored: Archive) -> None:
    """Compare what the database says of the tournament with what the config there makes."""
    tournament, config = stored.tournament, stored.config
    database = report.database
    versions = {bot.name: bot.version for bot in tournament.bots}
    for what, is_stored, is_due in (
        ("the name", tournament.name, config.name),
        ("the game", tournament.game, config.game),
        ("the number of players", tournament.players, config.players),
        ("the options", dict(tournament.options), dict(config.options)),
        ("the seed", tournament.seed, config.master),
        ("the seed's text", tournament.seed_text, config.seed),
        ("the salt", tournament.salt.hex(), config.salt),
        ("the list of bots", tournament.bots, config.entrants(versions)),
    ):
        if is_stored != is_due:
            report.add(database, None, f"{what} is not the one of the config stored with it")
    made = make_schedule(config.plan()).fixtures
    for fixture, planned in zip(stored.fixtures, made, strict=False):
        if fixture != planned:
            report.add(database, None, f"match {fixture.match} is not the one of the schedule")
    if len(stored.fixtures) != len(made):
        report.add(
            database,
            None,
            f"the schedule has {counted(len(stored.fixtures), 'match', 'es')}, not {len(made):,}",
        )


def check_secrets(report: AuditReport, listed: Archive) -> None:
    """Compare what timing.json says of seed, salt and commitment with the config."""
    timing, tournament = listed.timing, listed.tournament
    path = report.directory / TIMING_FILE
    if timing is None:
        report.notes.append("there is no timing.json: the commitment to the seed was not checked")
        return
    if timing.commitment != commitment(tournament.seed, tournament.salt):
        report.add(path, None, "commitment is not the SHA-256 of salt and seed")
    for what, said, right in (
        ("tournament", timing.tournament, tournament.name),
        ("created", timing.created, tournament.created),
        ("seed", timing.seed, tournament.seed.hex() if timing.is_complete else None),
        ("salt", timing.salt, tournament.salt.hex() if timing.is_complete else None),
    ):
        if said != right:
            report.add(path, None, f"{what} is not that of the tournament")
    digests = digests_of(listed, b"")
    if timing.digests.get(CONFIG_FILE) != digests[CONFIG_FILE]:
        report.add(
            path, None, f"the digest of {CONFIG_FILE} does not match: one of them was changed"
        )


def check_lines(
    report: AuditReport, stored: Archive | None, listed: Archive, release: Release
) -> bool:
    """Check every line; return whether a leaderboard can be made from them."""
    fixtures = {fixture.match: fixture for fixture in listed.fixtures}
    before = -1
    are_sound = True
    for line in listed.lines:
        problem = _fixture_problem(line.match.fixture, fixtures, before)
        before = line.match.fixture.index
        if problem:
            are_sound = False
            report.add(report.directory / MATCHES_FILE, line.number, problem)
    if not are_sound:
        return False
    if stored is not None:
        _compare_stored(report, stored, listed, release)
    elif release.is_complete:
        _find_missing(report, listed, release)
    _compare_text(report, listed, release)
    return True


def _fixture_problem(
    fixture: FixtureRecord, fixtures: Mapping[str, FixtureRecord], before: int
) -> str:
    """Return what is wrong with where a line stands and who played, "" if nothing is."""
    due = fixtures.get(fixture.match)
    if due is None:
        return f"match {fixture.match!r} is not in the schedule"
    for name in _FIXTURE_FIELDS:
        said, right = getattr(fixture, name), getattr(due, name)
        if said != right:
            return f"{name} must be {_plain(right)} by the schedule, not {_plain(said)}"
    if fixture.index <= before:
        return f"match {fixture.match} is out of order or listed twice"
    return ""


def _compare_stored(
    report: AuditReport, stored: Archive, listed: Archive, release: Release
) -> None:
    path = report.directory / MATCHES_FILE
    results = {match.fixture.match: match.report for match in stored.matches}
    for line in listed.lines:
        result = results.pop(line.match.fixture.match, None)
        if result is None:
            report.add(path, line.number, "the database has no result of this match")
        elif problem := _report_problem(line, result):
            report.add(path, line.number, problem)
    if release.is_complete:
        for match in results:
            report.add(path, None, f"match {match} is missing")
    elif results:
        report.notes.append(f"played since the last export: {counted(len(results), 'match', 'es')}")


def _report_problem(line: MatchLine, result: MatchReport) -> str:
    for name, read in _REPORT_FIELDS.items():
        said, right = read(line.match.report), read(result)
        if said != right:
            if name == "faults":
                return "faults are not those of the database"
            return f"{name} {_plain(said)}, but the database has {_plain(right)}"
    return ""


def _find_missing(report: AuditReport, listed: Archive, release: Release) -> None:
    there = {line.match.fixture.match for line in listed.lines}
    there |= {fixture.match for fixture in listed.parked}
    last = release.settled_after
    for fixture in listed.fixtures:
        if fixture.match not in there and (last is None or fixture.round <= last):
            report.add(report.directory / MATCHES_FILE, None, f"match {fixture.match} is missing")


def _compare_text(report: AuditReport, listed: Archive, release: Release) -> None:
    """Compare every line with the one that match, seed and config make."""
    path = report.directory / MATCHES_FILE
    found = path.read_bytes()
    lines = zip(match_fields(listed, release), found.split(b"\n"), strict=False)
    for number, (due, said) in enumerate(lines, start=1):
        if write_line(due) != said:
            report.add(path, number, _text_problem(due, said))
    if found[-1:] not in (b"", b"\n") and not report.accuses(path):
        report.add(path, None, "does not end as it should")
    timing = listed.timing
    if timing is not None and not report.accuses(path):
        digests = digests_of(listed, found)
        if timing.digests.get(MATCHES_FILE) != digests[MATCHES_FILE]:
            report.add(
                report.directory / TIMING_FILE,
                None,
                f"the digest of {MATCHES_FILE} does not match: one of them was changed",
            )


def _text_problem(due: Mapping[str, Json], said: bytes) -> str:
    found = json.loads(said)
    for name in ("seed", *due):  # from a wrong seed more follows that is wrong
        if due[name] != found.get(name):
            return f"{name} must be {json.dumps(due[name])}, not {json.dumps(found.get(name))}"
    return "is not written the way arena writes it"


def _plain(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)
