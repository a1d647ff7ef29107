from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from tests.virtual_table import without_times

THREE = "random,random,random"
CARD_FILE = resources.files("arena.games.schwarzmarkt").joinpath("cards.toml").read_text("utf-8")


def read_without_times(file: Path) -> str:
    return without_times(file.read_text(encoding="utf-8"))


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


class TestOutcome:
    @pytest.mark.parametrize(
        ("game", "players"),
        [("byzanz", n) for n in (3, 4, 5, 6)] + [("schwarzmarkt", n) for n in (3, 4, 5)],
    )
    def test_a_match_is_played(self, run, game, players):
        """The match is played to its end and the outcome printed, best first."""
        done = run("play", game, "--bots", ",".join(["random"] * players), "--seed", "7")
        lines = done.out.splitlines()

        assert (done.code, done.err) == (0, "")
        assert lines[0] == f"{game.capitalize()}, {players} players, seed 7"
        assert lines[1] == "rank  score  bot"
        assert sorted(line.split()[2] for line in lines[2:]) == [
            f"random[{seat}]" for seat in range(players)
        ]
        ranks = [int(line.split()[0]) for line in lines[2:]]
        scores = [int(line.split()[1]) for line in lines[2:]]
        assert ranks == sorted(ranks)
        assert scores == sorted(scores, reverse=True)

    def test_quiet(self, run):
        """With --quiet only seed and outcome are printed: a match can always be played again."""
        done = run("play", "byzanz", "--bots", THREE, "--seed", "7", "--quiet", "--watch")

        assert done.out.startswith("Byzanz, 3 players, seed 7\nrank  score  bot\n")
        assert len(done.out.splitlines()) == 5

    def test_json(self, run):
        """With --json the outcome is one JSON object, with what is needed to play it again."""
        arguments = ("--bots", THREE, "--seed", "7", "--option", "deck=uneven", "--watch")
        done = run("play", "schwarzmarkt", *arguments, "--json")
        outcome = json.loads(done.out)

        assert (done.code, done.err) == (0, "")
        assert list(outcome) == ["game", "options", "seed", "seats", "scores", "ranks"]
        assert outcome["game"] == "schwarzmarkt"
        assert outcome["options"] == {"deck": "uneven"}
        assert outcome["seed"] == "7"
        assert outcome["seats"] == [{"bot": "random", "version": "1"}] * 3
        assert len(outcome["scores"]) == len(outcome["ranks"]) == 3

    @pytest.mark.slow
    @pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
    def test_the_usual_bots(self, run, game):
        """Without --bots four planners play, or three and a person."""
        alone = run("play", game, "--seed", "7")
        along = run("play", game, "--seed", "7", "--human", "1", typed="1\n" * 500)

        assert (alone.code, along.code) == (0, 0)
        assert {f"planner[{seat}]" for seat in range(4)} <= set(alone.out.split())
        assert {"planner[0]", "you[1]", "planner[2]", "planner[3]"} <= set(along.out.split())

    def test_the_usual_bots_of_a_package(self, run, high_card):
        """A game without built-in bots of its own is played by random ones."""
        done = run("play", high_card.name, "--json")

        assert {seat["bot"] for seat in json.loads(done.out)["seats"]} == {"random"}

    def test_spaces_between_the_bots(self, run):
        """Names may be written with spaces after the commas."""
        assert run("play", "byzanz", "--bots", "random, random ,random").code == 0

    def test_watch(self, run):
        """With --watch every event is told, and the outcome after them."""
        told = run("play", "byzanz", "--bots", THREE, "--seed", "7", "--watch")
        plain = run("play", "byzanz", "--bots", THREE, "--seed", "7")

        assert "up for auction" in told.out
        assert re.search(r"^random\[\d\] sells .*, keeping ", told.out, re.MULTILINE)
        assert told.out.splitlines()[-4:] == plain.out.splitlines()[-4:]

    @pytest.mark.parametrize("choice", ["auto", "never"])
    def test_no_colour_in_a_pipe(self, run, choice):
        """Output that does not go to a terminal is plain."""
        arguments = ("--bots", THREE, "--watch", "--color", choice)

        assert "\x1b" not in run("play", "byzanz", *arguments).out

    def test_colour_when_asked_for(self, run):
        """--color always colours names and headings."""
        done = run("play", "byzanz", "--bots", THREE, "--color", "always")

        assert "\x1b[1mrank  score  bot\x1b[0m" in done.out
        assert "\x1b[36mrandom[0]\x1b[0m" in done.out


