from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli import tournament_view
from arena.cli.tournament import resume_command
from arena.cli.tournament_view import TournamentView
from arena.referee.faults import Fault, SeatFault
from arena.storage.opening import open_store
from arena.storage.records import FixtureRecord, MatchReport, StoredMatch
from arena.testing import VirtualLoop

pytestmark = pytest.mark.slow

BOTS = Path(__file__).parents[1] / "e2e" / "bots"
SALT = "5a" * 32
THREE = ("--bot", "random", "--bot", "greedy", "--bot", "name=g2,builtin=greedy")
GAME = ("--game", "byzanz", "--players", 3)
CUP = (*GAME, *THREE, "--rounds", 2, "--seed", 7, "--salt", SALT, "--name", "cup")
INLINE = ("--engine", "inline")
UNTURNED = ("--rotation", "none")  # a match at each table
EVIL = "evil\x1b[31m\nline"


@pytest.fixture
def cup(run, tmp_path: Path, tmp_path_factory, monkeypatch) -> Path:
    """A small tournament that has been played."""
    monkeypatch.chdir(tmp_path)
    played = tmp_path_factory.getbasetemp() / "cup"  # once for all tests
    if not played.exists():
        taken_back = ("--fresh", "--no-fresh")  # the engine inline would refuse the first alone
        done = run("tournament", *CUP, *INLINE, *taken_back, "--out", played)
        assert done.code == 0, done.err
    return Path(shutil.copytree(played, "cup")).absolute()


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            ((), "name what is played: --game byzanz, or a tournament.toml"),
            (("--game", "byzanz"), "name who plays: --bot NAME"),
            (("--game", "chess", *THREE), "unknown game 'chess'"),
            (("--game", "byzanz", *THREE, "--players", "2"), "is for 3 to 6 players, not 2"),
            (("--game", "byzanz", *THREE, "--players", "4"), "3 bots are too few for tables of 4"),
            (("--game", "byzanz", *THREE, "--bot", "nobody"), "no built-in bot 'nobody'"),
            (("--game", "byzanz", *THREE, "--option", "x=1"), "x"),
            (("--game", "byzanz", *THREE, "--rounds", "0"), "at least 1 round, not 0"),
            (("--game", "byzanz", *THREE, "--rounds", "9999999"), "more than 1,000,000 matches"),
            (("--game", "byzanz", *THREE, "--max-matches", "2"), "--max-matches 2 is too few"),
            (("--game", "byzanz", *THREE, "--until", "soon"), "'soon' is not a stopping rule"),
            (("--game", "byzanz", *THREE, "--seed", "hex:1"), "exactly 64 hexadecimal digits"),
            (("--game", "byzanz", *THREE, "--salt", "1"), "a salt is 64 hexadecimal digits"),
            (("--game", "byzanz", *THREE, "--name", "a/b"), "must not contain / or"),
            (("--game", "byzanz", *THREE, "-j", "0"), "concurrency must be 1 to"),
            (("--game", "byzanz", *THREE, "--workers", "0"), "workers must be 1 to"),
            (("--game", "byzanz", *THREE, "--format", "gauntlet"), "needs --focus BOT"),
            (("--game", "byzanz", *THREE, "--focus", "random"), "--focus is for a gauntlet"),
            (("--game", "byzanz", *THREE, "--format", "swiss"), "invalid choice: 'swiss'"),
            (("--game", "byzanz", *THREE, "--move-time", "-1"), "the move time must be 0 to"),
            (("--game", "byzanz", *THREE, "--no-timeout", "--move-time", "1"), "contradict each"),
            (
                ("--game", "byzanz", *THREE, "--on-fault", "forfeit", "--max-faults", "2"),
                "contradict each other",
            ),
            (("--game", "byzanz", *THREE, "--max-faults", "0"), "after 1 fault or more"),
            (("--game", "byzanz", *THREE, "--db", "mysql://x/y"), "no database is known by mysql"),
            (
                ("--game", "byzanz", *THREE, "--replays", "x"),
                "--replays: must be all, none or a number",
            ),
            (("--game", "byzanz", *THREE, "--out", "file"), "file: cannot be written to"),
            (("--game", "byzanz", *THREE, "--fresh"), "the engine inline has none"),
            (("--game", "byzanz", *THREE, "--bot", "name=x,cmd=cat"), "x"),
            (("missing.toml",), "missing.toml: cannot be read"),
            (("empty",), "empty is not a results directory: it has no tournament.toml"),
            (("file",), "file: not a tournament file"),
        ],
    )
    def test_one_line(self, run, tmp_path, monkeypatch, arguments, reason):
        """Whatever is wrong is said on one line before anything is written or started."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "file").touch()
        (tmp_path / "empty").mkdir()
        done = run("tournament", *INLINE, *arguments)
        assert (done.code, done.out) == (2, "")
        assert reason in done.err.splitlines()[-1]
        assert "Traceback" not in done.err
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["file"]

    def test_a_wrong_file_names_the_place(self, run, tmp_path):
        """A key or value that is not understood is named with its table."""
        path = tmp_path / "cup.toml"
        path.write_text(
            'format = "arena-tournament/1"\nname = "cup"\ngame = "byzanz"\nplayers = 3\n'
            '[schedule]\nrotation = "round"\n[bots.a]\nbuiltin = "random"\n'
        )
        done = run("tournament", path)
        assert done.code == 2
        assert f"{path}: schedule.rotation must be one of" in done.err

    @pytest.mark.parametrize(
        "flags", [("--seed", "a\udcffb"), ("--bot", "name=x,cmd=./\udcff")], ids=["seed", "bot"]
    )
    def test_what_is_not_text(self, run, tmp_path, monkeypatch, flags):
        """What cannot be written to a file of text is refused before anything is written."""
        monkeypatch.chdir(tmp_path)
        done = run("tournament", "--game", "byzanz", "--bot", "random", *flags)
        assert done.code == 2
        assert "\\udcff" in done.err
        assert "is not UTF-8 text" in done.err
        assert not list(tmp_path.iterdir())

    def test_a_wrong_bot_names_the_place(self, run, tmp_path, monkeypatch):
        """So is what is wrong with a bot, in the file that says it, before anything is written."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "cup.toml").write_text(
            'format = "arena-tournament/1"\nname = "cup"\ngame = "byzanz"\nplayers = 3\n'
            '[bots.a]\nbuiltin = "random"\nlevel = 3\n'
        )
        done = run("tournament", "cup.toml")
        assert done.code == 2
        assert "cup.toml:7: [bots.a]: unknown key 'level'" in done.err
        assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]

    @pytest.mark.parametrize("name", ["../x", "", ".hidden", "a\\u001bb"])
    def test_a_name_that_can_be_no_directory(self, run, tmp_path, monkeypatch, name):
        """The name of a file's tournament leads nowhere else."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "cup.toml").write_text(
            f'format = "arena-tournament/1"\nname = "{name}"\ngame = "byzanz"\nplayers = 3\n'
            '[bots.a]\nbuiltin = "random"\n'
        )
        done = run("tournament", "cup.toml")
        assert done.code == 2
        assert "name" in done.err
        assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


class TestResuming:
    @pytest.mark.parametrize(
        ("flags", "difference"),
        [
            (("--rounds", 3), "rounds is 2 (asked for: 3)"),
            (("--seed", 8), "seed is different"),
            (("--salt", "00" * 32), "salt is different"),
            (("--rotation", "full"), "schedule.rotation is cyclic (asked for: full)"),
            (("--until", "settled@95"), "schedule.until is not set (asked for: settled@95/2)"),
            (("--move-time", 3), "rules.move_time is 1.0 (asked for: 3.0)"),
            (("--hide-names",), "rules.show_names is true (asked for: false)"),
            (("--bot", "name=new,builtin=random"), "it has no bot new"),
        ],
    )
    def test_other_settings_are_refused(self, run, cup, flags, difference):
        """What would give other results does not go on; the difference is named."""
        before = (cup / "leaderboard.json").read_bytes(), (cup / "tournament.toml").read_bytes()
        done = run("tournament", "cup", *flags)
        assert done.code == 2
        advice = "Continue it with `arena tournament cup`, or choose another --out"
        assert done.err == f"arena: cup holds another tournament: {difference}. {advice}\n"
        after = (cup / "leaderboard.json").read_bytes(), (cup / "tournament.toml").read_bytes()
        assert after == before

    def test_another_name_is_refused(self, run, cup):
        """A directory is for one tournament; a second one does not get in under its own name."""
        done = run("tournament", *CUP, *INLINE, "--out", "cup", "--name", "league")
        assert done.code == 2
        assert "holds another tournament: name is cup (asked for: league)" in done.err
        assert json.loads((cup / "leaderboard.json").read_text())["tournament"] == "cup"

    def test_a_file_that_was_changed_is_refused(self, run, cup):
        """The database says what was begun, not the file beside it."""
        path = cup / "tournament.toml"
        path.write_text(path.read_text().replace("rounds = 2", "rounds = 5"))
        done = run("tournament", "cup")
        assert done.code == 2
        assert "rounds is 2 (asked for: 5)" in done.err

    @pytest.mark.parametrize("flags", [("-j", 3), ("--concurrency", 1), ("--replays", 0)])
    def test_how_it_is_run_may_differ(self, run, cup, flags):
        """Settings that no result depends on are free."""
        before = (cup / "leaderboard.json").read_bytes()
        done = run("tournament", "cup", *flags)
        assert done.code == 0
        assert (cup / "leaderboard.json").read_bytes() == before

    def test_the_same_flags_go_on(self, run, cup):
        """Running the same command again resumes, even if the seed is not said again."""
        again = run("tournament", *CUP, *INLINE, "--out", "cup")
        assert again.code == 0
        assert "every match of cup has been played" in again.err
        without = [word for word in CUP if word not in ("--seed", 7, "--salt", SALT)]
        assert run("tournament", *without, *INLINE, "--out", "cup").code == 0

    def test_chance_is_kept(self, run, tmp_path, monkeypatch):
        """Seed and salt that were drawn at the start are those of the file afterwards."""
        monkeypatch.chdir(tmp_path)
        flags = ("--game", "byzanz", *THREE, "--rounds", 1, *INLINE)
        assert run("tournament", *flags, "--out", "x").code == 0
        text = (tmp_path / "x" / "tournament.toml").read_text()
        assert run("tournament", "x").code == 0
        assert (tmp_path / "x" / "tournament.toml").read_text() == text
        assert re.search(r'seed = "hex:[0-9a-f]{64}"', text)


class TestSchedules:
    def fixtures(self, directory: Path) -> list[FixtureRecord]:
        with open_store(directory / "arena.db", "cup") as store:
            return store.fixtures()

    def test_max_matches(self, run, tmp_path):
        """Whole blocks only, as many as fit."""
        done = run("tournament", *CUP, *INLINE, "--out", tmp_path / "x", "--max-matches", 5)
        assert done.code == 0
        assert [each.match for each in self.fixtures(tmp_path / "x")] == ["1-1", "1-2", "1-3"]

    def test_gauntlet(self, run, tmp_path):
        """Every table has the bot in focus."""
        flags = ("--bot", "name=r2,builtin=random", "--format", "gauntlet", "--focus", "g2")
        done = run("tournament", *CUP, *flags, *UNTURNED, *INLINE, "--out", tmp_path / "x")
        assert done.code == 0
        found = self.fixtures(tmp_path / "x")
        assert len(found) == 2 * 3
        assert all("g2" in each.bots for each in found)

    def test_groups(self, run, tmp_path):
        """Bots of one group meet only if asked to."""
        flags = ("--bot", "name=a,builtin=random,group=x", "--bot", "name=b,builtin=random,group=x")
        for more, meet in ((), False), (("--mix-groups",), True):
            out = tmp_path / f"{meet}"
            done = run(
                "tournament", *CUP, *flags, *more, *UNTURNED, *INLINE, "--rounds", 1, "--out", out
            )
            assert done.code == 0, done.err
            met = any({"a", "b"} <= set(each.bots) for each in self.fixtures(out))
            assert met is meet

    def test_a_saved_config_plays_the_same(self, run, cup, tmp_path):
        """--save-config plays nothing; what it writes gives the same leaderboard."""
        done = run("tournament", *CUP, *INLINE, "--save-config", "saved/cup.toml")
        assert done.code == 0
        assert "play it with: arena tournament saved/cup.toml" in done.out
        assert [path.name for path in (tmp_path / "saved").iterdir()] == ["cup.toml"]

        assert run("tournament", "saved/cup.toml", "--out", "again").code == 0
        for name in ("leaderboard.json", "matches.jsonl", "crosstable.csv"):
            assert (tmp_path / "again" / name).read_bytes() == (cup / name).read_bytes()

    def test_an_option_back_to_its_default(self, run, tmp_path, monkeypatch):
        """A flag changes an option of a file, also to the value that it would have by itself."""
        monkeypatch.chdir(tmp_path)
        flags = ("--game", "schwarzmarkt", "--players", 3, "--bot", "random", "--name", "cup")
        run("tournament", *flags, "--option", "deck=uneven", "--save-config", "one.toml")
        assert 'deck = "uneven"' in (tmp_path / "one.toml").read_text()
        run("tournament", "one.toml", "--option", "deck=basic", "--save-config", "two.toml")
        assert "deck" not in (tmp_path / "two.toml").read_text()

    def test_bots_of_a_saved_config_are_found_from_anywhere(self, run, tmp_path, monkeypatch):
        """Directories of bots are relative to where the file is."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "bot.toml").write_text('[bots.mine]\nrun = ["./mine"]\ndir = "bots"\n')
        (tmp_path / "deep" / "down").mkdir(parents=True)
        flags = ("--bot", "bot.toml", "--save-config", "deep/down/cup.toml")
        assert run("tournament", *CUP, *flags).code == 0
        assert 'dir = "../../bots"' in (tmp_path / "deep/down/cup.toml").read_text()


