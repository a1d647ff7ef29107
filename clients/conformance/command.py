"""The command line: `python -m clients.conformance [LANGUAGE …]`.

Exit codes: 0 everything passed, 1 something failed, 2 bad usage, or an SDK that cannot be built.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from clients.conformance import golden, sdks
from clients.conformance.page import PATH, page
from clients.conformance.reader import ScenarioError, read_scenarios
from clients.conformance.report import Row, show_complaints, show_failure, show_table, to_json
from clients.conformance.runner import Result, run_all, subject_of
from clients.conformance.scenario import Scenario


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        scenarios = _named(read_scenarios(), options.scenario)
        rows = [_run(sdk, scenarios, options) for sdk in sdks.chosen(options.language)]
    except (ScenarioError, sdks.SdkError) as error:
        print(error, file=sys.stderr)
        return 2
    print(to_json(rows) if options.json else show_table(rows, scenarios))
    if options.write:
        return _write(rows, scenarios)
    return int(any(row.failed for row in rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m clients.conformance", description="Play the arena against the SDKs."
    )
    parser.add_argument("language", nargs="*", help="an SDK such as go; all if none is named")
    parser.add_argument(
        "--scenario", action="append", default=[], metavar="NAME", help="only this; repeatable"
    )
    parser.add_argument("--verbose", action="store_true", help="tell of what passes, too")
    parser.add_argument("--json", action="store_true", help="print the results for machines")
    parser.add_argument(
        "--write", action="store_true", help="write docs/conformance.md if all languages pass"
    )
    return parser


def _named(scenarios: list[Scenario], names: Sequence[str]) -> list[Scenario]:
    known = {scenario.name for scenario in scenarios}
    for name in names:
        if name not in known:
            raise ScenarioError(f"there is no scenario {name!r} in clients/conformance/scenarios")
    return [scenario for scenario in scenarios if not names or scenario.name in names]


def _run(sdk: sdks.Sdk, scenarios: list[Scenario], options: argparse.Namespace) -> Row:
    lacking = sdks.missing(sdk)
    if lacking is not None:
        if os.environ.get("ARENA_REQUIRE_ALL"):
            raise sdks.SdkError(lacking)
        return Row(sdk, {}, skipped=lacking)
    sdks.build(sdk)
    complaints = None if options.scenario else golden.check(sdk)
    if complaints and not options.json:
        print(show_complaints(sdk.name, complaints), flush=True)
    return Row(sdk, asyncio.run(_play(sdk, scenarios, options)), complaints)


async def _play(
    sdk: sdks.Sdk, scenarios: list[Scenario], options: argparse.Namespace
) -> dict[str, Result]:
    results = {}
    async for result in run_all(subject_of(sdk), scenarios):
        name = result.scenario.name
        results[name] = result
        if options.json:
            continue
        if not result.has_passed:
            print(show_failure(sdk.name, result), flush=True)
        elif options.verbose:
            print(f"{sdk.name} {name}: passed in {result.seconds:.1f} s", flush=True)
    return results


def _write(rows: Sequence[Row], scenarios: Sequence[Scenario]) -> int:
    if {row.sdk.name for row in rows if row.is_complete} != {s.name for s in sdks.read_sdks()}:
        print(f"{PATH.name} is not written: not everything has passed", file=sys.stderr)
        return 1
    PATH.write_text(page(scenarios, [row.sdk for row in rows]), encoding="utf-8")
    print(f"wrote {PATH}")
    return 0
