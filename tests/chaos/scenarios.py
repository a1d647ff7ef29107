"""All scenarios by name, the riskiest first."""

from __future__ import annotations

from tests.chaos.fuzz import fuzzing
from tests.chaos.kills import kills
from tests.chaos.many import many
from tests.chaos.scenario import Scenario

ALL: dict[str, Scenario] = {"kills": kills, "fuzz": fuzzing, "many": many}
