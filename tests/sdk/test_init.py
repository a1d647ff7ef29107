from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection
from pathlib import Path

import pytest

from arena.cli import main
from arena.config.bot_spec import parse_bot
from arena.starter.files import GAMES
from arena.starter.languages import CLIENTS, Language, get_language, languages
from arena.starter.project import fill
from arena.starter.toolchain import find_lack, python_command
from clients.conformance.sdks import chosen_names
from tests.examine.examined import examined, failures, rules
from tests.programs import require_success, run_program
from tests.requirements import skip_lacking
from tests.sdks import built

AWKWARD = {"java": "bot", "cpp": "test"}  # names that mean something to build tools
SLOW = {"cpp": None, "java": "byzanz", "rust": "schwarzmarkt", "typescript": "byzanz"}
"""Languages that take long to build, each with the one game for which a project is checked."""
TESTED_BY_BUILD = {"java"}  # mvn package
UNOPTIMISED = {
    "CMAKE_BUILD_TYPE": "None",
    # What is compiled does not depend on where it lies; nobody debugs it.
    "GOFLAGS": "-trimpath -ldflags=-w",
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:CICompilerCount=1 -XX:+UseSerialGC",
    "npm_config_prefer_offline": "true",
}
REMEMBERING = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_NOHASHDIR": "1"}
"""What the last run of these tests has compiled, as Go and Rust do by themselves."""
CARGO = """
paths = ["{sdk}"]
[profile.release.package]
arena-bots.opt-level = 0
my-bot.opt-level = 0
"""
LEISURE = rules(move_time_s=20.0, start_timeout_s=120.0)  # on a busy day
LEFT_OUT = {"reconnect", "repeatable"}
"""What no template has a part in, or cannot fail; the first costs one more start of the bot."""
EXAMINED_BEFORE = {
    "several-matches",
    *("answers", "long-lists", "unknown-fields", "unknown-values", "unknown-messages"),
    *("rejected", "started-again", "lost-match", "batch", "goodbye-thinking"),
}
"""What those for one game are not examined in again, after the bot for every game."""


@pytest.fixture(autouse=True)
def hastened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Build quickly, and do not ask tools for their versions, which is told but not looked at."""
    remembering = REMEMBERING if shutil.which("ccache") else {}
    if shutil.which("ld.gold"):
        monkeypatch.setenv("LDFLAGS", "-fuse-ld=gold")
    for name, value in {**UNOPTIMISED, **remembering, "CCACHE_BASEDIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("arena.cli.init.find_lack", lambda need: None)


@pytest.mark.slow
@pytest.mark.parametrize("name", [language.name for language in languages()])
def test_new_projects_are_ready(name, tmp_path):
    """They pass the exam of arena check, or its matches, and pass their own tests."""
    language = get_language(name)
    require(language)
    project = tmp_path / AWKWARD.get(name, "mine")
    games = (SLOW[name],) if name in SLOW else (None, *GAMES)
    for number, game in enumerate(games):
        make(language, game, project)
        if number == 0:
            check(project, language, game, LEFT_OUT)
        elif language.has_sdk:  # over pipes one bot plays all games
            check(project, language, game, LEFT_OUT | EXAMINED_BEFORE)
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
    renew(project, place)


def renew(old: Path, new: Path) -> None:
    """Give a directory the files of another one; the time of those that are the same is kept."""
    for path in new.rglob("*"):
        target = old / path.relative_to(new)
        if path.is_file() and not (target.exists() and target.read_bytes() == path.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def hasten(language: Language, project: Path) -> None:
    """Let a long build begin with what that of the SDK has compiled, and leave the rest as it is.

    How fast the programs are is no question here.
    """
    if language.name == "cpp":
        reuse_answers(CLIENTS / "cpp" / "build", project / "build")
    if language.name == "java":
        reuse_classes(CLIENTS / "java", project / "sdk")
    if language.name == "rust":
        reuse_library(CLIENTS / "rust" / "target", project)
    if language.name == "typescript":
        reuse_scripts(CLIENTS / "typescript", project)


def reuse_answers(built_sdk: Path, build: Path) -> None:
    """Let CMake find what pkg-config has said of gRPC, which takes it seconds."""
    lines = (built_sdk / "CMakeCache.txt").read_text().splitlines(keepends=True)
    build.mkdir()
    (build / "CMakeCache.txt").write_text(
        "".join(line for line in lines if line.startswith("ARENA_CLIENT_GRPC_"))
    )


def reuse_library(target: Path, project: Path) -> None:
    """Let Cargo find what it has compiled of the SDK of the last project, if it is the same.

    It goes by paths and times, so that the SDK must be where that one was, as old as it was.
    """
    kept, sdk = target / "project-sdk", project / "sdk"
    renew(kept, sdk)
    for path in kept.rglob("*"):
        if path.is_file() and not (sdk / path.relative_to(kept)).exists():
            path.unlink()
    (project / "target").symlink_to(target)
    (project.parent / ".cargo").mkdir()
    (project.parent / ".cargo" / "config.toml").write_text(CARGO.format(sdk=kept))


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
        shutil.copytree(built_sdk / name, project / name, copy_function=link)


def link(source: str, target: str) -> None:
    """Copy a file; where that is possible without reading it, as nobody writes to it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


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


def check(project: Path, language: Language, game: str | None, left_out: Collection[str]) -> None:
    """Build and examine the bot; over pipes, where it plays all games alike, in one of them."""
    (spec,) = parse_bot(str(project / "bots.toml"))
    games = GAMES if language.has_sdk else GAMES[1:]
    demanded = [game] if game and language.has_sdk else games
    card = examined(spec, games, LEISURE, demanded, left_out)
    assert not failures(card)
    assert card.is_complete
    assert card.hello.bot == project.name
    if language.has_sdk:
        assert list(card.hello.games) == ([game] if game else [])


def run_own_tests(language: Language, project: Path) -> None:
    """Run the project's tests as its author does."""
    command = language.test
    if language.name == "python":
        command = fill(command.encode(), {"python": python_command(CLIENTS / "python")}).decode()
    require_success(run_program("/bin/sh", "-c", command, cwd=project))
