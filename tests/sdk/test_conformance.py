"""Every SDK does what clients/README.md says: the scenarios of clients/conformance."""

from __future__ import annotations

import asyncio

import pytest

from clients.conformance import page, sdks
from clients.conformance.reader import PARTS, read_scenarios
from clients.conformance.report import show_failure
from clients.conformance.runner import run_all, subject_of
from clients.conformance.scenario import Scenario
from clients.conformance.series import can_share
from tests.sdks import NAMES, all_built, built

SCENARIOS = read_scenarios()


LONG = [scenario for scenario in SCENARIOS if scenario.is_long]
SHORT = [scenario for scenario in SCENARIOS if not scenario.is_long]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
async def test_an_sdk_behaves_as_the_contract_says(name):
    """One SDK goes through all scenarios but the long ones."""
    await check(built(name), SHORT)


@pytest.mark.slow
async def test_sdks_wait_as_the_contract_says():
    """In these scenarios a bot mostly waits: all SDKs go through them at once."""
    await asyncio.gather(*(check(sdk, LONG) for sdk in all_built()))


async def check(sdk: sdks.Sdk, scenarios: list[Scenario]) -> None:
    """Play scenarios; fail with all that went wrong."""
    results = [result async for result in run_all(subject_of(sdk), scenarios)]
    failed = [show_failure(sdk.name, result) for result in results if not result.has_passed]
    if failed:
        told = f"{len(failed)} of {len(scenarios)} scenarios failed"
        pytest.fail("\n\n".join([told, *failed]), pytrace=False)


def test_every_part_of_the_contract_has_scenarios():
    """A part without any would be an empty table."""
    assert {scenario.part for scenario in SCENARIOS} == set(PARTS)


def test_programs_end_by_themselves_with_every_exit_code():
    """In a shared process nobody sees whether the program ends, and with which code."""
    own = [scenario for scenario in SCENARIOS if not can_share(scenario)]
    assert {one.end.exit_code for one in own} == {one.end.exit_code for one in SCENARIOS}


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
