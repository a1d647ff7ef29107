"""Every SDK does what clients/README.md says: the scenarios of clients/conformance."""

from __future__ import annotations

import asyncio

import pytest

from clients.conformance import page, sdks
from clients.conformance.reader import PARTS, read_scenarios
from clients.conformance.report import show_failure
from clients.conformance.runner import Result, run_all, subject_of
from clients.conformance.series import can_share
from tests.sdks import NAMES, built

SCENARIOS = read_scenarios()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_sdk_behaves_as_the_contract_says(name):
    """One SDK goes through all scenarios."""
    subject = subject_of(built(name))

    async def failures() -> list[Result]:
        return [one async for one in run_all(subject, SCENARIOS) if not one.has_passed]

    failed = asyncio.run(failures())
    if failed:
        shown = "\n\n".join(show_failure(name, result) for result in failed)
        pytest.fail(f"{len(failed)} of {len(SCENARIOS)} scenarios failed\n\n{shown}", pytrace=False)


def test_every_part_of_the_contract_has_scenarios():
    """A part without any would be an empty table."""
    assert {scenario.part for scenario in SCENARIOS} == set(PARTS)


def test_every_part_of_the_contract_has_programs_that_end_by_themselves():
    """In a shared process nobody sees whether the program ends."""
    own = [scenario for scenario in SCENARIOS if not can_share(scenario)]
    assert {scenario.part for scenario in own} == set(PARTS)


def test_exceptions_name_sdks():
    """A misspelt exception would except nothing, or hide for ever what was mended."""
    named = {name for scenario in SCENARIOS for name in scenario.exceptions}
    assert named <= set(NAMES)


def test_the_page_is_what_the_scenarios_say():
    """docs/conformance.md lists these scenarios and SDKs."""
    written = page.PATH.read_text(encoding="utf-8")
    assert written == page.page(SCENARIOS, sdks.read_sdks()), (
        "docs/conformance.md is stale: run python -m clients.conformance --write"
    )
