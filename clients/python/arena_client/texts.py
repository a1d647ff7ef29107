"""What is told to the author of a bot, in words."""

from __future__ import annotations

import grpc

from arena_client.settings import Settings
from arena_client.v1 import play_pb2

REFUSALS = {
    grpc.StatusCode.UNAUTHENTICATED: (
        "the arena rejected the token",
        "set ARENA_TOKEN to the token from the organiser",
    ),
    grpc.StatusCode.PERMISSION_DENIED: (
        "the arena rejected the token",
        "set ARENA_TOKEN to the token from the organiser",
    ),
    grpc.StatusCode.ALREADY_EXISTS: (
        "the token is in use",
        "stop the other program that uses it, or wait until the arena has closed its session",
    ),
    grpc.StatusCode.FAILED_PRECONDITION: (
        "the arena does not accept this bot",
        "this SDK speaks protocol {protocol}: install a matching version, or check the bot's games",
    ),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (
        "a limit of the arena was exceeded",
        "try again later, or take fewer matches at once (max_matches)",
    ),
    grpc.StatusCode.UNIMPLEMENTED: (
        "the server at {address} is not an arena",
        "check ARENA_ADDRESS",
    ),
}
OTHER_REFUSAL = ("the arena ended the session", "see arena's documentation")

IS_RUNNING = "is it running, and is ARENA_ADDRESS right?"
# gRPC has no codes for these, only texts. A conformance scenario notices when they change.
HANDSHAKE_HINTS = {
    "WRONG_VERSION_NUMBER": (
        "it does not use TLS: unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE"
    ),
    "Hostname Verification Check failed": (
        "its certificate is for another host name: set ARENA_ADDRESS to a name in the certificate"
    ),
    "CERTIFICATE_VERIFY_FAILED": (
        "its certificate is not signed by a trusted authority: "
        "set ARENA_CA_FILE to the organiser's file"
    ),
}

Reason = play_pb2.Rejected.Reason
ADVICE: dict[int, str] = {
    Reason.REASON_LATE: "decide faster: see move_time_s and bank_s of the decision",
    Reason.REASON_REPEATED: "nothing to do: the first answer counts",
    Reason.REASON_UNKNOWN_DECISION: "nothing to do, unless it happens often",
    Reason.REASON_UNKNOWN_MATCH: "nothing to do, unless it happens often",
    Reason.REASON_MATCH_OVER: "nothing to do: the match ended while the bot was thinking",
    Reason.REASON_ILLEGAL_MOVE: "check that arena and the SDK have the same version",
    Reason.REASON_INCOMPLETE: "check that arena and the SDK have the same version",
    Reason.REASON_NOTE_TOO_LONG: "write shorter notes",
}


def refusal(status: grpc.StatusCode, details: str, address: str, protocol: int) -> str:
    """Return why the arena refused a session, and what to do."""
    what, advice = REFUSALS.get(status, OTHER_REFUSAL)
    text = f"{what}: {inert(details) or status.name} ({advice})"
    return text.replace("{address}", address).replace("{protocol}", str(protocol))


def silence_hint(details: str, settings: Settings) -> str:
    """Return what to check when no arena answers."""
    if settings.tls:
        for mark, hint in HANDSHAKE_HINTS.items():
            if mark in details:
                return hint
    if "refused" in details or settings.address.startswith("unix:"):
        return IS_RUNNING
    if not settings.tls:
        return f"{IS_RUNNING} If it uses TLS, set ARENA_CA_FILE or ARENA_TLS=1"
    if not settings.cert_file:
        more = "If it requires a client certificate, set ARENA_CERT_FILE and ARENA_KEY_FILE"
        return f"{IS_RUNNING} {more}"
    return IS_RUNNING


def inert(text: str) -> str:
    """Return a text from elsewhere so that it can do nothing to a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
