"""`python -m clients.conformance [LANGUAGE …]`: the arena against every SDK.

Exit codes: 0 all scenarios passed, 1 some failed, 2 bad usage or a toolchain is missing that must
be there (ARENA_REQUIRE_ALL).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from clients.conformance import sdks
from clients.conformance.reader import ScenarioError, read_scenarios
from clients.conformance.report import Row, show_failure, show_table, to_json
from clients.conformance.runner import run_all, subject_of
from clients.conformance.scenario import Scenario


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        scenarios = _chosen(read_scenarios(), options.scenario)
        rows = [
            _run(sdk, scenarios, verbose=options.verbose, quiet=options.json)
            for sdk in sdks.chosen(options.language)
        ]
    except (ScenarioError, sdks.SdkError) as error:
        print(error, file=sys.stderr)
        return 2
    print(to_json(rows) if options.json else show_table(rows, scenarios))
    return int(any(not row.has_passed for row in rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m clients.conformance", description="Play the arena against the SDKs."
    )
    parser.add_argument("language", nargs="*", help="an SDK such as go; all if none is named")
    parser.add_argument("--scenario", action="append", default=[], help="run this one alone")
    parser.add_argument("--verbose", action="store_true", help="tell of those that pass, too")
    parser.add_argument("--json", action="store_true", help="print the results for machines")
    return parser


def _chosen(scenarios: list[Scenario], names: Sequence[str]) -> list[Scenario]:
    known = {scenario.name for scenario in scenarios}
    for name in names:
        if name not in known:
            raise ScenarioError(
                f"there is no scenario {name!r}: see {'clients/conformance/scenarios'}"
            )
    return [scenario for scenario in scenarios if not names or scenario.name in names]


def _run(sdk: sdks.Sdk, scenarios: list[Scenario], *, verbose: bool, quiet: bool) -> Row:
    lacking = sdks.missing(sdk)
    if lacking is not None:
        if os.environ.get("ARENA_REQUIRE_ALL"):
            raise sdks.SdkError(lacking)
        return Row(sdk, {}, lacking)
    sdks.build(sdk)

    async def run() -> Row:
        results = {}
        async for result in run_all(subject_of(sdk), scenarios):
            results[result.scenario.name] = result
            if quiet:
                continue
            if not result.has_passed:
                print(show_failure(sdk.name, result), flush=True)
            elif verbose:
                print(f"{sdk.name} {result.scenario.name}: {result.seconds:.1f} s", flush=True)
        return Row(sdk, results)

    return asyncio.run(run())


if __name__ == "__main__":
    sys.exit(main())
