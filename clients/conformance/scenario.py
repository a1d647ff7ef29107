"""What a scenario is: a script for the arena's side, and what must be true of the bot at the end.

Scenarios are files (`scenarios/*.toml`, read by `reader`); these are the values made of them.
"""

from __future__ import annotations

import enum
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc

Json: TypeAlias = Mapping[str, Any]
"""A message in its proto3 JSON form, perhaps only a part of it."""


class Network(enum.Enum):
    """Over what the bot dials."""

    UNIX = "unix"
    TCP = "tcp"


class Tls(enum.Enum):
    """Who proves by a certificate who it is."""

    NONE = "none"
    ARENA = "arena"
    BOTH = "both"


class Output(enum.Enum):
    """What a program writes to."""

    STDOUT = "stdout"
    STDERR = "stderr"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; of one that is awaited the note may be a pattern."""

    match_id: str
    decision_id: int
    move_index: int
    note: str = ""

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"{self.match_id}/{self.decision_id}: {self.move_index}{note}"


@dataclass(frozen=True, slots=True)
class Send:
    """The arena sends a message, given as its bytes."""

    what: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The arena says goodbye, the bot closes its side, the stream ends with OK."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Answers:
    """The bot sends these answers and no others, in a number of messages."""

    expected: tuple[Answer, ...]
    fewest: int
    most: int
    is_ordered: bool


@dataclass(frozen=True, slots=True)
class Request:
    """The bot sends a message of which this is a part."""

    expected: Json


@dataclass(frozen=True, slots=True)
class Closed:
    """The bot closes its side."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """The bot sends nothing for so long."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Status:
    """The arena ends the stream with a status."""

    code: grpc.StatusCode
    message: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The network resets the connection. New ones are taken."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """The network loses all that is sent over the connections there are, and tells nobody."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The arena is gone: connections are reset, new ones refused."""


@dataclass(frozen=True, slots=True)
class Back:
    """The arena listens again."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The arena does nothing for so long."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Signal:
    """The bot's program gets a signal."""

    number: signal.Signals


@dataclass(frozen=True, slots=True)
class Shown:
    """The bot's program has written a text."""

    output: Output
    text: str


Step: TypeAlias = (
    Send
    | Goodbye
    | Answers
    | Request
    | Closed
    | Quiet
    | Status
    | Cut
    | Freeze
    | Gone
    | Back
    | Pause
    | Signal
    | Shown
)


@dataclass(frozen=True, slots=True)
class Connection:
    """One stream of the bot.

    Attributes:
        before: steps before it is awaited.
        hello: a part of what the hello must say.
        resume_token: what it must hold.
        welcome: what is answered; None: nothing.
        steps: what happens then. If no step ends the stream it stays open.
    """

    before: tuple[Step, ...]
    hello: Json
    resume_token: bytes
    welcome: Send | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class End:
    """What must be true when the program has ended.

    Attributes:
        exit_code: its exit code.
        within_s: how long it may take to end after the last step.
        stderr: texts it must have written there.
        not_stderr: texts it must not have written there.
        not_stdout: texts it must not have written there.
        written: texts it must have written to either; stdout may then hold anything.
        stdout: the lines it must have written there, exactly; None: whatever the bot itself prints.
        is_plain: every line of stderr is one of the library.
    """

    exit_code: int
    within_s: float
    stderr: tuple[str, ...]
    not_stderr: tuple[str, ...]
    not_stdout: tuple[str, ...]
    written: tuple[str, ...]
    stdout: tuple[str, ...] | None
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario.

    Attributes:
        name: of its file.
        title: what an SDK does, in a sentence.
        why: why it matters, in another.
        part: the part of the contract it belongs to.
        environment: variables of the bot's program; `{address}`, `{port}` and
            `{directory}` stand for where the arena is, and for where its certificates are.
        flags: its arguments, likewise.
        network: over what it dials.
        tls: who shows a certificate.
        is_listening: the arena listens from the start.
        is_long: it takes more than a few seconds.
        has_own_process: it never shares a process with others, although it could.
        exceptions: SDKs that it cannot be asked of, and why.
        connections: the streams, in order.
        end: what must be true at the end.
    """

    name: str
    title: str
    why: str
    part: str
    environment: Mapping[str, str]
    flags: tuple[str, ...]
    network: Network
    tls: Tls
    is_listening: bool
    is_long: bool
    has_own_process: bool
    exceptions: Mapping[str, str]
    connections: tuple[Connection, ...]
    end: End
