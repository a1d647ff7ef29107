"""Tells how the SDKs did: failures with what the program wrote, a table, and a page of the docs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clients.conformance.expectation import shortened
from clients.conformance.runner import Result, left_out
from clients.conformance.scenario import Scenario
from clients.conformance.sdks import Sdk

GOLDEN = "golden_messages"
MOST_SHOWN = 40  # lines of an output
MOST_COMPLAINTS = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One SDK.

    Attributes:
        sdk: which one.
        results: by the scenario's name.
        complaints: what is wrong with its codec; None if it was not asked.
        skipped: why there are no results; None if there are.
    """

    sdk: Sdk
    results: Mapping[str, Result]
    complaints: Sequence[str] | None = None
    skipped: str | None = None

    @property
    def failed(self) -> int:
        """How many scenarios failed, the golden messages counted as one."""
        failures = sum(not result.has_passed for result in self.results.values())
        return failures + bool(self.complaints)

    @property
    def is_complete(self) -> bool:
        """Whether everything was tried, and passed."""
        return self.skipped is None and self.complaints is not None and not self.failed


def show_failure(language: str, result: Result) -> str:
    """Return what was expected, what came, and what the program wrote."""
    lines = [f"{language} {result.scenario.name}: {result.failure}"]
    for name, written in (("stdout", result.stdout), ("stderr", result.stderr)):
        shown = "\n".join(written.splitlines()[-MOST_SHOWN:])
        lines += textwrap.indent(shown, f"  {name}| ", lambda _line: True).splitlines()
    return "\n".join(lines)


def show_complaints(language: str, complaints: Sequence[str]) -> str:
    """Return what is wrong with a codec."""
    lines = [f"{language} {GOLDEN}: {shortened(one, 1000)}" for one in complaints]
    if len(lines) > MOST_COMPLAINTS:
        rest = len(lines) - MOST_COMPLAINTS
        lines[MOST_COMPLAINTS:] = [f"{language} {GOLDEN}: … and {rest} more"]
    return "\n".join(lines)


def show_table(rows: Sequence[Row], scenarios: Sequence[Scenario]) -> str:
    """Return a table of scenarios and languages, and a line of each language that counts."""
    names = [*(scenario.name for scenario in scenarios), GOLDEN]
    width = max(map(len, names))
    lines = [" " * width + "  " + "  ".join(row.sdk.name for row in rows)]
    for name in names:
        cells = (_cell(row, name).ljust(len(row.sdk.name)) for row in rows)
        lines.append(f"{name:<{width}}  {'  '.join(cells)}".rstrip())
    return "\n".join([*lines, "", *_left_out(rows, scenarios), *map(_summary, rows)])


def to_json(rows: Sequence[Row]) -> str:
    """Return the results for machines."""
    content = {
        row.sdk.name: {
            "skipped": row.skipped,
            "golden_messages": None if row.complaints is None else list(row.complaints),
            "scenarios": {
                name: {
                    "passed": result.has_passed,
                    "failure": result.failure,
                    "seconds": round(result.seconds, 3),
                }
                for name, result in sorted(row.results.items())
            },
        }
        for row in rows
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _cell(row: Row, name: str) -> str:
    if name == GOLDEN:
        if row.complaints is None:
            return "-"
        return "FAIL" if row.complaints else "ok"
    result = row.results.get(name)
    if result is None:
        return "-"
    return "ok" if result.has_passed else "FAIL"


def _left_out(rows: Sequence[Row], scenarios: Sequence[Scenario]) -> Iterator[str]:
    for row in rows:
        for scenario in scenarios:
            reason = left_out(row.sdk.name, scenario)
            if reason is not None and row.skipped is None:
                yield f"{row.sdk.name}: {scenario.name} is left out: {reason}"


def _summary(row: Row) -> str:
    if row.skipped is not None:
        return f"{row.sdk.name}: skipped ({row.skipped})"
    verdict = f"{row.failed} failed" if row.failed else "all passed"
    return f"{row.sdk.name}: {len(row.results)} scenarios, {verdict}"
