"""What is told to the author of a bot, in words."""

from __future__ import annotations

import grpc

from arena_client.v1 import play_pb2

REFUSALS = {
    grpc.StatusCode.UNAUTHENTICATED: (
        "the arena refuses the token",
        "set ARENA_TOKEN to the token from the organiser",
    ),
    grpc.StatusCode.PERMISSION_DENIED: (
        "the arena refuses the token",
        "set ARENA_TOKEN to the token from the organiser",
    ),
    grpc.StatusCode.ALREADY_EXISTS: (
        "the token is in use",
        "end the other program that plays with it, or wait until the arena has noticed its end",
    ),
    grpc.StatusCode.FAILED_PRECONDITION: (
        "the arena does not accept this bot",
        "this library speaks protocol {protocol}; install one that fits, or check the bot's games",
    ),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (
        "a limit of the arena was exceeded",
        "try again later, or take fewer matches at once (max_matches)",
    ),
    grpc.StatusCode.UNIMPLEMENTED: (
        "what answers at {address} is no arena",
        "check ARENA_ADDRESS",
    ),
}
OTHER_REFUSAL = ("the arena ended the session", "see the documentation of the arena")

Reason = play_pb2.Rejected.Reason
ADVICE: dict[int, str] = {
    Reason.REASON_LATE: "decide faster: see move_time_s and bank_s of the decision",
    Reason.REASON_REPEATED: "nothing to do: the first answer counts",
    Reason.REASON_UNKNOWN_DECISION: "nothing to do, unless it happens often",
    Reason.REASON_UNKNOWN_MATCH: "nothing to do, unless it happens often",
    Reason.REASON_MATCH_OVER: "nothing to do: the match ended while the bot was thinking",
    Reason.REASON_ILLEGAL_MOVE: "check that arena and library have the same version",
    Reason.REASON_INCOMPLETE: "check that arena and library have the same version",
    Reason.REASON_NOTE_TOO_LONG: "write shorter notes",
}


def refusal(status: grpc.StatusCode, details: str, address: str, protocol: int) -> str:
    """Return why the arena refused a session, and what to do."""
    what, advice = REFUSALS.get(status, OTHER_REFUSAL)
    text = f"{what}: {inert(details) or status.name} ({advice})"
    return text.replace("{address}", address).replace("{protocol}", str(protocol))


def inert(text: str) -> str:
    """Return a text from elsewhere so that it can do nothing to a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
