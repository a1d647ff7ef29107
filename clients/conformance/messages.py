"""What the arena says in scenarios: short forms of its messages, made from the golden ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from arena.examine.edits import with_unknown_fields
from arena.v1.play_pb2 import PlayResponse
from arena.wire.fields import bytes_field
from clients.conformance.scenario import Json

GOLDEN = Path(__file__).resolve().parent / "golden"
GAMES = ("byzanz", "schwarzmarkt")  # all others are of plug-ins
WELCOME: Json = {
    "session": "s-1",
    "arena": "0.1.0",
    "bot": "conformance",
    "limits": {
        "maxMatches": 8,
        "maxMessageBytes": 65536,
        "maxNoteBytes": 1024,
        "maxMessagesPerSecond": 50,
    },
}
_PADDING = 1_990  # the number of a field that nobody knows
ENDED: Json = {"scores": [7, 12, -3], "ranks": [2, 1, 3]}


class MessageError(Exception):
    """A scenario describes a message that cannot be made; the text says why."""


def encode(response: Json, *, unknown_fields: bool = False, padding: int = 0) -> bytes:
    """Return a PlayResponse as bytes, if asked with fields in all of it that nobody knows.

    `padding` is how many bytes are added in one more such field.

    Raises:
        MessageError: there is no such message.
    """
    message = PlayResponse()
    try:
        json_format.ParseDict(dict(response), message)
    except json_format.ParseError as error:
        raise MessageError(str(error)) from None
    data = message.SerializeToString(deterministic=True)
    if unknown_fields:
        data = with_unknown_fields(data)
    return data + bytes_field(_PADDING, bytes(padding)) if padding else data


def welcome(resume_token: str, changes: Json) -> Json:
    """Return a welcome; `resume_token` is in base64."""
    return {"welcome": merged(merged(WELCOME, {"resumeToken": resume_token}), changes)}


def match_started(match_id: str, game: str, changes: Json) -> Json:
    """Return the start of a match, with the bot in seat 1 of 3."""
    name = f"{game}-match-started" if game in GAMES else "match-started-other"
    template = {**golden(name)["matchStarted"], "matchId": match_id, "game": game}
    return {"matchStarted": merged(template, changes)}


def decisions(
    asked: Sequence[tuple[str, int, str]],
    like: str,
    changes: Json,
    started: Sequence[str] = (),
    ended: Sequence[str] = (),
) -> Json:
    """Return a message that asks decisions: of a match, an id and a game each.

    `like` names the golden message to take them from, by default the one of the game. Matches that
    have started (of byzanz) and ended are told of beside them.
    """
    return {
        "decisions": {
            "matchStarted": [match_started(one, GAMES[0], {})["matchStarted"] for one in started],
            "matchEnded": [match_ended(one, {})["matchEnded"] for one in ended],
            "decisions": [
                merged(
                    {
                        **_decision(game, like),
                        "matchId": match_id,
                        "decisionId": decision_id,
                    },
                    changes,
                )
                for match_id, decision_id, game in asked
            ],
        }
    }


def match_ended(match_id: str, changes: Json) -> Json:
    """Return the end of a match."""
    return {"matchEnded": merged({**ENDED, "matchId": match_id}, changes)}


@cache
def golden(name: str) -> Mapping[str, Any]:
    """Return a golden message in its JSON form.

    Raises:
        MessageError: there is none of that name.
    """
    try:
        found: Mapping[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    except OSError:
        raise MessageError(f"there is no golden message {name!r}") from None
    return found


def merged(base: Json, changes: Json) -> dict[str, Any]:
    """Return a message with changes; those to a message inside it are merged likewise."""
    result = dict(base)
    for key, value in changes.items():
        before = result.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            result[key] = merged(before, value)
        else:
            result[key] = value
    return result


def _decision(game: str, like: str) -> Mapping[str, Any]:
    name = like or (f"{game}-decisions" if game in GAMES else "decisions-other")
    first: Mapping[str, Any] = golden(name)["decisions"]["decisions"][0]
    return first
