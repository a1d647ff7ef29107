"""`arena serve` with bots and spectators that are processes of their own."""

from __future__ import annotations

import contextlib
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import BAD_INPUT, DONE, STOPPED, main
from tests.e2e.command import Command, arena, dial
from tests.e2e.tournaments import run_to_end, to_end

CASUAL = ("--casual", "byzanz:3", "--replays", "replays")


@contextlib.contextmanager
def serve(place: Path, *more: object, listen: str = "127.0.0.1:0") -> Iterator[tuple[Command, str]]:
    """Serve; gives the command and where it listens."""
    with arena("serve", "--listen", listen, *more, place=place) as command:
        command.wait_for("games: ")
        (address,) = re.findall(r"^listening on (\S+)$", command.out, re.MULTILINE)
        yield command, address


@contextlib.contextmanager
def three(place: Path, address: str, think_s: float = 0.0) -> Iterator[list[Command]]:
    """Let three bots dial; they are in the lobby then."""
    with contextlib.ExitStack() as stack:
        bots = [
            stack.enter_context(dial(address, name, place=place, THINK_S=think_s))
            for name in ("ann", "ben", "cem")
        ]
        for each in bots:
            each.wait_for("playing as ")
        yield bots


def check_left(place: Path, *commands: Command) -> None:
    for command in commands:
        assert "Traceback" not in command.err
        assert "never retrieved" not in command.err
    assert list(place.glob("arena-*")) == []
    assert list(place.glob("replays/.*")) == []
    for file in place.glob("replays/*"):
        assert main(["verify", str(file)]) == DONE


def check_told(bots: list[Command]) -> None:
    """The bots have ended by themselves, as told."""
    for each in bots:
        assert each.wait() == DONE
        assert "the arena says goodbye: the arena is stopping" in each.err


@pytest.mark.slow
def test_a_signal_to_an_idle_arena(place):
    """An idle arena says goodbye, and its socket is gone."""
    listen = f"unix:{place}/socket"
    with serve(place, listen=listen) as (command, address), three(place, address) as bots:
        assert (place / "socket").is_socket()
        command.signal(signal.SIGINT)
        assert command.wait() == DONE
        check_told(bots)
        assert not (place / "socket").exists()
        check_left(place, command, *bots)


@pytest.mark.slow
def test_a_signal_while_a_match_runs(place):
    """The match is played to its end and kept; then the bots are told."""
    with serve(place, *CASUAL) as (command, address), three(place, address, 0.01) as bots:
        command.wait_for("match started")
        command.signal(signal.SIGTERM)
        assert command.wait() == DONE
        check_told(bots)
        assert re.search(r"match ended .*ended=\S*normal", command.err)
        assert len(list(place.glob("replays/*.jsonl"))) == 1
        check_left(place, command, *bots)


@pytest.mark.slow
def test_two_signals_while_a_match_runs(place):
    """The second one makes it void; there is no replay of it."""
    with serve(place, *CASUAL) as (command, address), three(place, address, 0.2) as bots:
        command.wait_for("match started")
        command.signal(signal.SIGTERM)
        command.wait_for("stopping")
        command.signal(signal.SIGINT)
        assert command.wait() == DONE
        check_told(bots)
        assert 'void="the arena was stopped"' in command.err
        assert list(place.glob("replays/*")) == []
        check_left(place, command, *bots)


@pytest.mark.slow
def test_a_second_process_with_the_same_token(place):
    """It is refused and says why; the first plays on."""
    tokens = place / "tokens.json"
    token = to_end("token", "add", "ann", "--tokens", tokens).strip()
    with serve(place, "--tokens", tokens) as (command, address):
        with dial(address, "first", place=place, ARENA_TOKEN=token) as first:
            first.wait_for("playing as ann")
            with dial(address, "second", place=place, ARENA_TOKEN=token) as second:
                assert second.wait() == BAD_INPUT
                assert "a session of 'ann' is already open" in second.err
            with arena(
                "bot", "random", "--server", address, place=place, ARENA_TOKEN=token
            ) as third:
                assert third.wait() == BAD_INPUT
                assert "(ALREADY_EXISTS)" in third.err
            with dial(address, "nobody", place=place) as nobody:
                assert nobody.wait() == BAD_INPUT
                assert "no token" in nobody.err
            assert first.is_running
            command.signal(signal.SIGTERM)
            assert command.wait() == DONE
            check_told([first])
            assert "lost" not in first.err
        check_left(place, command, first, second, third, nobody)
        assert token not in command.out + command.err


