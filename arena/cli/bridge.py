"""`arena bridge`: a program that only reads and writes lines, connected to an arena."""

from __future__ import annotations

import argparse
import contextlib
import logging
import math
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from arena.bridge.bridge import Bridge, BridgeSettings
from arena.cli import BAD_INPUT, DONE, INTERRUPTED, STOPPED, WRONG
from arena.cli.signals import handled
from arena.cli.terminal import add_help
from arena.client.channel import Destination, destination_from
from arena.client.play_session import Patience
from arena.config.bot_fields import check_command, check_memory
from arena.errors import ArenaError, InputError, LostError, ProgramError
from arena.inert import inert
from arena.server.loop import run_async

_VARIABLES = ("token", "ca_file", "cert_file", "key_file", "connect_timeout", "resume_timeout")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena bridge`."""
    parser.usage = "arena bridge [flags] -- PROGRAM [ARGUMENT ...]"
    parser.add_argument(
        "command", nargs="*", metavar="PROGRAM", help="the program and its arguments, after --"
    )
    parser.add_argument(
        "--server",
        "--address",
        metavar="ADDRESS",
        help="HOST:PORT or unix:PATH of the server (default: ARENA_ADDRESS)",
    )
    parser.add_argument(
        "--token",
        help="the bot's access token (default: ARENA_TOKEN, which other users cannot read)",
    )
    parser.add_argument(
        "--tls",
        action="store_true",
        help="use TLS with the system's certificate authorities (default: ARENA_TLS=1)",
    )
    for flag, meaning in (
        ("--ca-file", "use TLS with the authority in this PEM file (default: ARENA_CA_FILE)"),
        ("--cert-file", "the client certificate, PEM (default: ARENA_CERT_FILE)"),
        ("--key-file", "the private key of --cert-file, PEM (default: ARENA_KEY_FILE)"),
    ):
        parser.add_argument(flag, metavar="FILE", help=meaning)
    for flag, meaning in (
        (
            "--connect-timeout",
            "how long to try to connect (default: ARENA_CONNECT_TIMEOUT, or 5)",
        ),
        (
            "--resume-timeout",
            "how long to try to reconnect (default: ARENA_RESUME_TIMEOUT, or 30)",
        ),
        ("--hello-timeout", "time for the program to write its first line (default: 30)"),
    ):
        parser.add_argument(flag, metavar="SECONDS", help=meaning)
    parser.add_argument(
        "--memory-mb",
        type=int,
        metavar="N",
        help="limit the memory of each of the program's processes (default: no limit)",
    )
    parser.add_argument(
        "--transcript",
        metavar="FILE",
        help="write all lines to this file, with > before those to the program and < before "
        "those from it",
    )
    add_help(parser, "arena bridge --server 127.0.0.1:50051 -- ./mybot.sh")


def run(args: argparse.Namespace) -> int:
    """Bridge the program until the arena says goodbye."""
    if not args.command:
        raise InputError("name the program: arena bridge -- ./mybot")
    environment = _environment(args)
    destination = destination_from(environment)
    _set_up_reports()
    with contextlib.ExitStack() as stack:
        settings = BridgeSettings(
            command=check_command(args.command, "the command"),
            memory_mb=None if args.memory_mb is None else check_memory(args.memory_mb),
            hello_timeout_s=_seconds("--hello-timeout", args.hello_timeout, 30.0),
            patience=_patience(environment),
            transcript=_open(args.transcript, stack),
        )
        try:
            return run_async(_bridge(settings, destination))
        except ArenaError as error:
            return _complain(error)


async def _bridge(settings: BridgeSettings, destination: Destination) -> int:
    bridge = Bridge(settings, destination)
    code = DONE

    def interrupt(number: int) -> None:
        nonlocal code
        code = INTERRUPTED if number == signal.SIGINT else DONE
        bridge.interrupt(f"stopped by {signal.Signals(number).name}")

    with handled(interrupt):
        await bridge.run()
    return code


def _complain(error: ArenaError) -> int:
    """Tell what went wrong, on several lines if need be; return the exit code."""
    print("arena bridge:", "\n".join(map(inert, str(error).splitlines())), file=sys.stderr)
    if isinstance(error, ProgramError):
        return WRONG
    return STOPPED if isinstance(error, LostError) else BAD_INPUT


def _environment(args: argparse.Namespace) -> Mapping[str, str]:
    """Return the environment as the flags, which count more, change it."""
    environment = dict(os.environ)
    if args.server is not None:
        environment["ARENA_ADDRESS"] = args.server
    if args.tls:
        environment["ARENA_TLS"] = "1"
    for name in _VARIABLES:
        value = getattr(args, name)
        if value is not None:
            environment[f"ARENA_{name.upper()}"] = value
    return environment


def _patience(environment: Mapping[str, str]) -> Patience:
    usual = Patience()
    connect, resume = "ARENA_CONNECT_TIMEOUT", "ARENA_RESUME_TIMEOUT"
    return Patience(
        connect_s=_seconds(connect, environment.get(connect), usual.connect_s),
        resume_s=_seconds(resume, environment.get(resume), usual.resume_s),
    )


def _seconds(name: str, text: str | None, usual_s: float) -> float:
    try:
        seconds = float(text or usual_s)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise InputError(f"{name} must be a number of seconds, not {text!r}")
    return seconds


def _open(path: str | None, stack: contextlib.ExitStack) -> TextIO | None:
    if path is None:
        return None
    try:
        file = Path(path).open("w", encoding="utf-8", errors="replace")  # noqa: SIM115 - by _close
    except OSError as error:
        raise InputError(f"--transcript {path}: {error.strerror}") from None
    stack.callback(_close, file)
    return file


def _close(file: TextIO) -> None:
    with contextlib.suppress(OSError):  # the disk is full, which has been said
        file.close()


class _Reports(logging.Formatter):
    """`arena bridge: playing as mine at unix:… (arena 0.1.0)`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; texts from outside are harmless in it."""
        weight = "warning: " if record.levelno >= logging.WARNING else ""
        return f"arena bridge: {weight}{inert(record.getMessage())}"


def _set_up_reports() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Reports())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
