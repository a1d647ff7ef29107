"""The command itself, run as a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import __version__
from arena.cli import COMMANDS
from arena.compiled import are_rules_compiled, is_encoder_compiled
from tests.programs import Finished, run_python

ROOT = Path(__file__).parents[2]

THREE = "random,random,random"
LIGHT = """
import sys
before = set(sys.modules)
from arena.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def arena(*arguments: object) -> Finished:
    return run_python("-m", "arena", *arguments, cwd=ROOT)


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_stays_light(argument):
    """Asking for help loads neither a game nor anything that takes long."""
    done = run_python("-c", LIGHT, argument, cwd=ROOT)
    loaded = done.stderr.split()
    own = {name for name in loaded if name.partition(".")[0] == "arena"}
    others = {name.partition(".")[0].strip("_") for name in loaded} - {"arena"}

    assert own == {
        "arena",
        "arena.cli",
        "arena.compiled",
        "arena.errors",
        "arena.inert",
        "arena.loading",
    }
    assert others <= {
        "argparse",
        "collections",
        "copyreg",
        "enum",
        "future",
        "functools",
        "gc",
        "gettext",
        "heapq",
        "importlib",
        "itertools",
        "keyword",
        "locale",
        "operator",
        "os",
        "re",
        "reprlib",
        "shutil",
        "unicodedata",
        "sre",
        "sre_compile",
        "sre_constants",
        "sre_parse",
        "struct",
        "textwrap",
        "types",
        "warnings",
        "weakref",
        "bz2",
        "compression",
        "errno",
        "fnmatch",
        "lzma",
        "zlib",
    }


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["bot", "bridge", "match"])
def test_a_command_loads_what_it_needs(argument):
    """What joins or hosts a match loads nothing that is for tournaments, databases or pages."""
    done = run_python("-c", LIGHT, argument, "--help", cwd=ROOT)
    loaded = set(done.stderr.split())
    packages = {".".join(name.split(".")[:2]) for name in loaded}

    assert f"arena.cli.{argument}" in loaded
    assert not loaded & {"numpy", "sqlite3", "starlette", "uvicorn", "importlib.metadata"}
    assert not packages & {"arena.results", "arena.tournament", "arena.web"}


@pytest.mark.slow
def test_a_built_in_bot_stays_light():
    """A built-in bot, of which a tournament starts many, loads no server and little of the rest."""
    done = run_python("-c", LIGHT, "bot", "--help", cwd=ROOT)
    loaded = set(done.stderr.split())
    packages = {".".join(name.split(".")[:2]) for name in loaded}

    assert not packages & {"arena.launch", "arena.rating", "arena.sandbox", "arena.storage"}
    assert not loaded & {"arena.bots.search", "arena.referee.faults", "arena.server.app"}


def test_help():
    """The help lists the commands on stdout."""
    done = arena("--help")

    assert (done.returncode, done.stderr) == (0, "")
    for command in ("games", "play", "replay", "verify"):
        assert f"\n    {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(run, command):
    """Each command explains its flags and ends with an example."""
    done = run(command, "--help")

    assert done.code == 0
    assert done.out.startswith(f"usage: arena {command}")
    assert "  -h, --help " in done.out
    assert re.search(rf"\n\nexamples?:\n(  arena {command}.*\n)+$", done.out)


def test_the_help_of_a_tournament(run):
    """What is played comes first, transport and logs last, and every choice has its default."""
    done = run("tournament", "--help")
    headings = re.findall(r"^(\w[\w ]*):$", done.out, re.MULTILINE)
    flags = re.findall(r"^  (-.*(?:\n {24}.*)*)", done.out, re.MULTILINE)
    told = [" ".join(flag.split()) for flag in flags]

    assert headings == [
        *("what is played", "bots", "schedule", "time and faults", "how it is run", "output"),
        *("bots that connect by themselves", "web pages", "logs and help", "examples"),
    ]
    assert len(told) > 40
    without = {flag.split()[0] for flag in told if "(default: " not in flag}
    assert without == {
        *("--game", "--option", "--bot", "--focus", "--no-timeout", "--save-config"),
        *("--quiet", "--json", "--tls-key", "--web-key", "--behind-proxy", "-h,"),
    }


def test_the_version(monkeypatch):
    """The version is the package's, and it says what of it is compiled here."""
    monkeypatch.delenv("ARENA_PURE", raising=False)
    parts = ["encoder"] * is_encoder_compiled() + ["rules"] * are_rules_compiled()
    made = f"compiled: {', '.join(parts)}" if parts else "pure Python"
    assert arena("--version").stdout == f"arena {__version__} ({made})\n"

    monkeypatch.setenv("ARENA_PURE", "1")
    assert arena("--version").stdout == f"arena {__version__} (pure Python)\n"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("tournamnet", "did you mean tournament?"),
        ("Lobby", "did you mean lobby?"),
        ("re", "did you mean replay?"),
        ("server", "did you mean serve?"),
        ("bo", "did you mean bot?"),
        ("nonsense", "there are games, play, match, tournament, "),
        ("", "there are games, play, match, tournament, "),
        ("\x1b[31m", "there are games, play, match, tournament, "),
    ],
)
def test_a_command_that_is_none(run, word, meant):
    """What was probably meant is named, else all there are, on one line."""
    done = run(word, "--json")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: there is no command {word!r}: {meant}")
    assert done.err.endswith(" (see arena --help)\n")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--nonsense"]])
def test_bad_usage(run, arguments):
    """Without a command the usage is shown and the exit code is 2."""
    done = run(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: arena")


@pytest.mark.slow
def test_play_replay_verify(tmp_path):
    """The commands work together as a person would use them."""
    file = tmp_path / "match.jsonl"
    played = arena("play", "schwarzmarkt", "--bots", "random,random,random", "--replay", file)
    told = arena("replay", file)
    verified = arena("verify", "--json", file)

    assert [done.returncode for done in (played, told, verified)] == [0, 0, 0]
    assert [done.stderr for done in (played, told, verified)] == ["", "", ""]
    assert "Outcome" in told.stdout
    assert "\x1b" not in told.stdout
    assert json.loads(verified.stdout)["ok"] is True


@pytest.mark.slow
def test_bad_input_leaves_no_traceback():
    """Bad input is one line on stderr."""
    done = arena("play", "chess", "--bots", "a,b")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("arena: unknown game 'chess'")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_person_whose_input_ends():
    """A closed input leaves the match, without a traceback."""
    done = arena("play", "byzanz", "--bots", "random,random", "--human", "0")

    assert done.returncode == 3
    assert done.stderr == "arena: the input ended; the match is not recorded\n"


@pytest.mark.slow
def test_a_reader_that_goes_away(tmp_path):
    """Output into a pipe that nobody reads ends quietly."""
    file = tmp_path / "match.jsonl"
    arena("play", "byzanz", "--bots", "random,random,random", "--replay", file, "--quiet")
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "replay", str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()

    assert complaint == ""
    assert process.returncode == 0


@pytest.mark.slow
def test_an_ascii_terminal():
    """Where the terminal knows only ASCII, output does not break."""
    ascii_only = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    play = ("-m", "arena", "play", "byzanz", "--watch", "--bots", THREE)
    done = run_python(*play, cwd=ROOT, env=ascii_only)

    assert (done.returncode, done.stderr) == (0, "")
