"""What the exam found, as values."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Weight(enum.Enum):
    """How much a situation counts."""

    MUST = "must"  # a bot that fails does not survive a tournament
    SHOULD = "should"  # a warning
    NOTE = "note"  # for the author to know


class Verdict(enum.Enum):
    """How a situation went."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"  # there was nothing to examine, or no way to


@dataclass(frozen=True, slots=True)
class Report:
    """What a situation says when it is over; `level` replaces the situation's own."""

    verdict: Verdict
    detail: str = ""  # what happened
    advice: str = ""  # what to do about it
    level: Weight | None = None
    last_words: tuple[str, ...] | None = None  # None: as they are now


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report card."""

    situation: str  # its id, the same in every version
    title: str
    level: Weight
    verdict: Verdict
    game: str | None  # None: it is not about one game
    detail: str
    meaning: str  # why it matters
    advice: str
    last_words: tuple[str, ...]  # the end of what the bot printed, if it failed
    elapsed_s: float

    @property
    def is_failure(self) -> bool:
        """Whether the bot would not survive a tournament."""
        return self.verdict is Verdict.FAILED and self.level is Weight.MUST


def passed(detail: str = "") -> Report:
    """Return that all is well."""
    return Report(Verdict.PASSED, detail)


def failed(detail: str, advice: str = "", level: Weight | None = None) -> Report:
    """Return that something is not."""
    return Report(Verdict.FAILED, detail, advice, level)


def not_applicable(detail: str) -> Report:
    """Return that there was nothing to examine."""
    return Report(Verdict.NOT_APPLICABLE, detail)