class TestSeeds:
    def test_the_same_seed_makes_the_same_match(self, run, tmp_path):
        """Two runs with one seed differ in times only."""
        files = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
        for file in files:
            run("play", "schwarzmarkt", "--bots", THREE, "--seed", "a b", "--replay", file)

        assert read_without_times(files[0]) == read_without_times(files[1])

    def test_other_seeds_make_other_matches(self, run, tmp_path):
        """Another seed is another deal."""
        files = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
        for file in files:
            run("play", "byzanz", "--bots", THREE, "--seed", file.name, "--replay", file)

        assert read_without_times(files[0]) != read_without_times(files[1])

    def test_a_random_seed_is_printed_and_can_be_used_again(self, run, tmp_path):
        """Without --seed one is drawn, and printed in a form that --seed takes."""
        first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
        done = run("play", "byzanz", "--bots", THREE, "--replay", first)
        seed = done.out.splitlines()[0].rpartition(" ")[2]
        run("play", "byzanz", "--bots", THREE, "--seed", seed, "--replay", second)

        assert re.fullmatch("hex:[0-9a-f]{64}", seed)
        assert read_without_times(first) == read_without_times(second)

    def test_two_random_seeds_differ(self, run):
        """Each run without --seed is a match of its own."""
        seeds = {run("play", "byzanz", "--bots", THREE).out.splitlines()[0] for _ in range(2)}

        assert len(seeds) == 2

    def test_the_seed_in_json(self, run):
        """A random seed is in the JSON, too."""
        done = run("play", "byzanz", "--bots", THREE, "--json")

        assert json.loads(done.out)["seed"].startswith("hex:")

    @pytest.mark.parametrize("seed", ["hex:", "hex:00", "hex:" + "0" * 63, "hex:" + "g" * 64])
    def test_a_bad_hex_seed(self, run, seed):
        """A seed after hex: has 64 digits."""
        done = run("play", "byzanz", "--bots", THREE, "--seed", seed)

        assert (done.code, done.out) == (2, "")
        assert done.err == "arena: --seed hex: takes exactly 64 hexadecimal digits\n"

    @pytest.mark.parametrize("seed", ["", "0", "ü", "\udcff", "-1", "hex"])
    def test_any_other_text_is_a_seed(self, run, seed):
        """Every text makes a seed, printed so that the command's output stays readable."""
        assert run("play", "byzanz", "--bots", THREE, f"--seed={seed}", "--quiet").code == 0


class TestReplays:
    def test_the_replay_is_written_and_verified(self, run, tmp_path):
        """Missing directories are made, the file is named, and verify accepts it."""
        file = tmp_path / "new" / "dir" / "match.jsonl"
        done = run("play", "schwarzmarkt", "--bots", THREE, "--seed", "1", "--replay", file)

        assert done.code == 0
        assert done.out.endswith(f"replay: {file}\n")
        assert run("verify", file).code == 0
        assert names_in(file.parent) == [file.name]

    @pytest.mark.slow
    @pytest.mark.parametrize("closed", [">&-", "| true", "--watch | true"])
    def test_a_replay_is_written_though_nobody_reads(self, tmp_path, closed):
        """The reader of its output may go away: what was asked for is recorded."""
        command = f"{sys.executable} -m arena play byzanz --seed 7 --replay {tmp_path}/r {closed}"
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True)  # noqa: PLW1510
        assert (done.returncode, done.stderr) == (0, b"")
        assert (tmp_path / "r").read_text().count('"outcome"') == 1

    def test_a_pipe_is_written_to_and_not_replaced(self, run, tmp_path):
        """A replay can go to whoever reads from a pipe."""
        os.mkfifo(tmp_path / "pipe")
        reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        assert run("play", "byzanz", "--seed", "7", "--replay", tmp_path / "pipe").code == 0
        assert os.read(reading, 20) == b'{"type":"match","for'
        os.close(reading)
        assert (tmp_path / "pipe").is_fifo()

    def test_an_older_replay_is_replaced(self, run, tmp_path):
        """A file that is there is replaced whole."""
        file = tmp_path / "match.jsonl"
        file.write_text("old\n" * 10_000)
        run("play", "byzanz", "--bots", THREE, "--replay", file, "--quiet")

        assert "old" not in file.read_text()
        assert run("verify", file).code == 0

    def test_a_failure_leaves_the_older_replay_alone(self, run, tmp_path, monkeypatch):
        """If writing fails midway, what was there is still there, and nothing else."""

        def fail(_self: Path, _target: Path) -> None:
            raise OSError(28, "No space left on device")

        file = tmp_path / "match.jsonl"
        file.write_text("old")
        monkeypatch.setattr(Path, "replace", fail)
        done = run("play", "byzanz", "--bots", THREE, "--replay", file)

        assert done.code == 2
        assert done.err == f"arena: {file}: cannot be written: No space left on device\n"
        assert file.read_text() == "old"
        assert names_in(tmp_path) == [file.name]

    def test_bots_and_seats_in_the_replay(self, run, tmp_path):
        """The replay names the bots by seat."""
        file = tmp_path / "match.jsonl"
        run("play", "byzanz", "--bots", "random,greedy,random", "--replay", file)
        head = json.loads(file.read_text().splitlines()[0])

        assert [seat["bot"] for seat in head["seats"]] == ["random", "greedy", "random"]


