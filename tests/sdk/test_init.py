from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.starter.files import CLIENTS, GAMES, needs_of
from arena.starter.languages import LANGUAGES, Language, get_language
from arena.starter.project import fill
from arena.starter.toolchain import find_lack, python_command
from clients.conformance.sdks import chosen_names

LIMIT_S = 600.0
BUILT = [language.name for language in LANGUAGES if language.has_sdk and language.name != "python"]
STDIO = [language.name for language in LANGUAGES if not language.has_sdk]
CASES = [
    *(("python", game) for game in (None, *GAMES)),
    *((name, game) for name in BUILT for game in (None, "schwarzmarkt")),  # each costs a build
    *((name, None) for name in STDIO),  # one bot for all games
]


def require(language: Language) -> None:
    """Skip the test if the language is left out, or its tools are not on this machine."""
    chosen = chosen_names()
    if chosen is not None and language.name not in chosen:
        pytest.skip(f"{language.title}: left out by LANGS")
    for need in needs_of(language):
        lack = find_lack(need)
        if lack:
            assert not os.environ.get("ARENA_REQUIRE_ALL"), lack
            pytest.skip(f"{language.title}: {lack}: install {need.install}")


def arena(where: Path, *arguments: object) -> str:
    """Run the command in a directory and return its output; it must succeed."""
    return succeed(where, sys.executable, "-m", "arena", *map(str, arguments))


def succeed(where: Path, *command: str) -> str:
    done = subprocess.run(
        command, cwd=where, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def make(where: Path, language: Language, game: str | None) -> Path:
    """Make a project, whose build may begin with what the SDK's own has compiled already."""
    project = where / f"{language.name}-{game or 'any'}"
    flags = [] if game is None else ["--game", game]
    arena(where, "init", language.name, project.name, *flags)
    if language.name == "rust":
        products = CLIENTS / "rust" / "target"
        products.mkdir(exist_ok=True)
        (project / "target").symlink_to(products)
    return project


def run_own_tests(project: Path, language: Language) -> None:
    """Run the project's tests as its author does."""
    python = {"python": python_command(CLIENTS / "python")}
    succeed(project, "sh", "-c", fill(language.test.encode(), python).decode())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game"), CASES)
def test_a_new_project_is_ready(name, game, tmp_path):
    """It passes arena check without a warning and its own tests, and plays without a fault."""
    language = get_language(name)
    require(language)
    project = make(tmp_path, language, game)

    card = json.loads(arena(project, "check", "--json"))
    failures = [finding for finding in card["findings"] if finding["verdict"] == "failed"]
    assert not [finding for finding in failures if finding["situation"] != "time"]  # on a busy day
    assert card["bot"]["name"] == project.name
    if game is not None:
        assert card["bot"]["games"] == [game]

    run_own_tests(project, language)

    players = ["--bot", "bots.toml", "--bot", "greedy", "--bot", "random"]
    match = json.loads(arena(project, "match", game or "byzanz", "--seed", 7, "--json", *players))
    assert match["ended"] == ["normal"] * 3
    assert not match["faults"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", STDIO)
def test_a_program_over_pipes_is_ready_for_every_game(name, game, tmp_path):
    """One bot plays all games: only the samples are another game's."""
    language = get_language(name)
    require(language)

    run_own_tests(make(tmp_path, language, game), language)
