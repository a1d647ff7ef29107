from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from highcard.rules import HighCard

from tests.recorded import record

Line = dict[str, Any]


def read(file: Path) -> list[Line]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write(file: Path, lines: list[Line]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
class TestTelling:
    def test_the_whole_match(self, run, replays, game):
        """Seats, seed, hands, every event and the outcome are told."""
        lines = read(replays[game])
        done = run("replay", replays[game])

        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"{game.capitalize()}, match m")
        assert lines[0]["seed"] in done.out
        for seat in range(3):
            assert f"  bot-{seat}[{seat}] version 1\n" in done.out
        assert done.out.count(" legal, ") == sum(line.get("legal", 1) > 1 for line in lines)
        assert done.out.count("forced") == sum("forced" in line for line in lines)
        assert "\nOutcome\n" in done.out

    def test_plain_in_a_pipe(self, run, replays, game):
        """Output that does not go to a terminal is plain."""
        assert "\x1b" not in run("replay", replays[game]).out
        assert "\x1b" not in run("replay", replays[game], "--color", "never").out

    def test_colour_when_asked_for(self, run, replays, game):
        """--color always adds colour and nothing else."""
        plain = run("replay", replays[game]).out
        coloured = run("replay", replays[game], "--color", "always").out

        assert "\x1b[36mbot-0[0]\x1b[0m" in coloured
        assert [line.split() for line in re.sub(r"\x1b\[\d+m", "", coloured).splitlines()] == [
            line.split() for line in plain.splitlines()
        ]

    @pytest.mark.parametrize("seat", [0, 1, 2])
    def test_one_seat_sees_no_more_than_it_may(self, run, replays, game, seat):
        """With --seat neither seed, nor other hands, nor what is only in the record is told."""
        done = run("replay", replays[game], "--seat", seat)

        assert done.code == 0
        assert f"As seat {seat} saw it." in done.out
        assert read(replays[game])[0]["seed"] not in done.out
        assert "Seed" not in done.out
        assert " legal" not in done.out
        assert "forced" not in done.out
        assert " ms)" not in done.out
        for other in {0, 1, 2} - {seat}:
            name = re.escape(f"bot-{other}[{other}]")
            assert not re.search(f"{name} (Hand|Goods|Black-market cards): ", done.out)
            for drawn in re.findall(f"^{name} draws (.*)$", done.out, re.MULTILINE):
                assert drawn.startswith(("a card from", "a black-market card")) or drawn.endswith(
                    f"bot-{seat}[{seat}]."
                )
            assert not re.search(rf"^{name} discards (?!a card face down)", done.out, re.MULTILINE)
            assert not re.search(rf"^{name} (takes|returns) (?!a card).* out of it", done.out)
            assert not re.search(rf"^{name} is dealt (?!\d+ goods\.)", done.out, re.MULTILINE)

    def test_a_wrong_seat(self, run, replays, game):
        """A seat that is not at the table is refused."""
        for seat in (3, -1, 10**9):
            done = run("replay", replays[game], f"--seat={seat}")
            assert (done.code, done.out) == (2, "")
            assert done.err == f"arena: --seat must be 0 to 2 in this match, not {seat}\n"