@pytest.mark.slow
def test_bots_come_back_to_an_arena_that_was_killed(place):
    """After SIGKILL and a restart on the same address, SDK and built-in bots say hello anew."""
    with (
        serve(place, *CASUAL) as (command, address),
        dial(address, "ann", place=place) as ann,
        dial(address, "ben", place=place) as ben,
        arena("bot", "random", "--server", address, place=place) as builtin,
    ):
        command.wait_for("match ended")
        command.signal(signal.SIGKILL)
        command.wait()
        with serve(place, *CASUAL, listen=address) as (anew, same):
            assert same == address
            anew.wait_for("match ended")
            assert "normal" in anew.err
            anew.signal(signal.SIGTERM)
            assert anew.wait() == DONE
        check_told([ann, ben])
        assert builtin.wait() == DONE
        assert "the session has expired at the arena" in ann.err
        check_left(place, ann, ben, builtin)


@pytest.mark.slow
def test_a_spectator_sees_the_match_and_its_outcome(place):
    """`arena watch` lists, follows to the end, and keeps the replay."""
    with serve(place, *CASUAL) as (command, address), three(place, address, 0.03):
        command.wait_for("match started")
        (name,) = re.findall(r"match started match=(\S+)", command.err)
        with arena("watch", name, "--server", address, "--replay", "seen", place=place) as watch:
            assert watch.wait() == DONE
            assert watch.out.startswith(f"Byzanz, match {name}\n")
            assert re.search(r"\[0\].*\n(.*\n)+.*\[1\].*\n(.*\n)*rank  score  bot\n", watch.out)
            assert len(watch.out.splitlines()) > 20  # it came in time to see something
            assert "\x1b" not in watch.out
        assert main(["verify", str(place / "seen")]) == DONE
        listing = to_end("watch", "--server", address)
        (line,) = [line for line in listing.splitlines() if line.startswith(name)]
        assert re.search(r"  byzanz  (\w+, ){2}\w+  \(ended\)$", line)
        nothing = run_to_end("watch", "nothing", "--server", address)
        assert nothing.code == BAD_INPUT
        assert "no match 'nothing' is running here" in nothing.err
        check_left(place, command, watch)


@pytest.mark.slow
def test_a_person_looks_around(place):
    """`arena lobby` lists who is there; `arena watch` waits for a match of one, and sees it all."""
    with serve(place, *CASUAL) as (command, address), three(place, address):
        told = to_end("lobby", "--server", address).splitlines()
        assert [line.split()[0] for line in told] == ["bot", "ann", "ben", "cem"]
        first = run_to_end("watch", "--bot", "ben", "--next", "--server", address)
        assert (first.code, first.err) == (DONE, "waiting for the next match of ben\n")
        assert "\nRound 1, offer " in first.out
        assert "\nrank  score  bot\n   1 " in first.out
        check_left(place, command)


@pytest.mark.slow
def test_a_stopped_spectator_delays_nobody(place):
    """A spectator that does not read is dropped; the match goes on without it."""
    with serve(place, *CASUAL) as (command, address), three(place, address, 0.02) as bots:
        command.wait_for("match started")
        (name,) = re.findall(r"match started match=(\S+)", command.err)
        with arena("watch", name, "--server", address, place=place) as watch:
            watch.wait_for(f"Byzanz, match {name}")
            watch.signal(signal.SIGSTOP)
            command.wait_for(f"match ended match={name}")
            assert "disconnect" not in command.err
            command.signal(signal.SIGTERM)
            assert command.wait() == DONE  # and it does not wait for the spectator
            check_told(bots)
            watch.signal(signal.SIGCONT)
            assert watch.wait() in (DONE, BAD_INPUT, STOPPED)
            check_left(place, command, watch, *bots)


@pytest.mark.slow
def test_a_spectator_is_told_when_the_arena_goes_away(place):
    """The arena is killed under a spectator, which says so and ends."""
    with serve(place, *CASUAL) as (command, address), three(place, address, 0.1):
        command.wait_for("match started")
        (name,) = re.findall(r"match started match=(\S+)", command.err)
        with arena("watch", name, "--server", address, place=place) as watch:
            watch.wait_for(f"Byzanz, match {name}")
            command.signal(signal.SIGKILL)
            command.wait()
            assert watch.wait() in (BAD_INPUT, STOPPED)
            assert watch.err.startswith("arena: ")
            check_left(place, watch)


@pytest.mark.slow
def test_a_port_in_use(place):
    """A second arena on the same address says so and ends; the first is not harmed."""
    with serve(place) as (command, address):
        with arena("serve", "--listen", address, place=place) as second:
            assert second.wait() == BAD_INPUT
            assert second.err == f"arena: cannot listen on {address}: Address already in use\n"
            check_left(place, second)
        assert command.is_running
        command.signal(signal.SIGINT)
        assert command.wait() == DONE