class TestOutput:
    def test_told(self, run, cup):
        """Commitment and schedule come before play, the leaderboard after it, on stdout."""
        done = run("tournament", *CUP, *INLINE, "--out", "other")
        assert done.err.splitlines()[0] == "6 matches, 3 at a table"
        assert re.search(r"^commitment [0-9a-f]{64}$", done.err, re.MULTILINE)
        assert done.out.startswith("cup: byzanz, 3 bots, 3 at a table, 6 matches on 2 deals\n")
        assert done.out.endswith("\nseed: 7\npage: other/leaderboard.html\n")
        assert "\x1b" not in done.out + done.err

    def test_quiet(self, run, cup):
        """Only the leaderboard is printed."""
        told = run("tournament", "cup")
        done = run("tournament", "cup", "--quiet")
        assert done.err == ""
        assert done.out == told.out.removesuffix("seed: 7\npage: cup/leaderboard.html\n")

    def test_json(self, run, cup):
        """Only leaderboard.json is printed."""
        done = run("tournament", "cup", "--json")
        assert done.err == ""
        assert done.out == (cup / "leaderboard.json").read_text()

    @pytest.mark.parametrize(
        ("flags", "more"),
        [
            ({}, ""),
            ({"db": "postgresql://me@host/db"}, " --db postgresql://me@host/db"),
            ({"db": "postgresql://me:secret@host/db"}, " --db URL"),
            ({"unfit": "enter"}, " --unfit enter"),
            ({"unfit": "leave-out"}, ""),
            ({"listen": ["[::1]:7", "unix:/x y"]}, " --listen '[::1]:7' --listen 'unix:/x y'"),
            ({"tokens": "t"}, " --tokens t"),
            ({"replays": 0}, " --replays 0"),
        ],
    )
    def test_resume_command(self, flags, more):
        """It goes on under the same circumstances, and gives no password away."""
        none = dict.fromkeys(
            ("db", "listen", "tokens", "tls_cert", "tls_key", "client_ca", "ray_address", "replays")
        )
        args = argparse.Namespace(**{**none, "unfit": "stop", **flags})
        assert resume_command(args, Path("a b")) == f"arena tournament 'a b'{more}"