class TestOptions:
    def test_an_option(self, run, tmp_path):
        """An option is recorded with its value."""
        file = tmp_path / "match.jsonl"
        arguments = ("--bots", THREE, "--option", "deck=uneven", "--replay", file)

        assert run("play", "schwarzmarkt", *arguments).code == 0
        assert json.loads(file.read_text().splitlines()[0])["options"] == {"deck": "uneven"}
        assert run("verify", file).code == 0

    def test_the_default_value(self, run, tmp_path):
        """An option that is given its default is not recorded."""
        file = tmp_path / "match.jsonl"
        arguments = ("--bots", THREE, "--option", "deck=basic", "--replay", file)

        assert run("play", "schwarzmarkt", *arguments).code == 0
        assert json.loads(file.read_text().splitlines()[0])["options"] == {}

    def test_a_card_file(self, run, tmp_path):
        """A card file is recorded with its content, never its path."""
        cards, file = tmp_path / "mine.toml", tmp_path / "match.jsonl"
        cards.write_text(CARD_FILE.replace("price = 50", "price = 60"))
        arguments = ("--bots", THREE, "--option", f"cards={cards}", "--replay", file)

        assert run("play", "schwarzmarkt", *arguments).code == 0
        head = json.loads(file.read_text().splitlines()[0])
        assert head["options"]["cards"]["track"][-1]["price"] == 60
        assert str(tmp_path) not in file.read_text()
        cards.unlink()
        assert run("verify", file).code == 0

    def test_the_printed_card_file(self, run, tmp_path):
        """The printed cards given as a file are no option at all."""
        cards, file = tmp_path / "mine.toml", tmp_path / "match.jsonl"
        cards.write_text(CARD_FILE)
        arguments = ("--bots", THREE, "--option", f"cards={cards}", "--replay", file)

        assert run("play", "schwarzmarkt", *arguments).code == 0
        assert json.loads(file.read_text().splitlines()[0])["options"] == {}

    def test_a_broken_card_file(self, run, tmp_path):
        """The complaint names the file, the line, the entry and the reason."""
        cards = tmp_path / "mine.toml"
        cards.write_text(CARD_FILE.replace("price = 50", "price = 5"))
        line = CARD_FILE[: CARD_FILE.index("price = 50")].count("\n") + 1
        done = run("play", "schwarzmarkt", "--bots", THREE, "--option", f"cards={cards}")

        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"arena: {cards}:{line}: track[13].price: must be higher")
        assert done.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("content", "line"),
        [
            (b"", 1),
            (b"\xff", 1),
            (b"track = [\n", 2),
            (b"a = 1\nb = \n", 2),
            (b"# only\n# comments\n\xff\xfe\n", 3),
            (b"\x00\x01", 1),
            (CARD_FILE.encode() + b"\n[extra]\nx = 1\n", CARD_FILE.count("\n") + 2),
        ],
    )
    def test_what_is_no_card_file_at_all(self, run, tmp_path, content, line):
        """Any other file is refused with its name and a line."""
        cards = tmp_path / "mine.toml"
        cards.write_bytes(content)
        done = run("play", "schwarzmarkt", "--bots", THREE, "--option", f"cards={cards}")

        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"arena: {cards}:{line}: ")
        assert done.err.count("\n") == 1


