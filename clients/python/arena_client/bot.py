"""What the author of a bot writes: a class with decide(), one object per match."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, ClassVar, Generic, Self, TypeVar

from arena_client.decision import Choice, Decision
from arena_client.errors import UsageError
from arena_client.match import Match, Outcome

MAX_NAME = 64  # characters, by the protocol

MatchT = TypeVar("MatchT", bound=Match)
DecisionT = TypeVar("DecisionT", bound=Decision)


class GameBot(Generic[MatchT, DecisionT]):
    """What Bot, ByzanzBot and SchwarzmarktBot share. Derive from one of those.

    The arena makes one object per match, so that what it keeps in self belongs to one match.

    Attributes:
        games: the games it plays. Empty means every game.
        name: its name; the name of the class if empty. Where there are tokens theirs counts.
        version: its version, shown in replays and leaderboards.
        max_matches: how many matches it takes at once.
        match: the match this object plays; set before __init__ is called.
    """

    games: ClassVar[tuple[str, ...]] = ()
    name: ClassVar[str] = ""
    version: ClassVar[str] = ""
    max_matches: ClassVar[int] = 16

    match: MatchT

    def __new__(cls, match: MatchT) -> Self:
        """Set match here, so that an author's __init__ need not call super()."""
        bot = super().__new__(cls)
        bot.match = match
        return bot

    def __init__(self, *_match: MatchT) -> None:
        """Do nothing: an author's __init__ may call it with the match, without, or not at all."""

    def decide(self, decision: DecisionT) -> Choice | Awaitable[Choice]:
        """Return one of decision.legal_moves or its index. May be an async function.

        A plain function has the program for itself: nothing else happens until it returns. Async
        ones think about several matches at once, and are cancelled when their match ends.
        """
        raise NotImplementedError(f"{type(self).__name__} must define decide(self, decision)")

    def ended(self, outcome: Outcome) -> Awaitable[None] | None:
        """Called once when the match has ended; the object is dropped afterwards."""


class Bot(GameBot[Match, Decision]):
    """A bot for any game: it knows how many legal moves there are, and asks which game it is."""


def check_bot(bot_class: type[GameBot[Any, Any]]) -> None:
    """Raise UsageError if a bot class has a field that the arena would refuse."""
    given: object = bot_class
    if not (isinstance(given, type) and issubclass(given, GameBot)):
        raise UsageError(f"run() takes a class derived from Bot, not {given!r}")
    name = bot_class.__name__
    if bot_class.decide is GameBot.decide:
        raise UsageError(f"{name} must define decide(self, decision)")
    games: object = bot_class.games
    if not isinstance(games, tuple | list) or not all(isinstance(game, str) for game in games):
        raise UsageError(f'{name}.games must be a tuple of names, such as ("byzanz",): {games!r}')
    for field in ("name", "version"):
        text = getattr(bot_class, field)
        if not isinstance(text, str) or len(text) > MAX_NAME:
            raise UsageError(f"{name}.{field} must be a text of up to 64 characters: {text!r}")
    max_matches: object = bot_class.max_matches
    if not isinstance(max_matches, int) or max_matches < 1:
        raise UsageError(f"{name}.max_matches must be 1 or more: {max_matches!r}")
