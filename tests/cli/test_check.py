from __future__ import annotations

import json
import re
import sys

import pytest

from arena.cli.check import _name_of
from tests.examine.examined import examined_only_in

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "without either, arena checks the bot in bots.toml, which is not in this directory"),
        (["--bot", "planner", "--", "./mybot"], "name the bot to check"),
        (["--bot", "name=far,connected"], "a connected bot cannot be checked"),
        (["--bot", "plan"], "there is no built-in bot 'plan'"),
        (["--game", "chess", "--bot", "planner"], "unknown game 'chess'"),
        (
            ["--option", "deck=uneven", "--game", "byzanz", "--bot", "random"],
            "has an option 'deck'",
        ),
        (["--move-time", "-1", "--bot", "random"], "the move time must be"),
    ],
)
def test_bad_usage_is_told_without_starting_anything(run, arguments, complaint):
    """What was typed wrong is named on stderr, with exit code 2."""
    finished = run("check", *arguments)

    assert finished.code == 2
    assert complaint in finished.err
    assert not finished.out


def test_a_file_of_several_bots_must_be_narrowed(run, tmp_path):
    """A bots.toml with two bots names them and asks for one."""
    file = tmp_path / "bots.toml"
    file.write_text('[bots.a]\nbuiltin = "random"\n[bots.b]\nbuiltin = "random"\n')
    finished = run("check", "--bot", file)

    assert finished.code == 2
    assert "names 2 bots (a, b): choose one, for example: arena check --bot " in finished.err


def test_without_a_bot_that_of_the_directory_is_examined(run, tmp_path, monkeypatch):
    """A bots.toml with one bot says all there is to say; of several one must be chosen."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.toml").write_text('[bots.mine]\nrun = "./nothing"\n')
    alone = run("check")
    (tmp_path / "bots.toml").write_text('[bots.a]\nrun = "./a"\n[bots.b]\nrun = "./b"\n')
    several = run("check")

    assert alone.code == 1
    assert "there is no program " in alone.out
    assert several.code == 2
    assert "choose one, for example: arena check --bot bots.toml:a" in several.err


def test_a_build_is_announced_and_its_failure_shown(run, tmp_path):
    """What the compiler said is on the card, line by line; --quiet keeps to what is wrong."""
    file = tmp_path / "bots.toml"
    commands = '[["true"], ["sh", "-c", "echo line 1: oh; echo line 2: no >&2; exit 2"]]'
    file.write_text(f'[bots.mine]\nrun = "./mine"\nbuild = {commands}\n')
    finished = run("check", "--bot", file)
    begun, ended = finished.err.splitlines()
    card = finished.out.splitlines()

    assert finished.code == 1
    assert begun.startswith("building mine: true && sh -c ")
    assert re.fullmatch(r"building mine failed after \d+\.\d s", ended)
    assert "building it failed" in card[0]
    assert card[0].endswith("exited with code 2")
    assert "           | line 1: oh" in card
    assert "           | line 2: no" in card
    assert re.match(r"1 failed in \d+\.\d s \(build: \d+\.\d s\): mine would not", card[-1])
    quiet = run("check", "--quiet", "--bot", file)
    assert (quiet.out.splitlines()[:-1], quiet.err) == (card[:-1], "")


def test_a_missing_program_fails_its_card(run, tmp_path):
    """A command that cannot be started is exit code 1, and the card says why."""
    finished = run("check", "--", tmp_path / "nothing")

    assert finished.code == 1
    assert "FAILED   starts and says hello: there is no program" in finished.out
    assert "would not survive a tournament" in finished.out
    assert "\x1b" not in finished.out


def test_what_a_bot_prints_is_harmless(run):
    """Escape sequences that a bot prints do not reach the terminal, also in colour."""
    code = r"import sys; sys.stderr.write('\x1b]0;owned\x07'); sys.exit(7)"
    finished = run("check", "--color", "always", "--", sys.executable, "-c", code)

    assert finished.code == 1
    assert "exited with code 7" in finished.out
    assert "\x1b]0" not in finished.out
    assert "\x1b[1;31mFAILED\x1b[0m" in finished.out


def test_the_card_can_be_had_as_json(run, tmp_path):
    """--json prints one object and nothing else."""
    finished = run("check", "--json", "--", tmp_path / "nothing")
    card = json.loads(finished.out)

    assert finished.code == 1
    assert card["fit"] is False
    assert [finding["situation"] for finding in card["findings"]] == ["start"]


def test_a_good_bot_passes_quietly(run):
    """A built-in bot passes with exit code 0, and --quiet leaves only the summary."""
    few = ("start", "introduction", "match-smallest")
    with examined_only_in(few.__contains__):
        finished = run("check", "--quiet", "--game", "byzanz", "--bot", "random")

    assert finished.code == 0, finished.out
    assert finished.out.startswith(f"{len(few)} passed in ")
    assert finished.out.count("\n") == 1
    assert "random would survive a tournament" in finished.out


def test_a_command_gets_the_name_of_its_script(tmp_path):
    """A bot is called after the file that is run, not after its interpreter."""
    script = tmp_path / "mybot.py"
    script.touch()

    assert _name_of(["python", "-u", str(script), "--level", "3"]) == "mybot"
    assert _name_of(["./bot.sh"]) == "bot"
    assert _name_of(["..."]) == "bot"
