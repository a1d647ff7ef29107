"""A name means one thing."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
CLASS = re.compile(r"^ *class (\w+)", re.MULTILINE)


def test_no_two_classes_share_a_name():
    """Not even in different packages. Only each game has its own Observation, Setup and moves."""
    places = defaultdict(list)
    for path in (ROOT / "arena").rglob("*.py"):
        if not {"v1", "byzanz", "schwarzmarkt", "highcard"} & {*path.parts}:
            for name in CLASS.findall(path.read_text(encoding="utf-8")):
                places[name].append(str(path))

    assert {name: found for name, found in places.items() if len(found) > 1} == {}
