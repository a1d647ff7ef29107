"""`arena tournament --server`: arena, bots and organisers are processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.cli import BAD_INPUT, DONE, INTERRUPTED, STOPPED, main
from arena.examine.proxy import Proxy
from arena.server.auth import grants_to_text, new_token
from arena.storage.opening import open_store
from tests.e2e.command import Command, arena, dial
from tests.e2e.glance import glance
from tests.e2e.tournaments import PATIENCE_S, SALT, Done, complete, run_to_end, to_end
from tests.requirements import skip_lacking
from tests.waiting import wait_until

SAME = ("--seed", "7", "--salt", SALT)
NAMES = ("ann", "ben", "cem")


@contextlib.contextmanager
def serve(place: Path, *more: object, listen: str = "127.0.0.1:0") -> Iterator[tuple[Command, str]]:
    """Serve, results in `kept`; gives the command and where it listens."""
    with arena("serve", "--listen", listen, "--results", "kept", *more, place=place) as command:
        command.wait_for("games: ")
        (address,) = re.findall(r"^listening on (\S+)", command.out, re.MULTILINE)
        yield command, address


@contextlib.contextmanager
def bots(
    place: Path, address: str, names: Sequence[str] = NAMES, **env: object
) -> Iterator[list[Command]]:
    """Let bots dial; they are in the lobby then."""
    with contextlib.ExitStack() as stack:
        started = [stack.enter_context(dial(address, name, place=place, **env)) for name in names]
        for each in started:
            each.wait_for("playing as ")
        yield started


def organise(place: Path, address: str, *words: object, **env: str) -> Command:
    """Start a tournament of the name `cup` for three, to be fetched to `cup`."""
    return arena(*cup(place, address), *words, place=place, **env)


def organise_to_end(
    place: Path, address: str, *words: object, code: int = DONE, env: dict[str, str] | None = None
) -> Done:
    """Do the same, to the end that it is to have."""
    done = run_to_end(*cup(place, address), *words, **(env or {}))
    assert done.code == code, f"{done.out}\n{done.err}"
    return done


def cup(place: Path, address: str) -> tuple[object, ...]:
    """Return the command of such a tournament."""
    what = ("tournament", "--server", address, "--game", "byzanz", "--players", 3)
    return (*what, "--out", place / "cup")


def count_kept(place: Path) -> int:
    """Return how many matches of the cup have a result in the arena's database."""
    return glance(place / "kept" / "cup" / "arena.db")


def wait_for_kept(place: Path, least: int) -> None:
    """Return once so many matches of the cup have a result."""
    wait_until(lambda: count_kept(place) >= least)


