from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import main
from arena.starter.files import GAMES
from arena.starter.languages import CLIENTS, Language, get_language, languages
from arena.starter.project import fill
from arena.starter.toolchain import find_lack, python_command
from clients.conformance.sdks import chosen_names
from tests.requirements import skip_lacking
from tests.sdks import built

LIMIT_S = 900.0
AWKWARD = {"java": "bot", "cpp": "test"}  # names that mean something to build tools
SLOW = {"cpp": None, "java": "byzanz", "rust": "schwarzmarkt", "typescript": "byzanz"}
"""Languages that take long to build, each with the one game for which a project is checked."""
TESTED_BY_BUILD = {"java"}  # mvn package
UNOPTIMISED = {
    "CMAKE_BUILD_TYPE": "None",
    # What is compiled does not depend on where it lies; nobody debugs it.
    "GOFLAGS": "-trimpath -ldflags=-w",
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:CICompilerCount=1 -XX:+UseSerialGC",
}
REMEMBERING = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_NOHASHDIR": "1"}
"""What the last run of these tests has compiled, as Go and Rust do by themselves."""
CARGO = """
[profile.release.package]
arena-bots.opt-level = 0
my-bot.opt-level = 0
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [language.name for language in languages()])
def test_new_projects_are_ready(name, tmp_path):
    """They pass arena check, which plays too, or play without a fault, and pass their own tests."""
    language = get_language(name)
    require(language)
    project = tmp_path / AWKWARD.get(name, "mine")
    games = (SLOW[name],) if name in SLOW else (None, *GAMES)
    for number, game in enumerate(games):
        make(language, game, project)
        if number == 0:
            check(project, language, game)
        elif game and language.has_sdk:  # over pipes one bot plays all games
            play(project, game)
        if name not in TESTED_BY_BUILD:
            run_own_tests(language, project)


def require(language: Language) -> None:
    """Skip the test if the language is left out, or its tools are not on this machine."""
    if language.has_sdk:
        built(language.name)
        return
    chosen = chosen_names()
    if chosen is not None and language.name not in chosen:
        pytest.skip(f"{language.title}: left out by LANGS")
    for need in language.needs:
        lack = find_lack(need)
        if lack:
            skip_lacking(f"{language.title}: {lack}: install {need.install}")


def make(language: Language, game: str | None, project: Path) -> None:
    """Make a project; one that is there becomes the new one, but for what has been built in it."""
    place = project.parent / f"{game or 'any'}"
    flags = [] if game is None else ["--game", game]
    assert main(["init", language.name, str(place), "--name", project.name, *flags]) == 0
    if not project.exists():
        place.rename(project)
        hasten(language, project)
        return
    for path in place.rglob("*"):
        target = project / path.relative_to(place)
        if path.is_file() and not (target.exists() and target.read_bytes() == path.read_bytes()):
            shutil.copy(path, target)


def hasten(language: Language, project: Path) -> None:
    """Let a long build begin with what that of the SDK has compiled, and leave the rest as it is.

    How fast the programs are is no question here.
    """
    if language.name == "java":
        reuse_classes(CLIENTS / "java", project / "sdk")
    if language.name == "rust":
        (project / "target").symlink_to(CLIENTS / "rust" / "target")
        (project.parent / ".cargo").mkdir()
        (project.parent / ".cargo" / "config.toml").write_text(CARGO)
    if language.name == "typescript":
        reuse_scripts(CLIENTS / "typescript", project)


def reuse_classes(built_sdk: Path, sdk: Path) -> None:
    """Let Maven find what it would compile of the SDK in a project, if the sources are the same.

    It goes by times, so that the classes must be newer than the sources, and by lists of paths.
    """
    assert_same_sources(built_sdk, sdk, "pom.xml")
    for name in ("generated-sources", "proto", "protobuf-maven-plugin", "maven-status", "classes"):
        shutil.copytree(
            built_sdk / "target" / name, sdk / "target" / name, copy_function=shutil.copyfile
        )
    lists = [path for kind in ("*.lst", "previous.json") for path in sdk.rglob(kind)]
    for path in lists:
        path.write_text(path.read_text().replace(str(built_sdk), str(sdk)))


def reuse_scripts(built_sdk: Path, project: Path) -> None:
    """Let npm and tsc find what they would install, and compile of the SDK, if it is the same."""
    assert_same_sources(built_sdk, project / "sdk", "tsconfig.json")
    shutil.copytree(built_sdk / "dist", project / "sdk" / "dist", copy_function=shutil.copyfile)
    packages = locked_packages(built_sdk)
    for name, locked in locked_packages(project).items():
        assert locked == packages[name], name
        shutil.copytree(built_sdk / name, project / name, copy_function=shutil.copyfile)


def assert_same_sources(built_sdk: Path, sdk: Path, settings: str) -> None:
    """Fail unless a project has the sources that the SDK was built of."""
    sources = [path for path in (sdk / "src").rglob("*") if path.is_file()]
    for source in (sdk / settings, *sources):
        assert source.read_bytes() == (built_sdk / source.relative_to(sdk)).read_bytes()


def locked_packages(directory: Path) -> dict[str, tuple[str, str]]:
    """Return the packages that npm downloads, with their versions and digests."""
    packages = json.loads((directory / "package-lock.json").read_text())["packages"]
    return {
        name: (found["version"], found["integrity"])
        for name, found in packages.items()
        if "integrity" in found
    }


def check(project: Path, language: Language, game: str | None) -> None:
    """Examine the bot; over pipes, where it plays all games alike, in one of them."""
    flags = [] if language.has_sdk else ["--game", GAMES[1]]
    card = json.loads(arena(project, "check", "--json", *flags))
    failures = [finding for finding in card["findings"] if finding["verdict"] == "failed"]
    assert not [finding for finding in failures if finding["situation"] != "time"]  # on a busy day
    assert card["bot"]["name"] == project.name
    assert game is None or card["bot"]["games"] == [game]


def play(project: Path, game: str) -> None:
    """Play a match against built-in bots."""
    flags = ["--seed", "7", "--json", "--start-timeout", "120"]  # on a busy day
    players = ["--bot", "bots.toml", "--bot", "greedy", "--bot", "random"]
    match = json.loads(arena(project, "match", game, *flags, *players))
    assert match["ended"] == ["normal"] * 3
    assert not match["faults"]


def run_own_tests(language: Language, project: Path) -> None:
    """Run the project's tests as its author does."""
    python = {"python": python_command(CLIENTS / "python")}
    succeed(project, "sh", "-c", fill(language.test.encode(), python).decode())


def arena(where: Path, *arguments: str) -> str:
    """Run the command in a directory and return its output; it must succeed."""
    return succeed(where, sys.executable, "-m", "arena", *arguments)


def succeed(where: Path, *command: str) -> str:
    environment = {**os.environ, **UNOPTIMISED, "CCACHE_BASEDIR": str(where)}
    if shutil.which("ccache"):
        environment |= REMEMBERING
    done = subprocess.run(
        command,
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout
