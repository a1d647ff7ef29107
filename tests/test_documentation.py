"""What docs/ shows is so: programs print what stands below them, and the tree is the real one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs import require_success, run_python

ROOT = Path(__file__).parent.parent
DOCS, ARENA = ROOT / "docs", ROOT / "arena"
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


def named_in_tree(page: str) -> list[str]:
    """Return what the tree of a page names under arena/, a path for each name."""
    tree = re.search(r"^arena/\n((?: +.*\n)+)", page, re.MULTILINE)
    assert tree is not None
    named: list[str] = []
    parents: list[str] = []  # the directory at each depth
    for line in tree[1].splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        if depth > 10:
            continue  # a description goes on
        names = re.match(r" *([\w.]+/?(?:, [\w.]+)*)", line)
        assert names is not None, line
        for name in names[1].split(", "):
            parents[depth - 1 :] = [name]
            named.append("".join(parents))
    return named


def test_the_tree_names_every_module_once():
    """A directory is named as a whole, or with each of its modules."""
    named = named_in_tree((DOCS / "architecture.md").read_text(encoding="utf-8"))
    leaves = [a for a in named if not any(b.startswith(a) and a != b for b in named)]
    due = [
        path.relative_to(ARENA).as_posix()
        for path in (*ARENA.rglob("*.py"), *ARENA.glob("wire/*.c"))
        if not path.name.startswith("__")
    ]

    assert sorted(named) == sorted(set(named))
    assert [name for name in named if not (ARENA / name).exists()] == []
    covered = [[leaf for leaf in leaves if path.startswith(leaf)] for path in due]
    assert [path for path, by in zip(due, covered, strict=True) if len(by) != 1] == []
