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
QUICK = {"python"} | {language.name for language in LANGUAGES if not language.has_sdk}
CASES = [
    (language.name, game)
    for language in LANGUAGES
    for game in ((None, *GAMES) if language.name in QUICK else (None, GAMES[1]))
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


def arena(*arguments: object, where: Path) -> str:
    """Run the command and return its output; it must succeed."""
    return succeed([sys.executable, "-m", "arena", *map(str, arguments)], where)


def succeed(command: list[str], where: Path) -> str:
    done = subprocess.run(
        command, cwd=where, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def share_products(language: Language, project: Path) -> None:
    """Let a build begin with what the SDK's own build has compiled already."""
    if language.name == "rust":
        (CLIENTS / "rust" / "target").mkdir(exist_ok=True)
        (project / "target").symlink_to(CLIENTS / "rust" / "target")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game"), CASES)
def test_a_new_project_is_ready(name, game, tmp_path):
    """It passes arena check without a warning and its own tests, and plays without a fault."""
    language = get_language(name)
    require(language)
    bot = f"{name}-{game or 'any'}"
    project = tmp_path / bot
    flags = [] if game is None else ["--game", game]

    arena("init", name, bot, *flags, where=tmp_path)
    share_products(language, project)
    card = json.loads(arena("check", "--json", where=project))
    failures = [finding for finding in card["findings"] if finding["verdict"] == "failed"]
    assert not [finding for finding in failures if finding["situation"] != "time"]  # on a busy day
    assert card["bot"]["name"] == bot
    if game is not None:
        assert game in card["bot"]["games"]

    values = {"python": python_command(CLIENTS / "python")}
    succeed(["sh", "-c", fill(language.test.encode(), values).decode()], project)

    players = ["--bot", "bots.toml", "--bot", "greedy", "--bot", "random"]
    line = arena("match", game or GAMES[0], "--seed", 7, "--json", *players, where=project)
    match = json.loads(line)
    assert match["ended"] == ["normal"] * 3
    assert not match["faults"]
