"""Flags about where an arena listens and whom it lets in."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from arena.cli.options import read_file
from arena.errors import InputError
from arena.inert import inert
from arena.server.address import Address, Tls, parse_address
from arena.server.auth import TokenFile


def add_listen_options(parser: argparse._ActionsContainer, default: str | None) -> None:
    """Add addresses, tokens and TLS."""
    parser.add_argument(
        "--listen",
        action="append",
        metavar="ADDRESS",
        help="let bots connect here: HOST:PORT or unix:PATH; may be repeated "
        f"(default: {default or 'nowhere'})",
    )
    parser.add_argument(
        "--tokens",
        metavar="FILE",
        help="accept only bots with a token from this file (default: accept every bot)",
    )
    parser.add_argument(
        "--tls-cert", metavar="FILE", help="the server's certificate, PEM (default: no TLS)"
    )
    parser.add_argument("--tls-key", metavar="FILE", help="the private key of --tls-cert, PEM")
    parser.add_argument(
        "--client-ca",
        metavar="FILE",
        help="accept only clients with a certificate signed by this authority, PEM "
        "(default: clients need no certificate)",
    )


def addresses(args: argparse.Namespace, default: str | None) -> list[Address]:
    """Return where to listen."""
    texts = args.listen or ([default] if default else [])
    return [parse_address(text) for text in texts]


def describe_listening(address: Address, waited: Sequence[str]) -> str:
    """Return where an arena listens, and for which bots it waits."""
    here = f" (on this machine: {address.dialled_here})" if address.is_wildcard else ""
    waits = f", waiting for {inert(', '.join(waited))}" if waited else ""
    return f"listening on {address.text}{here}{waits}"


def token_file(args: argparse.Namespace) -> TokenFile | None:
    """Return the tokens, None if there are none."""
    return TokenFile(Path(args.tokens)) if args.tokens else None


def tls(args: argparse.Namespace) -> Tls | None:
    """Return certificate and key, None if there are none; raises InputError."""
    if args.tls_cert is None and args.tls_key is None:
        if args.client_ca:
            raise InputError("--client-ca needs --tls-cert and --tls-key")
        return None
    if args.tls_cert is None or args.tls_key is None:
        raise InputError("--tls-cert and --tls-key need each other: give both")
    cert, key = read_file(args.tls_cert), read_file(args.tls_key)
    for path, content, what in (
        (args.tls_cert, cert, b"CERTIFICATE"),
        (args.tls_key, key, b"PRIVATE KEY"),
    ):
        if b"-----BEGIN" not in content or what not in content:
            raise InputError(f"{path}: not a {what.decode().lower()} in PEM form")
    return Tls(cert, key, read_file(args.client_ca) if args.client_ca else None)
