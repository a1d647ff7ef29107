"""All scenarios by name, the riskiest first."""

from __future__ import annotations

from tests.chaos.clock import clock
from tests.chaos.disk import disk
from tests.chaos.fuzz import fuzzing
from tests.chaos.idle import idle
from tests.chaos.kills import kills
from tests.chaos.many import many
from tests.chaos.postgres_gone import postgres
from tests.chaos.scenario import Scenario

ALL: dict[str, Scenario] = {
    "kills": kills,
    "fuzz": fuzzing,
    "disk": disk,
    "clock": clock,
    "postgres": postgres,
    "idle": idle,
    "many": many,
}
