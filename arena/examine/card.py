"""The report card: for people as lines, for programs as JSON."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from arena.examine.finding import Finding, Verdict, Weight
from arena.games.game import Json
from arena.v1 import play_pb2

FORMAT = "arena-check/1"

_TITLE_WIDTH = 64
_MARGIN = " " * 9


class Mark(enum.Enum):
    """What stands before a line of the card."""

    PASSED = "passed"
    FAILED = "FAILED"
    WARNING = "warning"
    NOTE = "note"
    NOT_APPLICABLE = "n/a"
    ASIDE = ""  # belongs to the line above


@dataclass(frozen=True, slots=True)
class Line:
    """One line for people. What bots print is quoted in it as it is: see that it is harmless."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class ReportCard:
    """All that was found about one bot."""

    name: str
    hello: play_pb2.Hello
    findings: tuple[Finding, ...]
    elapsed_s: float  # without the build
    is_complete: bool = True  # False: some situations make sense only when others go well
    build_s: float | None = None  # None: there was nothing to build

    @property
    def is_fit(self) -> bool:
        """Whether the bot would survive a tournament."""
        return not any(finding.is_failure for finding in self.findings)

    def summary(self) -> str:
        """Return the last line."""
        counts = Counter(mark_of(finding) for finding in self.findings)
        parts = [
            f"{counts[mark]} {word}"
            for mark, word in (
                (Mark.PASSED, "passed"),
                (Mark.FAILED, "failed"),
                (Mark.WARNING, "warnings" if counts[Mark.WARNING] > 1 else "warning"),
                (Mark.NOT_APPLICABLE, "not applicable"),
            )
            if counts[mark]
        ]
        fit = "would survive a tournament" if self.is_fit else "would not survive a tournament"
        name = self.hello.bot or self.name
        rest = "" if self.is_complete else "; the other checks run when this passes"
        build = "" if self.build_s is None else f" (build: {self.build_s:.1f} s)"
        return f"{', '.join(parts)} in {self.elapsed_s:.1f} s{build}: {name} {fit}{rest}"

    def to_json(self) -> dict[str, Json]:
        """Return the whole card."""
        hello = self.hello
        return {
            "format": FORMAT,
            "bot": {
                "name": hello.bot or self.name,
                "version": hello.version,
                "language": hello.language,
                "sdk": hello.sdk,
                "games": list(hello.games),
                "max_matches": max(hello.max_matches, 1),
            },
            "fit": self.is_fit,
            "complete": self.is_complete,
            "build_s": None if self.build_s is None else round(self.build_s, 3),
            "elapsed_s": round(self.elapsed_s, 3),
            "findings": [_to_json(finding) for finding in self.findings],
        }


def mark_of(finding: Finding) -> Mark:
    """Return what stands before the finding's line."""
    if finding.verdict is Verdict.NOT_APPLICABLE:
        return Mark.NOT_APPLICABLE
    if finding.verdict is Verdict.FAILED:
        return Mark.FAILED if finding.is_failure else Mark.WARNING
    return Mark.NOTE if finding.level is Weight.NOTE else Mark.PASSED


def lines(finding: Finding) -> Iterator[Line]:
    """Yield a finding for people: one line, and what to do about it if it failed."""
    title = f"{finding.game}: {finding.title}" if finding.game else finding.title
    mark = mark_of(finding)
    if finding.verdict is not Verdict.FAILED:
        detail = f"{title:<{_TITLE_WIDTH}} {finding.detail}" if finding.detail else title
        yield Line(mark, f"{mark.value:<8} {detail}")
        return
    yield Line(mark, f"{mark.value:<8} {title}: {finding.detail}")
    yield Line(Mark.ASIDE, f"{_MARGIN}why it matters: {finding.meaning}")
    if finding.advice:
        yield Line(Mark.ASIDE, f"{_MARGIN}what to do: {finding.advice}")
    if finding.last_words:
        yield Line(Mark.ASIDE, f"{_MARGIN}last lines it printed:")
        for words in finding.last_words:
            yield Line(Mark.ASIDE, f"{_MARGIN}  | {words}")


def _to_json(finding: Finding) -> dict[str, Json]:
    return {
        "situation": finding.situation,
        "title": finding.title,
        "game": finding.game,
        "level": finding.level.value,
        "verdict": finding.verdict.value,
        "detail": finding.detail,
        "meaning": finding.meaning,
        "advice": finding.advice,
        "last_words": list(finding.last_words),
        "elapsed_s": round(finding.elapsed_s, 3),
    }
