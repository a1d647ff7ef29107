"""Tells how scenarios went: failures with what the program wrote, and a table of all SDKs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clients.conformance.runner import Result
from clients.conformance.scenario import Scenario
from clients.conformance.sdks import Sdk

MOST_SHOWN = 40  # lines of stderr


@dataclass(frozen=True, slots=True)
class Row:
    """One SDK: its results by the scenario's name, or why there are none."""

    sdk: Sdk
    results: Mapping[str, Result]
    skipped: str | None = None

    @property
    def has_passed(self) -> bool:
        """Whether nothing failed."""
        return all(result.has_passed for result in self.results.values())


def show_failure(language: str, result: Result) -> str:
    """Return what was expected, what came, and what the program wrote."""
    lines = [f"{language} {result.scenario.name}: {result.failure}"]
    for name, written in (("stdout", result.stdout), ("stderr", result.stderr)):
        shown = written.splitlines()[-MOST_SHOWN:]
        lines += textwrap.indent("\n".join(shown), f"  {name}| ").splitlines()
    return "\n".join(lines)


def show_table(rows: Sequence[Row], scenarios: Sequence[Scenario]) -> str:
    """Return a table of scenarios and languages, and a line that counts."""
    width = max((len(scenario.name) for scenario in scenarios), default=0)
    names = [row.sdk.name for row in rows]
    lines = [" " * width + "  " + "  ".join(names)]
    for scenario in scenarios:
        cells = (_cell(row, scenario).ljust(len(row.sdk.name)) for row in rows)
        lines.append(f"{scenario.name:<{width}}  {'  '.join(cells)}".rstrip())
    lines.append("")
    for row in rows:
        if row.skipped:
            lines.append(f"{row.sdk.name}: skipped ({row.skipped})")
            continue
        failed = sum(not result.has_passed for result in row.results.values())
        verdict = f"{failed} failed" if failed else "all passed"
        lines.append(f"{row.sdk.name}: {len(row.results)} scenarios, {verdict}")
    return "\n".join(lines)


def to_json(rows: Sequence[Row]) -> str:
    """Return the results for machines."""
    return json.dumps(
        {
            row.sdk.name: {
                "skipped": row.skipped,
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
        },
        indent=1,
        ensure_ascii=False,
    )


def _cell(row: Row, scenario: Scenario) -> str:
    result = row.results.get(scenario.name)
    if result is None:
        return "-"
    return "ok" if result.has_passed else "FAIL"
