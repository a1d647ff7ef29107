from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from arena.starter.languages import get_language
from arena.starter.project import Project, make_project
from tests.programs import require_success, run_python

UNITTEST = ("-B", "-m", "unittest")
KINDS = (None, "byzanz", "schwarzmarkt")


def new_project(directory: Path, game: str | None) -> Path:
    """Make a project, for any game or one."""
    values = {"name": "mine", "python": sys.executable}
    make_project(Project(get_language("python"), directory, game, values))
    return directory


@pytest.mark.slow
def test_a_new_bot_is_typed(tmp_path, pytestconfig):
    """The author's files pass mypy, as strict as the generated stubs allow."""
    # One after the other: what the first has learnt of the SDK the others need not.
    cache = pytestconfig.cache.mkdir("mypy-of-projects")
    flags = ["--strict", "--allow-any-generics", f"--cache-dir={cache}"]
    for game in KINDS:
        project = new_project(tmp_path / f"for-{game}", game)
        require_success(
            run_python("-m", "mypy", *flags, "my_bot.py", "test_my_bot.py", cwd=project)
        )


@pytest.mark.slow
@pytest.mark.parametrize("game", KINDS)
def test_a_project_notices_a_bot_that_makes_illegal_moves(game, tmp_path):
    """Its own tests, which pass at first (tests/sdk/test_init.py), fail when the bot does."""
    project = new_project(tmp_path / "mine", game)
    bot = project / "my_bot.py"
    bot.write_text(re.sub(r"return .*$", "return 99", bot.read_text(), flags=re.MULTILINE))
    done = run_python(*UNITTEST, cwd=project)

    assert done.returncode != 0
    assert "which is not one of the" in done.stderr
