"""Every exception the arena raises on purpose, in one tree.

ArenaError
├── InputError             what a person typed or wrote is wrong; exit code 2
│   ├── UnknownGameError   no game of that name is registered
│   ├── TableSizeError     the game is not played by that many
│   ├── OptionError        a game option is unknown or its value is wrong
│   ├── CardFileError      a card file says something impossible; names the line and the entry
│   ├── UnknownBotError    no built-in bot of that name
│   ├── SandboxError       bots cannot be kept apart as asked; says what to install
│   └── BuildError         a command that builds a bot failed; carries its output
├── LaunchError            the system would not start a process: no memory, too many open files
├── SocketLostError        the socket that launched bots dial was removed: no fault of theirs
├── WorkerError            a process that shared the work has died
├── IllegalMoveError       the rules forbid the move; cites the rule, nothing has changed
├── FormatError            a text or JSON value is not what it should be: a move, a set-up, a draw
├── SessionError           a bot's session is refused or ended; each kind is one gRPC status
│   ├── TokenError         no token, or one that nobody was given
│   ├── TokenInUseError    a live session has this token
│   ├── VersionError       the bot speaks another version of the protocol
│   ├── NoCommonGameError  the bot plays none of the games offered
│   ├── MessageError       a message that makes no sense
│   ├── FloodError         far more messages than anybody asked for
│   ├── LimitError         too many sessions, too slow a reader
│   ├── HelloTimeoutError  a stream on which nobody said hello
│   ├── ResumeError        there is no session to resume
│   └── StoppingError      the arena is stopping
├── StorageError           the database cannot be used: locked, full, gone; says what to do
│   └── DamagedError       what is stored there cannot be right; says what, and how to recover
├── ResultsError           a results directory contradicts itself; names the file and the place
│   └── RewrittenError     results are not those that were told while they were played
├── TournamentError        a tournament of a server is not what was asked for
│   ├── UnknownTournamentError  there is none of that name
│   ├── TournamentExistsError   there is another one of that name
│   ├── UnfitError         its bots are not there, or not as they were entered
│   └── UnreleasedError    what is asked for is a secret until more has been played
├── ForbiddenError         the token is good, but not for this
├── LostError              the arena went away and could not be reached again
├── ProgramError           a bridged program ended, or wrote what is not of the protocol
├── LeftError              a person at the table left the match
├── UnknownMatchError      no match of that id is known here
├── UnknownDocumentError   no web document has that address
├── ShortcomingError       a bot fell short of what its examination asks; carries what to do
├── ReplayError            a replay is malformed or contradicts the rules; names the line
└── MatchNotOverError      an outcome was asked for before the end
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike  # not pathlib: arena --help does without


class ArenaError(Exception): ...


class InputError(ArenaError): ...


class UnknownGameError(InputError): ...


class TableSizeError(InputError): ...


class OptionError(InputError): ...


class CardFileError(InputError):
    """A card file says something impossible.

    `entry` names the place inside the file's data, such as `offers[3]`; `line` is its line number
    where the text is known, else None.
    """

    def __init__(self, entry: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{entry}: {reason}" if entry else reason)
        self.entry = entry
        self.reason = reason
        self.line = line


class UnknownBotError(InputError): ...


class SandboxError(InputError): ...


class BuildError(InputError):
    """A command that builds a bot failed; `printed` are the last lines of its output."""

    def __init__(self, reason: str, printed: Sequence[str]) -> None:
        super().__init__("\n".join([reason, *printed]))
        self.reason = reason
        self.printed = tuple(printed)


class LaunchError(ArenaError): ...


class SocketLostError(ArenaError): ...


class WorkerError(ArenaError): ...


class IllegalMoveError(ArenaError):
    """The rules forbid the move; `rule` is the number of the rule that says so."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{reason} ({rule})")
        self.rule = rule
        self.reason = reason


class FormatError(ArenaError): ...


class SessionError(ArenaError): ...


class TokenError(SessionError): ...


class TokenInUseError(SessionError): ...


class VersionError(SessionError): ...


class NoCommonGameError(SessionError): ...


class MessageError(SessionError): ...


class FloodError(SessionError): ...


class LimitError(SessionError): ...


class HelloTimeoutError(SessionError): ...


class ResumeError(SessionError): ...


class StoppingError(SessionError): ...


class StorageError(ArenaError): ...


class DamagedError(StorageError): ...


class ResultsError(ArenaError):
    """A results directory contradicts itself or its seed, or a file cannot be read or written.

    `line` counts from 1; None: the file as a whole.
    """

    def __init__(self, path: PathLike[str], reason: str, line: int | None = None) -> None:
        super().__init__(f"{path}: {reason}" if line is None else f"{path}:{line}: {reason}")
        self.path = path
        self.reason = reason
        self.line = line


class RewrittenError(ResultsError): ...


class TournamentError(ArenaError): ...


class UnknownTournamentError(TournamentError): ...


_MOST_DIFFERENCES = 5


class TournamentExistsError(TournamentError):
    """There is another tournament of that name; `summary` says in what it differs."""

    def __init__(self, name: str, differences: Sequence[str]) -> None:
        shown, more = differences[:_MOST_DIFFERENCES], len(differences) - _MOST_DIFFERENCES
        self.summary = "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
        super().__init__(
            f"there is another tournament {name!r} here: {self.summary}. "
            "Ask for that one, or choose another name"
        )


class UnfitError(TournamentError):
    """Bots are not there, or not as they were entered; `refused` has the reason of each by name."""

    def __init__(
        self, summary: str, refused: Mapping[str, str] | None = None, advice: str = ""
    ) -> None:
        self.summary = summary
        self.refused = refused or {}
        self.advice = advice
        reasons = "; ".join(f"{name}: {reason}" for name, reason in self.refused.items())
        super().__init__(f"{summary}: {reasons}. {advice}" if reasons else summary)


class UnreleasedError(TournamentError): ...


class ForbiddenError(ArenaError): ...


class LostError(ArenaError): ...


class ProgramError(ArenaError):
    """A bridged program ended, or wrote what is not of the protocol; nothing was made up for it.

    `advice`, for its author, follows the reason, which the arena is told too.
    """

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason + advice)
        self.reason = reason


class LeftError(ArenaError): ...


class UnknownMatchError(ArenaError): ...


class UnknownDocumentError(ArenaError): ...


class ShortcomingError(ArenaError):
    """A bot fell short of what its examination asks; `advice` says what to do about it."""

    def __init__(self, detail: str, advice: str = "", *, is_late: bool = False) -> None:
        super().__init__(detail)
        self.advice = advice
        self.is_late = is_late  # it ran out of time


class ReplayError(ArenaError):
    """A replay is malformed or contradicts the rules; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class MatchNotOverError(ArenaError): ...
