"""Why an arena that is there cannot be talked to: mistakes about TLS, which gRPC hardly tells.

To gRPC a connection without TLS to an arena with it is only a "socket closed". So the address is
dialled once more, without gRPC, to see what is there.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.client.channel import Destination
from arena.inert import inert

_PATIENCE_S = 3.0
_OTHER_NAME = (62, 64)  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH
_EXPIRED = 10  # X509_V_ERR_CERT_HAS_EXPIRED
_MOST_NAMES = 5
_VARIABLES = "ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE"


async def describe_failure(destination: Destination, details: str) -> str:
    """Return why nobody could be talked to there, and what to do; `details` are gRPC's."""
    found = await find_tls_mistake(destination)
    return found or f"no arena at {destination.address}: {details} (is it running there?)"


async def find_tls_mistake(destination: Destination) -> str:
    """Return why an arena that is there cannot be talked to; "" if TLS is not the reason."""
    mistake = await asyncio.to_thread(_find_mistake, destination)
    return mistake and f"cannot talk to the arena at {destination.address}: {mistake}"


def _find_mistake(destination: Destination) -> str:
    """Return what is wrong about TLS; "" if nothing is, or nobody answers. Blocks for seconds."""
    if destination.address.startswith("unix:"):
        if not destination.uses_tls:
            return ""
        return f"a unix socket is not encrypted: unset {_VARIABLES}"
    try:
        if not destination.uses_tls:
            return _find_tls(destination)
        return _find_flaw(destination)
    except (OSError, ValueError):  # nobody answers, nothing that we know, or no such host
        return ""


def _find_tls(destination: Destination) -> str:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nothing is said over this connection
    _shake_hands(destination, context)
    return (
        "it uses TLS: set ARENA_CA_FILE to the file with the certificate of its authority, or "
        "ARENA_TLS=1 if this system knows the authority"
    )


def _find_flaw(destination: Destination) -> str:
    ca, cert, key = destination.ca_file, destination.cert_file, destination.key_file
    try:
        context = ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        return f"{ca} (ARENA_CA_FILE) holds no certificate that can be read"
    try:
        if cert:
            context.load_cert_chain(cert, key)
    except ssl.SSLError:
        return f"{cert} (ARENA_CERT_FILE) and {key} (ARENA_KEY_FILE) do not belong together"
    try:
        hands = _shake_hands(destination, context)
    except ssl.SSLCertVerificationError as error:
        return _judge_certificate(destination, context, error)
    except ssl.SSLError as error:
        is_plain = error.reason == "WRONG_VERSION_NUMBER"
        return f"it does not use TLS: unset {_VARIABLES}" if is_plain else ""
    if hands.is_refused and cert:
        return f"it does not accept the certificate {cert} (ARENA_CERT_FILE)"
    if hands.is_refused:
        return "it asks for a client certificate: set ARENA_CERT_FILE and ARENA_KEY_FILE"
    return ""


def _judge_certificate(
    destination: Destination, context: ssl.SSLContext, error: ssl.SSLCertVerificationError
) -> str:
    if error.verify_code in _OTHER_NAME:
        context.check_hostname = False  # it is signed by whom we trust: see for which names
        names = _shake_hands(destination, context).names
        given = inert(", ".join(names[:_MOST_NAMES])) or "no name at all"
        host = destination.address.rpartition(":")[0]
        return f"its certificate is for {given}, not for {host}: dial a name that is in it"
    if error.verify_code == _EXPIRED:
        return "its certificate has expired: tell the organiser"
    if destination.ca_file:
        trusted = f"an authority in {destination.ca_file} (ARENA_CA_FILE)"
    else:
        trusted = "an authority that this system knows: set ARENA_CA_FILE"
    return f"its certificate is not signed by {trusted}"


@dataclass(frozen=True, slots=True)
class _Hands:
    """What a handshake has shown."""

    names: Sequence[str]  # of its certificate, if it was checked
    is_refused: bool  # it hung up afterwards: it does not like our certificate, or misses it


def _shake_hands(destination: Destination, context: ssl.SSLContext) -> _Hands:
    """Dial and hang up; raises SSLError for what does not fit, OSError if nobody is there."""
    host, _, port = destination.address.rpartition(":")
    host = host.strip("[]")
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection((host, int(port)), _PATIENCE_S) as connection,
        context.wrap_socket(connection, server_hostname=host) as link,
    ):
        certificate: Mapping[str, Any] = link.getpeercert() or {}
        names = [str(name) for _, name in certificate.get("subjectAltName", ())]
        try:
            is_refused = not link.recv(1)  # an arena speaks first
        except TimeoutError:
            is_refused = False
        except OSError:
            is_refused = True
        return _Hands(names, is_refused)
