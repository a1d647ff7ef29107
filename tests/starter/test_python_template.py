from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.starter.languages import get_language
from arena.starter.project import Project, make_project


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", "-m", *arguments]
    return subprocess.run(
        command, cwd=project, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(params=[None, "byzanz", "schwarzmarkt"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A new project, for any game or one."""
    values = {"name": "mine", "python": sys.executable}
    make_project(Project(get_language("python"), tmp_path / "mine", request.param, values))
    return tmp_path / "mine"


@pytest.mark.slow
def test_a_new_bot_is_typed(project, tmp_path_factory):
    """The author's files pass mypy, as strict as the generated stubs allow."""
    cache = tmp_path_factory.getbasetemp() / "mypy"
    flags = ["--strict", "--allow-any-generics", f"--cache-dir={cache}"]
    done = run(project, "mypy", *flags, "my_bot.py", "test_my_bot.py")

    assert done.returncode == 0, done.stdout


def test_a_project_notices_a_bot_that_makes_illegal_moves(project):
    """Its own tests pass at first, and fail when the bot does."""
    assert run(project, "unittest").returncode == 0
    bot = project / "my_bot.py"
    bot.write_text(re.sub(r"return .*$", "return 99", bot.read_text(), flags=re.MULTILINE))
    done = run(project, "unittest")

    assert done.returncode != 0
    assert "which is not one of the" in done.stderr
