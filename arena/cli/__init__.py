"""The command `arena`: argument parsing and wiring. The only place that knows everything.

A command's module is imported only when that command runs, so that `arena --help` stays light.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from arena import __version__
from arena.compiled import are_rules_compiled, is_encoder_compiled
from arena.errors import ArenaError, BuildError, InputError, UnfitError
from arena.inert import inert
from arena.loading import load

DONE = 0
WRONG = 1  # the thing checked is wrong
BAD_INPUT = 2
STOPPED = 3  # before the end
INTERRUPTED = 130

COMMANDS = {
    "games": "list the games, their table sizes and their options",
    "play": "play one match yourself, or watch built-in bots play one",
    "match": "play matches between bots that run as separate programs",
    "tournament": "run a tournament and write its leaderboard",
    "init": "create a project for a new bot or a new game",
    "check": "check a bot before it enters a competition",
    "serve": "run a server that bots connect to",
    "lobby": "list the bots that are connected to a running server",
    "kick": "end the session of a bot that is connected to a running server",
    "watch": "follow a match on a running server",
    "bridge": "connect a program that reads and writes lines of JSON to a server",
    "bot": "run a built-in bot as a separate program",
    "token": "manage access tokens for bots",
    "key": "manage the key that signs your results",
    "replay": "print a recorded match, move by move, or write it as a web page",
    "view": "look at results and replays in a browser",
    "web": "show a running server or tournament in browsers",
    "site": "write results as a web site that any web host can serve",
    "show": "show a tournament's leaderboard, or how one bot did in it",
    "names": "check whether a bot decides by the names of the others at its table",
    "rate": "recompute a tournament's ratings and rewrite its results",
    "doctor": "check what this machine has for isolating bots, languages and databases",
    "verify": "check replays and results against the rules and their seeds",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its lines would stand between ours
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may not know every sign
    try:
        return _run(arguments)
    except ArenaError as error:
        complain(error)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("arena: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; keep Python from complaining while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _open_standard_streams() -> None:
    """Put nothing in the place of what was closed: another file would get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w"))


def complain(error: ArenaError) -> None:
    """Print what went wrong on one line of stderr, whatever texts from outside it quotes.

    Some errors take more: what a compiler said, and each bot that cannot play.
    """
    lines = [str(error)]
    if isinstance(error, BuildError):
        lines = [error.reason, *error.printed]
    elif isinstance(error, UnfitError) and error.refused:
        bots = (line for refused in error.refused.items() for line in refusal_lines(*refused))
        lines = [f"{error.summary}:", *bots, error.advice]
    print("arena:", "\n".join(map(inert, lines)), file=sys.stderr)


def refusal_lines(name: str, reason: str) -> list[str]:
    """Return a bot that cannot play and why, with what its build has printed on lines below."""
    first, *printed = reason.splitlines() or [""]
    return [f"  {name}: {first}", *(f"    | {line}" for line in printed)]


def _describe_version() -> str:
    """Return the version, and what of it is compiled here; loads nothing."""
    is_compiled = {"encoder": is_encoder_compiled(), "rules": are_rules_compiled()}
    parts = ", ".join(part for part, is_true in is_compiled.items() if is_true)
    made = f"compiled: {parts}" if parts else "pure Python"
    return f"arena {__version__} ({made})"


def _check_command(arguments: Sequence[str]) -> None:
    """Raise InputError for a command that is none, with the one that was probably meant."""
    word = next(iter(arguments), "-")
    if word.startswith("-") or word in COMMANDS:
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only for mistakes

    near = [name for name in COMMANDS if word and name.startswith(word)]
    near = near or get_close_matches(word.lower(), COMMANDS, 1)
    meant = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(COMMANDS)}"
    raise InputError(f"there is no command {word!r}: {meant} (see arena --help)")


def _run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="arena",
        description="Bot-programming competitions for card games.",
        epilog="arena COMMAND --help explains a command and shows examples.",
    )
    parser.add_argument("--version", action="version", version=_describe_version())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    first = next(iter(arguments), "")
    for name in [first] if first in COMMANDS else COMMANDS:
        summary = COMMANDS[name]
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,  # each command adds it where it belongs
        )
        if name == first:
            module = load(f"arena.cli.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    _check_command(arguments)
    parsed = parser.parse_args(arguments)
    if not hasattr(parsed, "run"):
        parser.print_help(sys.stderr)
        return BAD_INPUT
    code = parsed.run(parsed)
    sys.stdout.flush()
    return int(code)
