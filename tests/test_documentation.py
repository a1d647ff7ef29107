"""The programs that docs/ shows whole print what is shown below them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs import require_success, run_python

DOCS = Path(__file__).parent.parent / "docs"
SHOWN = re.compile(
    r"^```python\n(?P<program>.*?)^```\n+"
    r"(?:It prints:\n+)?"
    r"```\n(?:\$ [^\n]*\n)?(?P<printed>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "count"), [("bots.md", 2), ("file-formats.md", 1)])
def test_programs_print_what_the_page_shows(page, count):
    """Each can be pasted into a file and run."""
    found = [*SHOWN.finditer((DOCS / page).read_text(encoding="utf-8"))]
    assert len(found) == count
    for example in found:
        assert require_success(run_python("-c", example["program"])) == example["printed"]