class Tty(io.StringIO):
    """A terminal that only remembers."""

    def isatty(self) -> bool:
        return True


def screen(text: str) -> list[str]:
    """Return the lines that a terminal shows in the end."""
    lines, row, column = [""], 0, 0
    for part in re.findall(r"\x1b\[\d*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", text):
        if part == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif part == "\r":
            column = 0
        elif part.startswith("\x1b["):
            if part[-1] == "F":
                row, column = row - int(part[2:-1] or 1), 0
                assert row >= 0
            elif part[-1] == "J":
                lines[row:] = [lines[row][:column]]
            else:
                assert part[-1] == "m", part
        else:
            lines[row] = lines[row][:column] + part + lines[row][column + len(part) :]
            column += len(part)
    return [line.rstrip() for line in lines]


def a_fixture(index: int, bots: tuple[str, ...] = ("a", "b", "c")) -> FixtureRecord:
    """Return a match of these bots."""
    return FixtureRecord(index, f"{index + 1}-1", index + 1, index + 1, 1, index + 1, 0, bots)


def a_report(match: str) -> MatchReport:
    """Return how it ended: the first seat won."""
    return MatchReport(match, (3, 2, 1), (1, 2, 3), (None,) * 3, (), (), 9, "")


def test_bots_that_cannot_play(run, tmp_path, monkeypatch):
    """Each has its reason on lines of its own, with what its build printed, and then what to do."""
    monkeypatch.chdir(tmp_path)
    Path("bots.toml").write_text(
        '[bots.typo]\nrun = "./typo"\nbuild = [["sh", "-c", "echo oh; exit 1"]]\n'
    )
    bots = ("--bot", "bots.toml", "--bot", "name=gone,cmd=./gone", "--bot", "random")
    done = run("tournament", *GAME, *bots, "--out", "cup")

    assert (done.code, done.out) == (2, "")
    advice = "Fix them, leave them out with --unfit leave-out, or let them forfeit their matches"
    assert done.err.splitlines()[2:] == [
        "arena: 2 bots cannot play:",
        "  typo: building it failed: `sh -c 'echo oh; exit 1'` exited with code 1",
        "    | oh",
        f"  gone: there is no program {tmp_path}/gone",
        f"{advice} with --unfit enter",
    ]
    assert not Path("cup/tournament.toml").exists()


