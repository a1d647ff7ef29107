"""The leaderboards of a results directory, made again and compared byte for byte."""

from __future__ import annotations

from pathlib import Path

from arena import __version__
from arena.errors import InputError
from arena.rating.ratings import MODELS
from arena.results.archive import Archive, read_bytes
from arena.results.audit.report import AuditReport
from arena.results.export import PAGE_FILE, Release, make_board, make_exports, model_file
from arena.results.formats import leaderboard_json
from arena.results.matches_file import MATCHES_FILE
from arena.results.replay_files import OnProgress
from arena.results.timing_file import TIMING_FILE


def check_exports(
    report: AuditReport, listed: Archive, release: Release, on_progress: OnProgress | None
) -> None:
    """Make every export again from the matches listed, and compare."""
    exports = make_exports(listed, release=release, on_progress=on_progress)
    for name, content in exports.contents.items():
        if name == MATCHES_FILE:
            continue  # has been compared before
        makers = "the matches"
        if name == PAGE_FILE:
            if not _can_make_page(report, listed):
                continue
            makers += f" and {TIMING_FILE}"
        _compare(report, report.directory / name, content, makers)
    for path in sorted(report.directory.glob(model_file("*"))):
        _check_model(report, listed, release, path)


def _check_model(report: AuditReport, listed: Archive, release: Release, path: Path) -> None:
    """Make the leaderboard of another rating model again."""
    model = next((model for model in MODELS if path.name == model_file(model)), None)
    if model is None:
        report.add(path, None, f"is of no rating model: {', '.join(MODELS)}")
        return
    try:
        board = make_board(listed, release, model=model)
    except InputError as error:  # the package that rates so is not installed
        report.notes.append(f"{path.name} was not recomputed: {error}")
        return
    _compare(report, path, leaderboard_json(board).encode(), "the matches")


def _can_make_page(report: AuditReport, listed: Archive) -> bool:
    if listed.timing is None:
        report.notes.append(f"{PAGE_FILE} was not recomputed: it shows times from timing.json")
        return False
    if listed.timing.arena != __version__:
        report.notes.append(f"{PAGE_FILE} was not recomputed: another version of arena wrote it")
        return False
    return True


def _compare(report: AuditReport, path: Path, due: bytes, makers: str) -> None:
    try:
        found = read_bytes(path)
    except FileNotFoundError:
        report.add(path, None, "is missing; `arena rate` writes it")
        return
    if found == due:
        return
    lines = zip(due.split(b"\n"), found.split(b"\n"), strict=False)
    differing = (number for number, (right, said) in enumerate(lines, start=1) if right != said)
    number = next(differing, min(due.count(b"\n"), found.count(b"\n")) + 1)
    report.add(path, number, f"is not what {makers} make")