def test_two_worlds_that_look_the_same(run, tmp_path, high_card):
    """What one seat is told does not change when cards it never sees are other ones."""
    lines = [json.loads(line) for line in record(HighCard(), 3).splitlines()]
    lines[0]["seed"] = None
    here, there = tmp_path / "1" / "m.jsonl", tmp_path / "2" / "m.jsonl"
    here.parent.mkdir()
    there.parent.mkdir()
    write(here, lines)
    buried = next(line["move"]["card"] for line in lines if line.get("seat") == 1)
    shuffled = next(line["order"] for line in lines if line["type"] == "chance")
    swap = {buried: shuffled[-1], shuffled[-1]: buried}

    def swapped(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: swapped(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [swapped(inner) for inner in value]
        return swap.get(value, value) if isinstance(value, str) else value

    write(there, swapped(lines))

    assert run("verify", here, there).code == 0
    for seat in (0, 2):
        assert run("replay", here, "--seat", seat) == run("replay", there, "--seat", seat)
    assert run("replay", here, "--seat", 1) != run("replay", there, "--seat", 1)
    assert run("replay", here) != run("replay", there)


class TestStepping:
    def test_enter_shows_the_next_move(self, run, replays):
        """With --step the reader is asked after every move, on stderr."""
        moves = sum(line["type"] == "move" for line in read(replays["byzanz"]))
        done = run("replay", replays["byzanz"], "--step", typed="\n" * moves)

        assert done.code == 0
        assert done.out == run("replay", replays["byzanz"]).out
        assert done.err.count("Enter: next move") == moves

    @pytest.mark.parametrize("typed", ["\n\nq\n", "\n\nquit\n", "\n\n", "\n\nQ"])
    def test_it_stops_when_told_to(self, run, replays, typed):
        """The key q or the end of the input stops the telling."""
        done = run("replay", replays["byzanz"], "--step", typed=typed)

        assert done.code == 0
        assert done.err.count("Enter: next move") == 3
        assert "Outcome" not in done.out


class TestRemarks:
    def test_faults_notes_and_forfeits(self, run, replays):
        """What is known only from the record is told to whoever may see everything."""
        lines = read(replays["byzanz"])
        passed = next(line for line in lines if line.get("move") == {"type": "pass"})
        passed |= {"fault": "timeout", "note": "hm"}
        winner = lines[-1]["ranks"].index(1)
        lines[-1]["ended"][winner] = "forfeit:timeout"
        lines[-1]["ranks"] = [rank - 1 or 3 for rank in lines[-1]["ranks"]]
        write(replays["byzanz"], lines)
        done = run("replay", replays["byzanz"])

        assert done.code == 0
        assert "timeout: the referee made the move" in done.out
        assert "note: hm" in done.out
        assert done.out.splitlines()[-1].endswith("forfeit:timeout")

    def test_a_note_is_for_its_author(self, run, replays):
        """Another seat does not see the note, its author does."""
        lines = read(replays["byzanz"])
        moves = [line for line in lines if line["type"] == "move" and line["seat"] == 0]
        moves[0]["note"] = "a secret plan"
        write(replays["byzanz"], lines)

        assert "a secret plan" in run("replay", replays["byzanz"], "--seat", 0).out
        assert "a secret plan" not in run("replay", replays["byzanz"], "--seat", 1).out


HOSTILE = "\x1b[2J\x1b]0;title\x07\r\nfake: ok\x00\x7f\x9b31m\u202e\u2028\ud800"


class TestHostileTexts:
    @pytest.mark.parametrize("seat", [[], ["--seat", "0"]])
    def test_names_and_notes_are_inert(self, run, replays, seat):
        """Control characters in a replay's texts reach the terminal only as their escapes."""
        harmless = run("replay", replays["byzanz"], *seat)
        lines = read(replays["byzanz"])
        lines[0]["match"] = lines[0]["deal"] = lines[0]["arena"] = HOSTILE
        lines[0]["seats"][1] = {"bot": HOSTILE, "version": HOSTILE}
        for line in lines[1:-1]:
            line["note"] = HOSTILE
        write(replays["byzanz"], lines)
        done = run("replay", replays["byzanz"], *seat)

        assert done.code == 0
        assert all(line.isprintable() for line in done.out.split("\n"))
        assert done.out.count("\n") == harmless.out.count("\n")
        assert r"\x1b[2J" in done.out

    @pytest.mark.parametrize("command", [["replay"], ["verify"], ["verify", "--json"]])
    @pytest.mark.parametrize(
        "place", ["game", "type", "format", "extra", "option", "card", "fault"]
    )
    def test_complaints_are_inert(self, run, replays, command, place):
        """What is wrong with a replay is said in one printable line, whatever it holds."""
        lines = read(replays["byzanz"])
        match place:
            case "extra":
                lines[0][HOSTILE] = 1
            case "option":
                lines[0]["options"] = {HOSTILE: HOSTILE}
            case "card":
                lines[1]["move"] = {"type": "give", "card": HOSTILE}
            case "fault":
                lines[1]["fault"] = HOSTILE
            case "type":
                lines[1]["type"] = HOSTILE
            case _:
                lines[0][place] = HOSTILE
        write(replays["byzanz"], lines)
        done = run(*command, replays["byzanz"])
        said = done.out.splitlines()[-1] if command[0] == "verify" else done.err.rstrip("\n")

        assert done.code == 1
        assert said.isprintable()
        (done.out + done.err).encode()

    def test_json_of_a_sound_replay_is_inert(self, run, replays):
        """The names that verify repeats as JSON can be printed anywhere."""
        lines = read(replays["byzanz"])
        lines[0]["match"] = HOSTILE
        write(replays["byzanz"], lines)
        done = run("verify", "--json", replays["byzanz"])

        assert done.code == 0
        assert json.loads(done.out)["match"] == HOSTILE
        assert done.out.rstrip("\n").isprintable()
        done.out.encode()


class TestWrongReplays:
    def test_wrong_on_the_way(self, run, replays):
        """A replay is told up to what is wrong with it; then the line is named."""
        lines = read(replays["byzanz"])
        lines[9]["legal"] += 1
        write(replays["byzanz"], lines)
        done = run("replay", replays["byzanz"])

        assert done.code == 1
        assert done.err.startswith(f"{replays['byzanz']}:10: there are ")
        assert done.err.count("\n") == 1
        assert "Round 1" in done.out
        assert "Outcome" not in done.out

    @pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"{}", b"[1]\n", b"\x89PNG\r\n"])
    def test_no_replay_at_all(self, run, tmp_path, content):
        """Another file is refused at its first line."""
        file = tmp_path / "x.jsonl"
        file.write_bytes(content)
        done = run("replay", file)

        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"{file}:1: ")
        assert done.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("name", "reason"), [("nowhere", "No such file"), (".", "Is a directory"), ("", "cannot")]
    )
    def test_a_file_that_cannot_be_read(self, run, tmp_path, monkeypatch, name, reason):
        """A file that cannot be opened is bad input, not a wrong replay."""
        monkeypatch.chdir(tmp_path)
        done = run("replay", name)

        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"arena: {name}: cannot be read: ") or not name
        assert reason in done.err
        assert done.err.count("\n") == 1