class TestView:
    @pytest.fixture
    def loop_factory(self, monkeypatch: pytest.MonkeyPatch) -> type[VirtualLoop]:
        """Without waiting, on a terminal of the usual size."""

        async def to_thread(work: Callable[[], object]) -> object:
            return work()

        monkeypatch.setattr(asyncio, "to_thread", to_thread)
        clock = SimpleNamespace(monotonic=lambda: asyncio.get_running_loop().time())
        monkeypatch.setattr(tournament_view, "time", clock)
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("LINES", "24")
        return VirtualLoop

    async def follow(self, view: TournamentView) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(25.0):
                await view.follow()

    async def test_live(self):
        """Progress, standings and faults; whatever was told stays, the view goes in the end."""
        stream = Tty()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(0, 10)
        view.tell("commitment 123")
        for index in range(4):
            view.ended(a_fixture(index), a_report(f"{index + 1}-1"))
        await self.follow(view)
        view.fault(a_fixture(5), SeatFault(1, 7, Fault.TIMEOUT, "too late", forfeited=True))
        shown = screen(stream.getvalue())
        assert shown[:2] == [
            "commitment 123",
            "match 6-1, move 7, b: timeout: too late; the seat forfeits",
        ]
        assert re.match(r"\[#########-+\] 4/10 matches, 0\.16\d?/s, 3\d s left, 1 fault$", shown[2])
        assert shown[3].split() == ["rating", "mean", "rank", "matches", "faults", "bot"]
        assert [line.split()[-1] for line in shown[4:7]] == ["a", "b", "c"]
        assert shown[5].split()[2:5] == ["2.00", "4", "1"]

        view.close()
        assert screen(stream.getvalue()) == [*shown[:2], ""]
        view.tell("the end")
        assert screen(stream.getvalue()) == [*shown[:2], "the end", ""]

    async def test_what_was_played_before_counts(self):
        """The standings of a resumed tournament are of all its matches, each counted once."""
        stream = Tty()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(2, 3)
        old = [StoredMatch(a_fixture(index), a_report(f"{index + 1}-1")) for index in range(2)]
        view.ended(a_fixture(2), a_report("3-1"))
        view.recall([*old, StoredMatch(a_fixture(2), a_report("3-1"))])
        await self.follow(view)
        shown = screen(stream.getvalue())
        assert "3/3 matches" in shown[0]
        assert [line.split()[3] for line in shown[2:5]] == ["3", "3", "3"]

    async def test_plain(self):
        """Elsewhere than on a terminal there are plain lines, without any control sign."""
        stream = io.StringIO()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(0, 10)
        view.ended(a_fixture(0), a_report("1-1"))
        await self.follow(view)
        view.close()
        lines = stream.getvalue().splitlines()
        assert lines == [
            "1/10 matches, 0.1/s, 1:30 min left; 1. a; 2. b; 3. c",
            "1/10 matches, 0.05/s, 3:00 min left; 1. a; 2. b; 3. c",
        ]
        assert "\x1b" not in stream.getvalue()

    async def test_hidden(self):
        """Nothing is shown unless it is asked for."""
        stream = Tty()
        view = TournamentView(is_shown=False, stream=stream)
        view.begun(0, 10)
        view.tell("x")
        view.ended(a_fixture(0), a_report("1-1"))
        view.fault(a_fixture(0), SeatFault(0, 1, Fault.CRASH, "", forfeited=True))
        await self.follow(view)
        view.close()
        assert stream.getvalue() == ""

    async def test_hostile_texts_stay_inert(self):
        """Names and details from bots move no cursor and begin no line."""
        stream = Tty()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(0, 10)
        bots = (EVIL, "b", "c")
        view.ended(a_fixture(0, bots), a_report("1-1"))
        view.fault(a_fixture(1, bots), SeatFault(0, 1, Fault.CRASH, EVIL, forfeited=False))
        view.void(a_fixture(1, bots), EVIL)
        await self.follow(view)
        assert "\x1b[31m" not in stream.getvalue()
        shown = screen(stream.getvalue())
        assert not [line for line in shown if line.startswith("line")]
        assert [line for line in shown if line.endswith("line") and "evil" in line]

    async def test_repeated_faults(self):
        """The first fault of a bot and kind is printed with its reason, the rest is counted."""
        stream = io.StringIO()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(0, 1000)
        for index in range(500):
            fault = SeatFault(0, 1, Fault.CRASH, f"reason {index}", forfeited=index % 3 == 2)
            view.fault(a_fixture(index), fault)
        view.fault(a_fixture(7), SeatFault(0, 4, Fault.TIMEOUT, "late", forfeited=False))
        view.fault(a_fixture(7), SeatFault(1, 5, Fault.CRASH, "its own", forfeited=False))
        assert stream.getvalue().splitlines() == [
            "match 1-1, move 1, a: crash: reason 0",
            "arena counts further faults of the same kind but does not print them",
            "match 3-1, move 1, a: crash: reason 2; the seat forfeits",
            "match 8-1, move 4, a: timeout: late",
            "match 8-1, move 5, b: crash: its own",
        ]
        stream.truncate(0)
        await self.follow(view)
        view.close()
        lines = stream.getvalue().splitlines()
        assert "0/1,000 matches, 502 faults" in lines[0]
        assert lines.count("faults of a: 500 crash, 1 timeout") == 1
        assert not [line for line in lines if line.startswith("faults of b")]

    async def test_faults_of_earlier_runs(self):
        """A resumed tournament counts the faults that are stored, and each fault once."""
        stream = Tty()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(1, 4)
        fault = SeatFault(0, 1, Fault.CRASH, "", forfeited=False)
        faulty = replace(a_report("1-1"), faults=(fault, fault))
        view.fault(a_fixture(1), fault)
        view.ended(a_fixture(1), replace(faulty, match="2-1"))
        view.recall([StoredMatch(a_fixture(0), faulty), StoredMatch(a_fixture(1), faulty)])
        view.fault(a_fixture(1), fault)  # of a match that is stored already
        view.fault(a_fixture(2), fault)  # of one that runs
        view.fault(a_fixture(3), fault)
        view.void(a_fixture(3), "stopped")  # of one that does not count
        await self.follow(view)
        shown = screen(stream.getvalue())
        assert next(line for line in shown if "2/4 matches" in line).endswith(", 5 faults")
        assert [line.split()[4:] for line in shown if line.endswith("  a")] == [["5", "a"]]

    async def test_a_low_terminal(self, monkeypatch):
        """The view never takes more lines than there are, else it could not be taken back."""
        monkeypatch.setenv("LINES", "8")
        stream = Tty()
        view = TournamentView(is_shown=True, stream=stream)
        view.begun(0, 30)
        for index in range(12):
            bots = tuple(f"bot{index}-{seat}" * 30 for seat in range(3))
            view.ended(a_fixture(index, bots), a_report(f"{index + 1}-1"))
        await self.follow(view)
        shown = screen(stream.getvalue())
        assert len(shown) <= 8
        assert max(map(len, shown)) < 80
        view.close()
        assert screen(stream.getvalue()) == [""]


