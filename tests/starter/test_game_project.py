"""A project for a game: made, installed and played as docs/adding-a-game.md says."""

from __future__ import annotations

import json
import os
import re
import site
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from arena.starter.files import game_files
from arena.starter.languages import CLIENTS
from arena.starter.project import make_game_project
from tests.programs import require_success, run_program

TUTORIAL = (CLIENTS.parent / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)

STDIO_BOT = """
import json, sys
print('{"hello":{"bot":"last","version":"1"}}', flush=True)
for line in sys.stdin:
    for asked in json.loads(line).get("decisions", {}).get("decisions", []):
        moves = asked["other"]["legalMoves"]
        assert all("-" in card for move in moves for card in move.popitem()[1].values())
        answer = {"moveIndex": len(moves) - 1, **{k: asked[k] for k in ("matchId", "decisionId")}}
        print(json.dumps({"answers": {"answers": [answer]}}), flush=True)
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a shell in which a virtual environment with arena is active."""
    place = tmp_path_factory.mktemp("venv")
    venv.create(place, symlinks=True)
    (packages,) = place.glob("lib/*/site-packages")
    known = [f"import site; site.addsitedir({path!r})\n" for path in site.getsitepackages()]
    (packages / "arena_here.pth").write_text("".join(known))
    program = f"#!{place}/bin/python\nimport sys\nfrom arena.cli import main\nsys.exit(main())\n"
    (place / "bin" / "arena").write_text(program)
    (place / "bin" / "arena").chmod(0o755)
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}
    # What else is installed with arena here is no concern of the project.
    alone = {"PIP_NO_WARN_CONFLICTS": "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    shell = {"PATH": path, "VIRTUAL_ENV": str(place)}
    return {**os.environ, **offline, **alone, **shell, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(command: str, where: Path, environment: dict[str, str]) -> str:
    """Run a command of a shell, which must succeed, and return what it printed."""
    return require_success(run_program("/bin/sh", "-c", command, cwd=where, env=environment))


def plain(text: str) -> list[str]:
    """Return the lines without what differs from run to run: numbers and how far they are apart."""
    return [" ".join(re.sub(r"\d+(\.\d+)?", "#", line).split()) for line in text.splitlines()]


def require_shown(shown: str, printed: str) -> None:
    """Require that the lines of the tutorial are printed, `…` standing for any others."""
    lines, wanted = iter(plain(printed)), plain(shown)
    for before, line in zip(["", *wanted], wanted, strict=False):
        if line != "…":
            found = next((one for one in lines if before != "…" or one == line), "nothing")
            assert found == line, printed


def test_the_tutorial_shows_the_project_as_it_is():
    """Every block of code stands in a file of the project, and together they are the game."""
    files = {place: path.read_text(encoding="utf-8") for place, path in game_files().items()}
    shown = [(kind, text) for kind, text in BLOCKS if kind]

    assert {kind for kind, _ in shown} == {"python", "toml", "proto", "js"}
    for kind, text in shown:
        assert any(text in content for content in files.values()), (kind, text)
    rules = files["highcard/rules.py"]
    said = "".join(text for kind, text in shown if kind == "python" and text in rules)
    left = [line for line in rules.splitlines() if line and line not in said.splitlines()]
    assert all(line.startswith(("from ", "import ")) for line in left), left
    assert len(rules.splitlines()) < 200


@pytest.mark.slow
def test_the_commands_of_the_tutorial(tmp_path, environment):
    """They can be typed one after the other, and print what is shown."""
    where = tmp_path
    for kind, text in BLOCKS:
        for step in [] if kind else text.split("$ ")[1:]:
            command, _, shown = step.partition("\n")
            if command.startswith("cd "):
                where /= command[3:]
            else:
                require_shown(shown, run(command, where, environment))


@pytest.mark.slow
def test_a_game_of_another_name_is_played_by_bots_of_all_kinds(tmp_path, environment):
    """Built-in bots, the SDK and plain programs meet in a tournament."""
    make_game_project(tmp_path / "here", "sea_trade")
    (tmp_path / "bot.py").write_text(STDIO_BOT)
    run("python -m hatchling build --target wheel", tmp_path / "here", environment)
    (wheel,) = tmp_path.glob("here/dist/*.whl")
    (packages,) = Path(environment["VIRTUAL_ENV"]).glob("lib/*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    sdk = CLIENTS / "python" / "examples" / "random_bot.py"
    bots = f"--bot random --bot 'name=sdk,cmd=python {sdk}' --bot 'name=last,stdio=python bot.py'"
    shape = "--game sea_trade --max-matches 3 --out out --json"
    played = json.loads(run(f"arena tournament {shape} {bots}", tmp_path, environment))
    assert [bot["matches"] for bot in played["bots"]] == [3] * 3
    assert not any(bot["forfeits"] or any(bot["faults"].values()) for bot in played["bots"])
    assert "3 matches" in run("arena show out", tmp_path, environment)
    assert "Sea Trade" in run("arena games", tmp_path, environment)


def test_nothing_of_the_example_but_its_rules_is_left(tmp_path):
    """The name stands in every file and place where the example's did."""
    make_game_project(tmp_path / "here", "sea_trade")
    files = [path for path in (tmp_path / "here").rglob("*") if path.is_file()]

    assert {path.relative_to(tmp_path / "here").as_posix() for path in files} == {
        place.replace("highcard", "sea_trade") for place in game_files()
    }
    assert not [path for path in files if re.search("high ?card", path.read_text(), re.IGNORECASE)]
    assert "class SeaTrade(Game[" in (tmp_path / "here/sea_trade/rules.py").read_text()
    assert sys.prefix not in "".join(path.read_text() for path in files)
