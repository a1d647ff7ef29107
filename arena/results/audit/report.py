"""What an audit has found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.storage.chain import ChainLink

_MOST = 20
"""So many problems are told of one file; the others are counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where."""

    file: str
    line: int | None  # from 1; None: the file as a whole
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}"


@dataclass(slots=True)
class AuditReport:
    """The findings, as they are collected."""

    directory: Path
    database: Path = Path("database")  # what it goes by in problems
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scheduled: int = 0
    matches: int = 0
    is_complete: bool = False
    from_files: int = 0  # replays that were played again
    from_database: int = 0  # likewise, where there is no file
    not_replayed: int = 0  # matches whose replay is nowhere
    missing: int = 0  # those of them, and of the files, whose replay should be there
    chain: Mapping[str, ChainLink] = field(default_factory=dict)  # by match: those it covers
    _counts: Counter[str] = field(default_factory=Counter)

    @property
    def is_ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self._counts

    def add(self, path: Path, line: int | None, reason: str) -> None:
        """Note a problem; of a file with very many only the first ones."""
        name = str(path)
        self._counts[name] += 1
        if self._counts[name] <= _MOST:
            self.problems.append(Problem(name, line, reason))
        elif self._counts[name] == _MOST + 1:
            self.problems.append(
                Problem(name, None, "there are more problems than are listed here")
            )

    def accuses(self, path: Path) -> bool:
        """Return whether something is wrong with a file."""
        return self._counts[str(path)] > 0