def check_whole(place: Path, matches: int, name: str = "cup") -> list[dict[str, Any]]:
    """What was fetched is complete and right, and each match is there once; returns the lines."""
    assert main(["verify", str(place / name), "--quiet"]) == DONE
    lines = (place / name / "matches.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    assert [line["index"] for line in found] == list(range(matches))
    assert len(list((place / name / "replays").iterdir())) == matches
    assert list((place / name).glob("**/.*")) == []
    assert not (place / name / "arena.db").exists()
    return found


def add_tokens(place: Path, **roles: str) -> dict[str, str]:
    """Make a token file; returns the tokens by name."""
    made = {name: new_token(name, role) for name, role in roles.items()}
    text = grants_to_text([grant for _, grant in made.values()])
    (place / "tokens.json").write_text(text, encoding="utf-8")
    return {name: token for name, (token, _) in made.items()}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
def test_a_tournament_among_connected_bots(place, game):
    """It is the same tournament as on one machine, wherever the bots come from."""
    kinds = {"g": "greedy", "p": "planner", "r1": "random", "r2": "random"}
    tokens = add_tokens(place, boss="admin", **dict.fromkeys(kinds, "bot"))
    size = ("--players", 3, "--rounds", 1, "--rotation", "none")
    words = ("--game", game, *size, *SAME, "--name", "cup")
    with contextlib.ExitStack() as stack:
        server, address = stack.enter_context(serve(place, "--tokens", place / "tokens.json"))
        for name, kind in kinds.items():
            bot = arena("bot", kind, "--server", address, place=place, ARENA_TOKEN=tokens[name])
            stack.enter_context(bot)
            server.wait_for(f"bot={name} ")
        named = [word for name in kinds for word in ("--bot", f"name={name},connected")]
        out = ("--out", place / "cup")
        command = run_to_end(
            "tournament", "--server", address, *out, *words, *named, ARENA_TOKEN=tokens["boss"]
        )
        assert command.code == DONE, command.err
        assert re.search(r"^4 matches, 3 at a table$", command.err, re.MULTILINE)
        assert re.search(r"^commitment [0-9a-f]{64}$", command.err, re.MULTILINE)
        assert re.search(r"^rank +bot ", command.out, re.MULTILINE)
        for token in tokens.values():
            assert token not in server.out + server.err + command.out + command.err
    check_whole(place, 4)
    local = [word for name in kinds for word in ("--bot", f"name={name},builtin={kinds[name]}")]
    to_end("tournament", "--engine", "inline", "--out", place / "local", *words, *local)
    for file in ("leaderboard.json", "matches.jsonl", "crosstable.csv"):
        assert (place / "cup" / file).read_bytes() == (place / "local" / file).read_bytes()


@pytest.mark.slow
def test_only_organisers_may_start_a_tournament(place):
    """Anybody else is told why not, and nothing is begun."""
    tokens = add_tokens(place, ann="bot")
    with serve(place, "--tokens", place / "tokens.json") as (_, address):
        for token, reason in (
            (None, "no token: set ARENA_TOKEN (UNAUTHENTICATED)"),
            ("arena-guess", "unknown token: ask the organiser for one (UNAUTHENTICATED)"),
            (
                tokens["ann"],
                "this is a bot's token: use one of the role admin (PERMISSION_DENIED)",
            ),
        ):
            env = {"ARENA_TOKEN": token} if token else {}
            done = organise_to_end(place, address, code=BAD_INPUT, env=env)
            assert done.err == f"arena: the arena refused: {reason}\n"
            assert not (place / "kept").exists()
            assert not (place / "cup").exists()


@pytest.mark.slow
def test_bad_input_is_told_in_a_line(place):
    """No arena, nobody in the lobby, bots that are missing, flags that mean nothing."""
    nowhere = organise_to_end(place, f"unix:{place}/nothing", code=BAD_INPUT)
    assert nowhere.err.startswith(f"arena: no arena at unix:{place}/nothing: ")
    with serve(place) as (_, address):
        empty = complete(organise(place, address), BAD_INPUT)  # as a process of its own
        assert empty.err == f"arena: no bot that plays byzanz is connected to {address}\n"
        with bots(place, address):
            named = [word for bot in (*NAMES, "far") for word in ("--bot", f"name={bot},connected")]
            absent = ("--start-timeout", 0.1)
            missing = organise_to_end(place, address, *named, *absent, code=BAD_INPUT)
            assert "far: not in the lobby within 0.1 s" in missing.err
            assert "(FAILED_PRECONDITION)" in missing.err
            started = organise_to_end(place, address, "--bot", "random", code=BAD_INPUT)
            assert "bot random is not a connected one" in started.err
            useless = organise_to_end(place, address, "--workers", 2, code=BAD_INPUT)
            assert "--workers has no effect with --server: leave it out" in useless.err
            for command in (empty, missing, started, useless):
                assert command.err.count("\n") == 1, command.err
            assert not (place / "kept").exists()
            words = ("--rounds", 1, "--quiet")
            organise_to_end(place, address, *words)
            other = organise_to_end(place, address, "--rounds", 2, code=BAD_INPUT)
            assert "rounds is 1 (asked for: 2)" in other.err
            assert "(ALREADY_EXISTS)" in other.err
            again = organise_to_end(place, address, *words)
            assert re.search(r"^rank +bot ", again.out, re.MULTILINE)
            assert again.out.count("\n") > 3
    check_whole(place, 3)


@pytest.mark.slow
def test_a_bot_that_is_killed_and_comes_back(place):
    """It forfeits what it was in and plays on when it is there again."""
    with serve(place) as (_, address), bots(place, address, THINK_S=0.01) as (_, _, cem):
        with organise(place, address, "--rounds", 2, "-j", 2) as command:
            wait_for_kept(place, 1)
            cem.signal(signal.SIGKILL)
            cem.wait()
            with bots(place, address, ["cem"]):
                assert command.wait(PATIENCE_S) == DONE, command.err
        assert "cem: disconnect" in command.err
    lines = check_whole(place, 6)
    endings: list[str] = []
    for line in lines:
        for seat, ended in zip(line["seating"], line["ended"], strict=True):
            assert ended == "normal" or seat["bot"] == "cem"
            if seat["bot"] == "cem":
                endings.append(ended)
    assert 1 <= endings.count("forfeit:disconnect") <= 2
    assert endings.count("normal") >= 4


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_an_arena_that_ends_and_comes_back(place, number):
    """Bots and organiser wait for it, and the tournament goes on without a lost match."""
    with contextlib.ExitStack() as stack:
        # On a socket: a port could be taken by somebody else in between.
        listen = f"unix:{place}/socket"
        server, address = stack.enter_context(serve(place, listen=listen))
        # SDK bots leave when an arena says goodbye; so they are started again for the next one.
        stack.enter_context(bots(place, address, THINK_S=0.01))
        command = stack.enter_context(organise(place, address, "--rounds", 2, "-j", 2, *SAME))
        wait_for_kept(place, 2)
        server.signal(number)
        server.wait()
        before = count_kept(place)
        assert before < 6
        stack.enter_context(serve(place, listen=listen))
        if number is signal.SIGTERM:
            stack.enter_context(bots(place, address))
        assert command.wait(PATIENCE_S) == DONE, command.err
        assert "trying again" in command.err
        assert "Traceback" not in command.err + server.err
    check_whole(place, 6)
    with open_store(place / "kept" / "cup" / "arena.db", "cup", is_read_only=True) as store:
        counted = [attempt for attempt in store.attempts() if attempt.void_reason is None]
        assert len(counted) == 6  # nothing was played twice
        if number is signal.SIGTERM:  # it had the time to finish what ran
            assert len(list(store.attempts())) == 6
        assert store.parked() == []


@pytest.mark.slow
async def test_a_connection_that_is_cut(place):
    """The organiser dials again and misses nothing; the tournament does not notice."""
    with serve(place) as (server, address), bots(place, address, THINK_S=0.005):
        async with Proxy("127.0.0.1:0", address) as proxy:
            with organise(place, proxy.address, "--rounds", 2, "-j", 2) as command:
                for kept in (1, 2, 3):
                    await asyncio.to_thread(wait_for_kept, place, kept)
                    proxy.cut()
                code = await asyncio.to_thread(command.wait, PATIENCE_S)
                assert code == DONE, command.err
                assert "trying again" in command.err
                assert proxy.connections > 1
        assert server.err.count("tournament started") == 1
        assert "tournament resumed" not in server.err
    check_whole(place, 6)


@pytest.mark.slow
def test_a_tournament_that_is_stopped_and_goes_on(place):
    """Running matches finish; the command that is told goes on with the rest."""
    with serve(place) as (server, address), bots(place, address, THINK_S=0.005):
        with organise(place, address, "--rounds", 2, "-j", 1, "--seed", "tea") as command:
            wait_for_kept(place, 1)
            command.wait_for("commitment ")  # it knows of the start, too
            command.signal(signal.SIGTERM)
            assert command.wait(PATIENCE_S) == STOPPED, command.err
        before = count_kept(place)
        assert 1 <= before < 6
        assert f"{before} of 6 matches played; continue with: arena tournament" in command.err
        # What is there of it tells nothing that could help anybody in the rest.
        config = (place / "cup" / "tournament.toml").read_text(encoding="utf-8")
        assert 'seed = ""' in config
        assert "tea" not in config
        assert main(["show", str(place / "cup")]) == DONE
        words = shlex.split(re.findall(r"continue with: arena (.*)$", command.err, re.MULTILINE)[0])
        to_end(*words)
        assert server.err.count("tournament resumed") == 1
    check_whole(place, 6)
    assert 'seed = "tea"' in (place / "cup" / "tournament.toml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_tournament_that_is_stopped_at_once(place):
    """A second Ctrl-C gives up what runs, and the same command goes on."""
    with serve(place) as (server, address):
        words = ("--rounds", 2)
        with bots(place, address, THINK_S=0.2), organise(place, address, *words) as command:
            server.wait_for("match started")
            command.wait_for("commitment ")  # it knows of the start, too
            command.signal(signal.SIGINT)
            command.wait_for("repeat to stop at once")
            command.signal(signal.SIGINT)
            assert command.wait() == INTERRUPTED
            assert "continue with: arena tournament" in command.err
            assert "Traceback" not in command.err
            server.wait_for("tournament ended")
            assert 'void="the tournament was stopped"' in server.err
        with bots(place, address):
            server.wait_for("bot=cem ")
            organise_to_end(place, address, *words, "--quiet")
    check_whole(place, 6)


@pytest.mark.slow
def test_two_tournaments_beside_casual_play(place):
    """All three go on at once among the same bots."""
    with (
        serve(place, "--casual", "byzanz:3", "--replays", "replays") as (server, address),
        bots(place, address),
        organise(place, address, "--rounds", 1) as first,
        arena(
            *("tournament", "--server", address, "--game", "schwarzmarkt", "--players", 3),
            *("--rounds", 1, "--out", place / "league", "--quiet"),
            place=place,
        ) as second,
    ):
        assert first.wait(PATIENCE_S) == DONE, first.err
        assert second.wait(PATIENCE_S) == DONE, second.err
        server.wait_for("match ended match=casual")
        server.signal(signal.SIGTERM)
        assert server.wait() == DONE
        assert "Traceback" not in server.err
    check_whole(place, 3)
    check_whole(place, 3, "league")


@pytest.mark.slow
def test_an_arena_that_keeps_its_results_where_they_are_fetched_to(place):
    """Nothing is fetched over what the arena itself keeps."""
    with serve(place) as (_, address), bots(place, address):
        out = place / "kept" / "cup"
        words = ("tournament", "--server", address, "--game", "byzanz", "--players", 3)
        for _ in range(2):
            assert f"page: {out}/leaderboard.html" in to_end(*words, "--rounds", 1, "--out", out)
        assert 'seed = "hex:' in (out / "tournament.toml").read_text(encoding="utf-8")
        assert (out / "arena.db").exists()
    assert main(["verify", str(out), "--quiet"]) == DONE


@pytest.mark.slow
def test_a_directory_that_holds_another_tournament(place):
    """It is left alone, and nothing is begun."""
    local = ("tournament", "--engine", "inline", "--game", "byzanz", "--players", 3, "--rounds", 1)
    named = ("--bot", "random", "--bot", "greedy", "--bot", "name=g2,builtin=greedy")
    to_end(*local, *named, "--out", place / "cup", "--quiet")
    before = {path.name: path.stat().st_mtime_ns for path in (place / "cup").glob("*.*")}
    with serve(place) as (_, address), bots(place, address):
        command = organise_to_end(place, address, code=BAD_INPUT)
        assert "holds a tournament that was played on this machine" in command.err
        assert not (place / "kept").exists()
    after = {path.name: path.stat().st_mtime_ns for path in (place / "cup").glob("*.*")}
    assert after == before


@pytest.mark.slow
def test_a_tournament_that_is_interrupted_before_its_first_match(place):
    """While the arena still waits for bots, nothing is begun and nothing is left."""
    named = [word for bot in NAMES for word in ("--bot", f"name={bot},connected")]
    with serve(place) as (server, address):
        with organise(place, address, *named) as command:
            wait_until((place / "cup").exists)
            command.signal(signal.SIGINT)
            assert command.wait() == INTERRUPTED
            assert command.err == "arena: interrupted before any match began\n"
        server.signal(signal.SIGTERM)
        assert server.wait() == DONE
        assert "Traceback" not in server.err
        assert not (place / "kept").exists()


@pytest.mark.slow
def test_a_tournament_over_tls(place):
    """Bots and organiser trust the arena's certificate, and nobody else is served."""
    if shutil.which("openssl") is None:
        skip_lacking("the openssl command is not installed: TLS is not tested")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out cert"
    names = "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    subprocess.run(
        ["openssl", *words.split(), *names.split()], cwd=place, check=True, capture_output=True
    )
    tokens = add_tokens(place, boss="admin", ann="bot", ben="bot", cem="bot")
    safe = ("--tokens", "tokens.json", "--tls-cert", "cert", "--tls-key", "key")
    trust = {"ARENA_CA_FILE": str(place / "cert")}
    with contextlib.ExitStack() as stack:
        server, address = stack.enter_context(serve(place, *safe))
        for name in NAMES:
            env = {"ARENA_TOKEN": tokens[name], **trust}
            stack.enter_context(arena("bot", "random", "--server", address, place=place, **env))
            server.wait_for(f"bot={name} ")
        env = {"ARENA_TOKEN": tokens["boss"]}
        plain = organise_to_end(place, address, "--rounds", 1, code=BAD_INPUT, env=env)
        assert f"arena: cannot talk to the arena at {address}: it uses TLS: set " in plain.err
        organise_to_end(place, address, "--rounds", 1, "--quiet", env={**env, **trust})
    check_whole(place, 3)