BAD_INPUT = [
    (["chess", "--bots", THREE], "unknown game 'chess' (there are: byzanz, schwarzmarkt)"),
    (["byzanz", "--bots", "random"], "byzanz is for 3 to 6 players, not 1"),
    (["byzanz", "--bots", "random," * 6 + "random"], "byzanz is for 3 to 6 players, not 7"),
    (["schwarzmarkt", "--bots", "random," * 5 + "random"], "is for 3 to 5 players, not 6"),
    (["byzanz", "--bots", "random,random,clever"], "unknown bot 'clever' for byzanz (there are: "),
    (["byzanz", "--bots", "random,random,"], "unknown bot ''"),
    (["byzanz", "--bots", "random,random,a\x1b[31m\nb"], r"unknown bot 'a\x1b[31m\nb'"),
    (["byzanz", "--bots", THREE, "--option", "deck=uneven"], "byzanz has no option 'deck'"),
    (["schwarzmarkt", "--bots", THREE, "--option", "dek=x"], "has no option 'dek' (it has: deck,"),
    (["schwarzmarkt", "--bots", THREE, "--option", "deck=odd"], "option deck must be one of"),
    (["schwarzmarkt", "--bots", THREE, "--option", "deck"], "'deck' must be NAME=VALUE"),
    (["schwarzmarkt", "--bots", THREE, "--option", ""], "'' must be NAME=VALUE"),
    (
        ["schwarzmarkt", "--bots", THREE, "--option", "deck=uneven", "--option", "deck=basic"],
        "option deck is given twice",
    ),
    (["schwarzmarkt", "--bots", THREE, "--option", "cards=nowhere.toml"], "nowhere.toml: cannot"),
    (["schwarzmarkt", "--bots", THREE, "--option", "cards=."], ".: cannot be read: Is a directory"),
    (["schwarzmarkt", "--bots", THREE, "--option", "cards="], "cannot be read"),
    (
        ["byzanz", "--bots", "random,random", "--human", "3"],
        "--human must be a seat, 0 to 2, not 3",
    ),
    (["byzanz", "--bots", "random,random", "--human=-1"], "--human must be a seat, 0 to 2, not -1"),
    (["byzanz", "--bots", "random", "--human", "0"], "byzanz is for 3 to 6 players, not 2"),
    (["byzanz", "--bots", THREE, "--replay", "file/x.jsonl"], "file/x.jsonl: cannot be written"),
    (["byzanz", "--bots", THREE, "--replay", "."], ".: cannot be written"),
    (["byzanz", "--bots", THREE, "--replay", "directory"], "directory: cannot be written"),
    (["byzanz", "--bots", THREE, "--replay", "x" * 300], "cannot be written: File name too long"),
    (["byzanz", "--bots", THREE, "--replay", "/dev/null/x"], "/dev/null/x: cannot be written"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD_INPUT)
def test_bad_input(run, tmp_path, monkeypatch, arguments, said):
    """What cannot be done is refused with one line that says why, and exit code 2."""
    (tmp_path / "file").write_text("")
    (tmp_path / "directory").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run("play", *arguments)

    assert done.code == 2
    assert said in done.err
    assert done.err.startswith("arena: ")
    assert done.err.count("\n") == 1
    assert done.err.rstrip("\n").isprintable()
    assert names_in(tmp_path) == ["directory", "file"]


@pytest.mark.parametrize(
    "arguments",
    [["--bots", THREE], ["byzanz", "--bots", THREE, "--human", "one"], ["--nonsense"]],
)
def test_bad_usage(run, arguments):
    """Wrong flags end with the usage and exit code 2."""
    done = run("play", *arguments)

    assert done.code == 2
    assert done.err.startswith("usage: arena")
