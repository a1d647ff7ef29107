"""The bots of clients/stdio, each one file without any library. LANGS does not concern them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from arena.cli import main
from arena.config.bot_spec import BotSpec
from tests.examine.examined import examined, failures
from tests.requirements import IS_EVERYTHING_REQUIRED
from tests.sdks import write_bots

STDIO = Path(__file__).parents[2] / "clients" / "stdio"
GAMES = ("byzanz", "schwarzmarkt")
BOTS = {
    "bash": (("bash", "bot.sh"), ("bash", "jq")),
    "gawk": (("gawk", "-f", "bot.awk"), ("gawk",)),
    "javascript": (("node", "bot.js"), ("node",)),
    "lua": (("lua", "bot.lua"), ("lua",)),
    "mawk": (("mawk", "-W", "interactive", "-f", "bot.awk"), ("mawk",)),
    "perl": (("perl", "bot.pl"), ("perl",)),
    "ruby": (("ruby", "bot.rb"), ("ruby",)),
}


def lacking(name: str) -> str | None:
    """Return one line that says what is to be installed first; None if nothing is."""
    missing = [program for program in BOTS[name][1] if shutil.which(program) is None]
    line = f"the stdio bot in {name}: install {', '.join(missing)}" if missing else None
    if line is not None and IS_EVERYTHING_REQUIRED:
        raise AssertionError(line)
    return line


def bot(name: str) -> BotSpec:
    """Return a bot that can be run here; skips the test if it cannot."""
    line = lacking(name)
    if line is not None:
        pytest.skip(line)
    return BotSpec(name, stdio=BOTS[name][0], dir=STDIO)


def runnable() -> list[BotSpec]:
    return [bot(name) for name in BOTS if lacking(name) is None]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTS)
def test_it_passes_its_examination(name):
    """Without anything to complain about, in the game that may be played with other material."""
    card = examined(bot(name), ["schwarzmarkt"], demanded=["schwarzmarkt"])
    assert not failures(card)
    assert card.is_fit
    assert set(card.hello.games) == set(GAMES)


def moves(path: Path) -> list[object]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [(line["seat"], line["move"]) for line in lines if line["type"] == "move"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_of_them_play_alike(tmp_path, game):
    """They reckon and draw the same way: a match is the same whoever sits there."""
    specs = runnable()
    alone = [specs[-1]] * 3
    tables = [alone, *((specs[place:] + specs)[:3] for place in range(0, len(specs), 3))]
    played = []
    for table in tables:
        entered = [
            BotSpec(name, stdio=spec.stdio, dir=spec.dir)
            for name, spec in zip("abc", table, strict=True)
        ]
        bots = write_bots(tmp_path / "bots.toml", entered)
        words = ("--quiet", "--seed", "7", "--bot", bots, "--replay")
        assert main(["match", game, *words, str(tmp_path / "replay.jsonl")]) == 0
        played.append(moves(tmp_path / "replay.jsonl"))
    assert len(played[0]) > 50
    others = [
        [spec.name for spec in table]
        for table, found in zip(tables, played, strict=True)
        if found != played[0]
    ]
    assert others == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_tournament_of_all_of_them(tmp_path, game, capsys):
    """It is played without a fault, verifies, and each of them leaves chance behind."""
    bots = write_bots(tmp_path / "bots.toml", [*runnable(), BotSpec("random", builtin="random")])
    cup = tmp_path / "cup"
    words = ("--game", game, "--players", "4", "--tables", "balanced", "--rounds", "1")
    run = ("--seed", "7", "-j", "4", "--out", str(cup), "--quiet")
    assert main(["tournament", *words, "--bot", bots, *run]) == 0, capsys.readouterr().err
    board = json.loads((cup / "leaderboard.json").read_text())
    assert len(board["bots"]) == len(runnable()) + 1
    assert {name: n for bot in board["bots"] for name, n in bot["faults"].items() if n} == {}
    assert board["bots"][-1]["name"] == "random"
    assert main(["verify", str(cup)]) == 0, capsys.readouterr().out


def test_whatever_is_executable_has_its_interpreter_named():
    """A bot can be started by its name where its first line says how."""
    scripts = {path.name for path in STDIO.glob("bot.*") if os.access(path, os.X_OK)}
    named = {path.name for path in STDIO.glob("bot.*") if path.read_bytes()[:2] == b"#!"}
    assert scripts == named
