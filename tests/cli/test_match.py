from __future__ import annotations

import json
import socket
from dataclasses import replace

import pytest

from arena.cli.progress import describe_absence, describe_fault, describe_match
from arena.games.game import Seat
from arena.games.registry import get_game
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import PlayedMatch
from arena.referee.replay import Entrant
from tests.recorded import play_random

THREE = ("--bot", "random", "--bot", "random", "--bot", "random")
TWO = THREE[:4]
NONE = ("--bot", "name=a,cmd=false", "--bot", "name=b,cmd=false")  # two that do not start
EVIL = "evil\x1b[31m\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("byzanz",), "required: --bot"),
        (("chess", *THREE), "unknown game 'chess' (there are: byzanz, schwarzmarkt)"),
        (("byzanz", *TWO), "byzanz is for 3 to 6 players, not 2"),
        (("byzanz", *THREE, *THREE, *TWO), "byzanz is for 3 to 6 players, not 8"),
        (("byzanz", *TWO, "--bot", "nobody"), "there is no built-in bot 'nobody'"),
        (("byzanz", *TWO, "--bot", "name=x"), "give exactly one of"),
        (("byzanz", *TWO, "--bot", "no.toml"), "no.toml: cannot be read"),
        (("byzanz", *TWO, "--bot", "name=x,cmd=./none"), "bot x: there is no program"),
        (("byzanz", *TWO, "--bot", "name=x,cmd=arena-none"), "there is no program arena-none in"),
        (("byzanz", *TWO, "--bot", "name=x,connected"), "give --listen HOST:PORT"),
        (("byzanz", *THREE, "--matches", "0"), "--matches and --concurrency must be at least 1"),
        (("byzanz", *THREE, "-j", "0"), "--matches and --concurrency must be at least 1"),
        (("byzanz", *THREE, "--matches", "x"), "invalid int value: 'x'"),
        (("byzanz", *THREE, "--move-time", "-1"), "the move time must be 0 to"),
        (("byzanz", *THREE, "--move-time", "nan"), "the move time must be 0 to"),
        (("byzanz", *THREE, "--bank", "inf"), "the bank must be 0 to"),
        (("byzanz", *THREE, "--start-timeout", "-1"), "the start timeout must be 0 to"),
        (("byzanz", *THREE, "--max-faults", "0"), "a seat forfeits after 1 fault or more"),
        (("byzanz", *THREE, "--seed", "hex:12"), "exactly 64 hexadecimal digits"),
        (("byzanz", *THREE, "--option", "deck"), "must be NAME=VALUE"),
        (("byzanz", *THREE, "--listen", "here"), "--listen 'here' must be HOST:PORT or unix:PATH"),
        (("byzanz", *THREE, "--tokens", "none"), "none: cannot be read: No such file"),
        (("byzanz", *THREE, "--tls-cert", "none"), "--tls-cert and --tls-key need each other"),
        (("byzanz", *THREE, "--tls-cert", "no", "--tls-key", "no"), "no: cannot be read"),
        (("byzanz", *THREE, "--replay", "."), "--replay . is a directory"),
        (("byzanz", *THREE, "--replay", "file", "--matches", "2"), "file: cannot be written to"),
        (("byzanz", *THREE, "--logs", "file"), "file: cannot be written to: File exists"),
    ],
)
def test_bad_usage(run, tmp_path, monkeypatch, arguments, reason):
    """Whatever is wrong is said on one line of stderr, before any bot is started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    done = run("match", *arguments)

    assert done.code == 2
    assert reason in done.err
    assert "Traceback" not in done.err
    assert "match 1" not in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("address", ["0.0.0.0:7777", "[::]:7777", "192.0.2.1:7777"])
def test_other_machines_are_kept_out(run, address):
    """Beyond loopback it takes TLS and tokens, and the message says how to get them."""
    done = run("match", "byzanz", *THREE, "--listen", address)

    assert done.code == 2
    assert done.err == (
        f"arena: --listen {address} can be reached from other machines and needs "
        "TLS (--tls-cert FILE --tls-key FILE) and "
        "tokens (arena token add NAME --tokens FILE, then --tokens FILE); "
        "for this machine alone use 127.0.0.1 or unix:PATH\n"
    )


def test_a_port_in_use(run):
    """Somebody else's port is named, with the system's reason."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run("match", "byzanz", *THREE, "--listen", address)

    assert done.code == 2
    assert done.err == f"arena: cannot listen on {address}: Address already in use\n"


