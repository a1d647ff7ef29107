from __future__ import annotations

import pytest

from arena.config.bot_spec import BotSpec
from arena.examine.finding import Verdict
from tests.examine.examined import EXAMPLES, examined, failures, rules, script_spec

pytestmark = pytest.mark.slow

BOTH = ("byzanz", "schwarzmarkt")
LEISURE = rules(move_time_s=20.0)
"""A busy machine may keep a good bot from running for a second: that is not what is tested here."""


def test_a_built_in_bot_passes_everything():
    """A built-in bot as a program passes without a warning, in both games."""
    card = examined(BotSpec(name="planner", builtin="planner"), BOTH, LEISURE)

    assert not failures(card)
    assert card.is_fit
    assert card.is_complete
    assert {finding.game for finding in card.findings} == {None, *BOTH}


@pytest.mark.parametrize("name", ["random_bot", "byzanz_sensible_bot", "schwarzmarkt_sensible_bot"])
def test_examples_of_the_sdk_pass_everything(name: str):
    """The examples of the Python SDK pass without a warning, resuming included."""
    # That those of one game play many matches at once as they play one is seen move by move in
    # tests/e2e/test_all_languages.py.
    left_out = () if name == "random_bot" else ("several-matches", "repeatable")
    card = examined(script_spec(EXAMPLES / f"{name}.py"), BOTH, LEISURE, left_out=left_out)
    resumed = next(f for f in card.findings if f.situation == "reconnect")

    assert not failures(card)
    assert resumed.verdict is Verdict.PASSED
