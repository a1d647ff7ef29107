"""The bots of clients/stdio, each one file without any library. LANGS does not concern them."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.bridge.lines import write_line
from arena.cli import main
from arena.config.bot_spec import BotSpec
from arena.games.game import AnyGame, Move
from arena.games.registry import get_game
from arena.referee.fixture import plan_match
from arena.referee.match import play_match
from arena.referee.replay import Entrant
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.codec import codec_for
from tests.examine.examined import examined, failures
from tests.requirements import IS_EVERYTHING_REQUIRED
from tests.sdks import write_bots

STDIO = Path(__file__).parents[2] / "clients" / "stdio"
GAMES = ("byzanz", "schwarzmarkt")
SEATS = 3
LIMIT_S = 60.0
BOTS = {
    "bash": (("bash", "bot.sh"), ("bash", "jq")),
    "gawk": (("gawk", "-f", "bot.awk"), ("gawk",)),
    "javascript": (("node", "bot.js"), ("node",)),
    "lua": (("lua", "bot.lua"), ("lua",)),
    "mawk": (("mawk", "-W", "interactive", "-f", "bot.awk"), ("mawk",)),
    "perl": (("perl", "bot.pl"), ("perl",)),
    "ruby": (("ruby", "bot.rb"), ("ruby",)),
}
SEVERAL = ("bash", "javascript", "lua", "perl", "ruby")  # these play several matches at once


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


class Asked:
    """Chooses by chance for one seat, and keeps what a program in its place would be told."""

    def __init__(self, game: AnyGame, seat: int, chance: random.Random) -> None:
        self._id = f"{game.name}-{seat}"
        self._codec = codec_for(game)
        self._chance = chance
        self._asked = 0
        started = play.match_started(
            match_id=self._id,
            game=game,
            seat=seat,
            seats=[play_pb2.SeatInfo() for _ in range(SEATS)],
            time_control=play.time_control(move_time_s=None, bank_s=0.0, max_faults=1),
            bot_seed=chance.randbytes(32),
        )
        self.messages = [started]

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        self._asked += 1
        part = self._codec.decision(observation, legal_moves, ())
        question = play.decision(self._id, self._asked, None, 0.0, len(legal_moves), (), part)
        self.messages.append(play.decisions([question]))
        return self._chance.choice(legal_moves)


def told_lines() -> str:
    """Return the lines that seats of both games are told, one seat after the other."""
    chance = random.Random(7)
    asked = []
    for name in GAMES:
        game = get_game(name)
        seats = [Asked(game, seat, chance) for seat in range(SEATS)]
        play_match(plan_match(game, b"master", name, 0, [Entrant("bot", "1")] * SEATS), seats)
        asked += seats
    messages = [message for seat in asked for message in seat.messages]
    return "".join(write_line(play_pb2.PlayResponse.FromString(m)) + "\n" for m in messages)


def examined_lines(spec: BotSpec, place: Path) -> list[str]:
    """Return what each process of a bot was told in its examination, which it must pass.

    In the game that may be played with other material. That they play the same match the same way
    is seen where they play alike.
    """
    assert spec.stdio is not None
    script = 'place=$1; shift; tee "$place/$$" | "$@"'
    recorded = replace(spec, stdio=("sh", "-c", script, "sh", str(place), *spec.stdio))
    card = examined(recorded, ["schwarzmarkt"], demanded=["schwarzmarkt"], left_out=["repeatable"])
    assert not failures(card)
    assert card.is_fit
    assert set(card.hello.games) == set(GAMES)
    return [path.read_text() for path in place.iterdir()]


def said(spec: BotSpec, told: Sequence[str]) -> list[list[Any]]:
    """Return what a program says when it is told these lines, once for each start."""
    assert spec.stdio is not None
    found = []
    for lines in told:
        done = subprocess.run(
            spec.stdio,
            cwd=spec.dir,
            input=lines,
            capture_output=True,
            text=True,
            check=True,
            timeout=LIMIT_S,
        )
        found.append([json.loads(line) for line in done.stdout.splitlines()])
        assert found[-1][0]["hello"].pop("bot") == f"sensible-{Path(spec.stdio[-1]).suffix[1:]}"
        assert not done.stderr
    return found


@pytest.mark.slow
@pytest.mark.parametrize("names", [SEVERAL, [name for name in BOTS if name not in SEVERAL]])
def test_they_say_the_same_as_one_that_is_examined(names, tmp_path):
    """So what is true of that one in its examination is true of the others."""
    specs = [spec for spec in runnable() if spec.name in names]
    told = examined_lines(specs[0], tmp_path)
    model = said(specs[0], told)
    assert sum(map(len, model)) > 100
    assert [spec.name for spec in specs[1:] if said(spec, told) != model] == []


@pytest.mark.slow
def test_all_of_them_play_alike():
    """They reckon and draw the same way, whatever they are asked."""
    lines = told_lines()
    found = {spec.name: said(spec, [lines])[0][1:] for spec in runnable()}
    model = next(iter(found.values()))
    answers = [answer for line in model for answer in line["answers"]["answers"]]
    assert len(answers) == lines.count("\n") - 2 * SEATS > 200
    assert [name for name, lines in found.items() if lines != model] == []


@pytest.mark.slow
def test_a_tournament_of_all_of_them(tmp_path, capsys):
    """It is played without a fault, verifies, and each of them leaves chance behind.

    Lines go out at once, in the game in which none was examined.
    """
    specs = [*runnable(), BotSpec("random", builtin="random")]
    plan = ("--players", "4", "--rounds", "2", "--rotation", "none")
    names = ranking("byzanz", specs, plan, tmp_path, capsys)
    assert len(names) == len(specs)
    assert names[-1] == "random"


@pytest.mark.slow
def test_one_of_them_leaves_chance_behind_in_the_other_game(tmp_path, capsys):
    """That holds for all of them, since they play alike."""
    one = runnable()[-1]
    lucky = [BotSpec(f"random-{number}", builtin="random") for number in range(2)]
    names = ranking("schwarzmarkt", [one, *lucky], ("--players", "3"), tmp_path, capsys)
    assert names[0] == one.name


def ranking(
    game: str, specs: list[BotSpec], plan: Sequence[str], where: Path, capsys: Any
) -> list[str]:
    """Return names, the best first, of a tournament that is played without a fault and verifies."""
    bots = write_bots(where / "bots.toml", specs)
    cup = where / "cup"
    words = ("--game", game, "--tables", "balanced", "--rounds", "1", *plan)
    run = ("--seed", "7", "-j", "4", "--out", str(cup), "--quiet")
    assert main(["tournament", *words, "--bot", bots, *run]) == 0, capsys.readouterr().err
    board = json.loads((cup / "leaderboard.json").read_text())
    assert {name: n for bot in board["bots"] for name, n in bot["faults"].items() if n} == {}
    assert main(["verify", str(cup)]) == 0, capsys.readouterr().out
    return [bot["name"] for bot in board["bots"]]


def test_whatever_is_executable_has_its_interpreter_named():
    """A bot can be started by its name where its first line says how."""
    scripts = {path.name for path in STDIO.glob("bot.*") if os.access(path, os.X_OK)}
    named = {path.name for path in STDIO.glob("bot.*") if path.read_bytes()[:2] == b"#!"}
    assert scripts == named