@pytest.mark.slow
def test_json(run, tmp_path):
    """With --json each match is one line, and nothing else is printed."""
    replays = tmp_path / "replays"
    more = ("--matches", 2, "-j", 2, "--seed", "7", "--json", "--replay", replays)
    done = run("match", "byzanz", *THREE, *more)
    lines = [json.loads(line) for line in done.out.splitlines()]

    assert (done.code, done.err) == (0, "")
    assert sorted(line["match"] for line in lines) == ["1", "2"]
    for line in lines:
        assert list(line) == [
            *("match", "game", "options", "seed", "seats", "scores", "ranks", "ended"),
            *("void", "moves", "faults", "time"),
        ]
        assert (line["game"], line["seed"], line["void"]) == ("byzanz", "7", None)
        assert (line["faults"], line["ended"]) == ([], ["normal"] * 3)
        assert sorted(seat["bot"] for seat in line["seats"]) == ["random", "random-2", "random-3"]
    first = {line["match"]: line["seats"][0]["bot"] for line in lines}
    assert first == {"1": "random", "2": "random-2"}  # seats rotate
    assert run("verify", replays / "1.jsonl", replays / "2.jsonl").code == 0


@pytest.mark.slow
def test_output_for_a_file(run, tmp_path):
    """Without a terminal there is no colour and no moving line; the same seed is the same match."""
    done = run("match", "byzanz", *THREE, "--seed", "7", "--replay", tmp_path / "r.jsonl")
    lines = done.out.splitlines()

    assert (done.code, done.err) == (0, "")
    assert lines[0] == "Byzanz, 3 players, seed 7"
    assert lines[1].startswith("match 1: ")
    assert lines[2].startswith("rank  score  bot")
    assert lines[-1] == f"replay: {tmp_path}/r.jsonl"
    assert "\x1b" not in done.out
    assert "\r" not in done.out
    again = run("match", "byzanz", *THREE, "--seed", "7", "--quiet", "--color", "always")
    assert "\x1b[1mrank" in again.out
    assert again.out.splitlines()[1] == lines[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("others", "flags"),
    [(TWO, ()), (NONE, ("--quiet",)), (NONE, ("--json",))],
)
def test_a_launched_bot_that_does_not_start(run, others, flags):
    """Everything is played, but the exit code is 1, and the last lines say which bot and why."""
    bots = (*others, "--bot", "name=bad,cmd=false")
    done = run("match", "byzanz", *bots, "--matches", 2, "--start-timeout", 20, *flags)

    assert done.code == 1
    reason = "the process exited with code 1 before it was ready"
    names = ["a", "b", "bad"] if others is NONE else ["bad"]
    last = "".join(f"arena: {name} did not start in 2 of 2 matches: {reason}\n" for name in names)
    assert done.err.endswith(last)
    assert (done.err == last) == bool(flags)
    assert "match 2" in done.out or '"match": "2"' in done.out


def test_connected_bots_that_do_not_come(run, tmp_path):
    """Bots that nobody starts here forfeit, and the command has done what it could."""
    bots = [word for name in "abc" for word in ("--bot", f"name={name},connected")]
    listen = ("--listen", f"unix:{tmp_path}/s")
    done = run("match", "byzanz", *bots, *listen, "--start-timeout", 0.1, "--json")

    assert json.loads(done.out)["ended"] == ["forfeit:no_start"] * 3
    assert (done.code, "did not start" in done.err) == (0, False)


def played(**changes) -> PlayedMatch:
    match = play_random(get_game("byzanz"), 3)
    fixture = replace(match.fixture, match="1", seats=[Entrant(EVIL, EVIL)] * 3)
    fault = SeatFault(Seat(2), 5, Fault.CRASH, EVIL, forfeited=True)
    forfeits = (None, None, Fault.CRASH)
    return replace(match, fixture=fixture, faults=(fault,), forfeits=forfeits, **changes)


def test_texts_from_bots_are_harmless():
    """Names and details are shown escaped on one line, however they were meant."""
    match = played()
    table = describe_match(match, str)
    fault = describe_fault("1", f"{EVIL}[2]", match.faults[0])

    assert "\x1b" not in table + fault
    assert len(table.splitlines()) == 5
    assert fault == (
        r"match 1, move 5, evil\x1b[31m\n[2]: crash: evil\x1b[31m\n; the seat forfeits"
    )


def test_a_void_match_has_a_reason():
    """Nothing but the reason is told about a match that does not count."""
    text = describe_match(played(outcome=None, void_reason="the arena was stopped"), str)
    assert text == "match 1: void: the arena was stopped"


def test_a_bot_that_could_not_be_built():
    """The fault is one line; in the end everything that the build printed is shown, harmless."""
    detail = "building it failed: `make` exited with code 2\nline 1\n\x1b[31merror: x"
    fault = SeatFault(Seat(0), 1, Fault.NO_START, detail, forfeited=True)

    assert describe_fault("1", "mine[0]", fault) == (
        "match 1, move 1, mine[0]: no_start: building it failed: `make` exited with code 2; "
        "the seat forfeits"
    )
    assert describe_absence("mine", [detail, detail], 2).splitlines() == [
        f"arena: mine did not start in 2 of 2 matches: {detail.splitlines()[0]}",
        "  | line 1",
        r"  | \x1b[31merror: x",
    ]
