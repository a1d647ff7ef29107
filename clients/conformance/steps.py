"""Reads the steps of a scenario; each kind of step is a key of its own."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import grpc

from clients.conformance import messages
from clients.conformance.scenario import (
    Answer,
    Answers,
    Back,
    Closed,
    Cut,
    Freeze,
    Gone,
    Goodbye,
    Json,
    Output,
    Pause,
    Quiet,
    Request,
    Send,
    Shown,
    Signal,
    Status,
    Step,
)
from clients.conformance.table import Table

_ANSWER = re.compile(r"(?P<match>[^/\s]+)/(?P<decision>\d+): (?P<move>\d+)(?: \((?P<note>.*)\))?")
_DECISION = re.compile(r"(?P<match>[^/\s]+)/(?P<decision>\d+)")


@dataclass(slots=True)
class Settled:
    """What earlier steps of a file settled for later ones."""

    games: dict[str, str] = field(default_factory=dict)
    welcomes: int = 0
    resume_token: bytes = b""


def read_steps(tables: Iterable[Table], settled: Settled) -> tuple[Step, ...]:
    """Return the steps of a list; raises Wrong."""
    return tuple(_step(table, settled) for table in tables)


def _step(table: Table, settled: Settled) -> Step:
    for kind, read in _STEPS.items():
        if table.has(kind):
            try:
                step = read(table, settled)
            except messages.MessageError as error:
                raise table.wrong(str(error)) from None
            table.finish()
            return step
    raise table.wrong(f"a step has one of {', '.join(_STEPS)}")


def _match_started(table: Table, settled: Settled) -> Step:
    match_id = table.take("match_started", str)
    settled.games[match_id] = game = table.take("game", str, "byzanz")
    response = messages.match_started(match_id, game, table.take("with", dict, {}))
    return read_send(table, f"match_started {match_id}", response)


def _decisions(table: Table, settled: Settled) -> Step:
    named = table.texts("decisions")
    asked = []
    for text in named:
        found = _DECISION.fullmatch(text)
        if found is None:
            raise table.wrong(f'a decision is written "m1/1", not {text!r}')
        match_id = found["match"]
        asked.append((match_id, int(found["decision"]), settled.games.get(match_id, "byzanz")))
    like, changes = table.take("like", str, ""), table.take("with", dict, {})
    started = table.texts("started") if table.has("started") else []
    ended = table.texts("ended") if table.has("ended") else []
    response = messages.decisions(asked, like, changes, started, ended)
    return read_send(table, f"decisions {' '.join(named)}", response)


def _match_ended(table: Table, _settled: Settled) -> Step:
    match_id = table.take("match_ended", str)
    response = messages.match_ended(match_id, table.take("with", dict, {}))
    return read_send(table, f"match_ended {match_id}", response)


def _rejected(table: Table, _settled: Settled) -> Step:
    return read_send(table, "rejected", {"rejected": table.take("rejected", dict)})


def _response(table: Table, _settled: Settled) -> Step:
    return read_send(table, "response", table.take("response", dict))


def _raw(table: Table, _settled: Settled) -> Step:
    text = table.take("raw", str)
    try:
        return Send("raw", bytes.fromhex(text))
    except ValueError:
        raise table.wrong(f"raw must be bytes in hex, not {text!r}") from None


def _goodbye(table: Table, _settled: Settled) -> Step:
    goodbye = table.take("goodbye", object)
    if isinstance(goodbye, str):
        goodbye = {"reason": f"REASON_{goodbye.upper()}", "message": "that was all"}
    return Goodbye(read_send(table, "goodbye", {"goodbye": goodbye}).content)


def read_send(table: Table, what: str, response: Json) -> Send:
    """Return the step that sends a message; raises MessageError if there is no such message."""
    unknown_fields = table.take("unknown_fields", bool, False)
    padding = table.take("padding", int, 0)
    return Send(what, messages.encode(response, unknown_fields=unknown_fields, padding=padding))


def _answers(table: Table, _settled: Settled) -> Step:
    expected = []
    for text in table.texts("answers"):
        found = _ANSWER.fullmatch(text)
        if found is None:
            raise table.wrong(f'an answer is written "m1/1: 0" or "m1/1: 0 (note)", not {text!r}')
        note = found["note"] or ""
        expected.append(Answer(found["match"], int(found["decision"]), int(found["move"]), note))
    match table.take("messages", list, [1, len(expected)]):
        case [int(fewest), int(most)]:
            pass
        case given:
            raise table.wrong(f"messages must be the fewest and the most, not {given!r}")
    return Answers(tuple(expected), fewest, most, table.take("ordered", bool, True))


def _leave(table: Table, _settled: Settled) -> Step:
    return Request({"leave": table.take("leave", dict)})


def _request(table: Table, _settled: Settled) -> Step:
    return Request(table.take("request", dict))


def _status(table: Table, _settled: Settled) -> Step:
    codes = {code.name: code for code in grpc.StatusCode}
    return Status(table.named("status", codes), table.take("message", str, ""))


def _signal(table: Table, _settled: Settled) -> Step:
    return Signal(table.named("signal", {one.name: one for one in signal.Signals}))


def _flag(kind: str, step: Step) -> Callable[[Table, Settled], Step]:
    def read(table: Table, _settled: Settled) -> Step:
        if not table.take(kind, bool):
            raise table.wrong(f"{kind} can only be true")
        return step

    return read


_STEPS: dict[str, Callable[[Table, Settled], Step]] = {
    "match_started": _match_started,
    "decisions": _decisions,
    "match_ended": _match_ended,
    "rejected": _rejected,
    "response": _response,
    "raw": _raw,
    "goodbye": _goodbye,
    "answers": _answers,
    "leave": _leave,
    "request": _request,
    "closed": _flag("closed", Closed()),
    "quiet": lambda table, _settled: Quiet(table.take("quiet", float)),
    "status": _status,
    "cut": _flag("cut", Cut()),
    "freeze": _flag("freeze", Freeze()),
    "gone": _flag("gone", Gone()),
    "back": _flag("back", Back()),
    "pause": lambda table, _settled: Pause(table.take("pause", float)),
    "signal": _signal,
    "stdout": lambda table, _settled: Shown(Output.STDOUT, table.take("stdout", str)),
    "stderr": lambda table, _settled: Shown(Output.STDERR, table.take("stderr", str)),
}