def on_terminal(*words: object) -> tuple[int, str]:
    """Run the command on a terminal of its own; return its code and all it has written there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "100", "LINES": "30", "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    written = b""
    try:
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # so Linux says that the other end is closed
                break
            if not part:
                break
            written += part
        return process.wait(30), written.decode()
    finally:
        os.close(ours)
        if process.poll() is None:
            process.kill()
            process.wait()


def test_on_a_terminal(tmp_path):
    """The whole command shows its view while it plays, and leaves a clean screen behind."""
    (tmp_path / "bots.toml").write_text(
        f'[bots.crashing]\nrun = ["{sys.executable}", "{BOTS / "moody.py"}"]\n'
        'env = { HOW = "crash" }\n'
    )
    bots = ("--bot", "random", "--bot", "greedy", "--bot", tmp_path / "bots.toml")
    flags = ("--rounds", 1, "--seed", 7, "-j", 1)
    code, text = on_terminal(
        "tournament", "--game", "byzanz", *bots, *flags, "--out", tmp_path / "cup"
    )
    assert code == 0
    assert re.search(r"\[#+-+\] \d+/3 matches, [\d.]+/s, .* left", text)
    assert len(set(re.findall(r"(\d+)/3 matches", text))) > 1  # it goes on
    assert re.search(r"1 +[\d.-]+ +[\d.]+ +\d+ +0  greedy", text)
    assert "crashing: crash: the process exited with code 3; the seat forfeits" in text

    shown = "\n".join(screen(text))
    assert not re.search(r"\[#*-*\]", shown)
    assert not re.search(r"\d+/3 matches", shown)
    assert "commitment " in shown
    assert shown.count("crashing: crash: ") == 1
    assert "faults of crashing: 3 crash" in shown
    assert re.search(r"rank +bot +rating", shown)
    assert shown.endswith("leaderboard.html\n")


@pytest.mark.parametrize("flag", ["--fresh", "--recover"])
def test_what_only_works_here_is_refused_for_a_server(run, flag):
    """Before anybody is called: no arena need be there."""
    done = run("tournament", "--server", "unix:/nowhere", "--game", "byzanz", flag)
    told = f"arena: {flag} has no effect with --server: leave it out\n"
    assert (done.code, done.out, done.err) == (2, "", told)
