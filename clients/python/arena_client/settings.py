"""Where the arena is and who the bot is: from the environment, or from flags, which count more."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena_client.errors import UsageError

if TYPE_CHECKING:
    import argparse

YES = {"1", "true", "yes", "on"}
NO = {"", "0", "false", "no", "off"}
HOST_AND_PORT = re.compile(r"(?P<host>\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to reach an arena. Files are paths to PEM files; empty means none."""

    address: str
    token: str = ""
    tls: bool = False
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""
    connect_timeout_s: float = 5.0
    resume_timeout_s: float = 30.0

    def __repr__(self) -> str:
        return f"<Settings {self.address}>"  # never the token


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Return the settings of a bot program.

    Raises:
        UsageError: an address is missing, or something makes no sense.
        SystemExit: by the parser of the command line: 0 for --help, 2 for an unknown flag.
    """
    flags: Mapping[str, str | None] = {}
    if arguments:  # seldom: an arena that starts a bot sets the variables
        flags = vars(_parser().parse_args(arguments))

    def value(name: str) -> str:
        flag = flags.get(name)
        return environment.get(f"ARENA_{name.upper()}", "") if flag is None else flag

    settings = Settings(
        address=_address(value("address")),
        token=_token(value("token")),
        tls=_tls(value("tls")) or bool(value("ca_file") or value("cert_file")),
        ca_file=_file("CA_FILE", value("ca_file")),
        cert_file=_file("CERT_FILE", value("cert_file")),
        key_file=_file("KEY_FILE", value("key_file")),
        connect_timeout_s=_timeout("CONNECT_TIMEOUT", value("connect_timeout"), 5.0),
        resume_timeout_s=_timeout("RESUME_TIMEOUT", value("resume_timeout"), 30.0),
    )
    if bool(settings.cert_file) != bool(settings.key_file):
        raise UsageError("a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE")
    return settings


def _parser() -> argparse.ArgumentParser:
    import argparse  # noqa: PLC0415 - takes long to load, and seldom needed

    parser = argparse.ArgumentParser(
        description="A bot for arena. Each flag can also be set as an environment variable.",
        allow_abbrev=False,
    )
    for flag, meaning in (
        ("--address", "unix:/path or host:port (ARENA_ADDRESS)"),
        ("--token", "the token from the organiser (prefer ARENA_TOKEN: other users can see flags)"),
        ("--ca-file", "TLS with the certificate authority in this PEM file (ARENA_CA_FILE)"),
        ("--cert-file", "a client certificate (ARENA_CERT_FILE)"),
        ("--key-file", "its key (ARENA_KEY_FILE)"),
        ("--connect-timeout", "seconds to keep trying at the start: 5 (ARENA_CONNECT_TIMEOUT)"),
        ("--resume-timeout", "seconds to keep trying later: 30 (ARENA_RESUME_TIMEOUT)"),
    ):
        parser.add_argument(flag, help=meaning, metavar=flag.rpartition("-")[2].upper())
    parser.add_argument(
        "--tls",
        action="store_const",
        const="1",
        help="TLS with the system's certificate authorities (ARENA_TLS=1)",
    )
    return parser


def _address(text: str) -> str:
    if not text:
        raise UsageError("no address: set ARENA_ADDRESS to unix:/path or host:port, or --address")
    if text.startswith("unix:"):
        if len(text) > len("unix:"):
            return text
    elif (found := HOST_AND_PORT.fullmatch(text)) and 0 < int(found["port"]) < 2**16:
        return text
    raise UsageError(f"ARENA_ADDRESS must be unix:/path or host:port, not {text!r}")


def _token(text: str) -> str:
    if not text.isprintable():
        raise UsageError("ARENA_TOKEN has characters that no token has: copy it again")
    return text


def _tls(text: str) -> bool:
    if text.lower() not in YES | NO:
        raise UsageError(f"ARENA_TLS must be 1 or 0, not {text!r}")
    return text.lower() in YES


def _file(name: str, path: str) -> str:
    if path and not os.path.isfile(path):  # noqa: PTH113 - pathlib takes long to load
        raise UsageError(f"ARENA_{name}: there is no file {path}")
    return path


def _timeout(name: str, text: str, default: float) -> float:
    try:
        timeout_s = float(text or default)
    except ValueError:
        timeout_s = -1.0
    if not 0 <= timeout_s < float("inf"):
        raise UsageError(f"ARENA_{name} must be a number of seconds, not {text!r}")
    return timeout_s
