"""Write a bot for the arena in Python."""

from arena_client import poller  # noqa: F401 - before anything else imports gRPC
from arena_client.bot import Bot
from arena_client.byzanz import ByzanzBot
from arena_client.decision import Choice, Decision, Move
from arena_client.errors import (
    ArenaClientError,
    BotFailed,
    IllegalChoice,
    Refused,
    Unreachable,
    UsageError,
)
from arena_client.match import Fault, Match, Outcome
from arena_client.program import play, run
from arena_client.schwarzmarkt import SchwarzmarktBot
from arena_client.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "ArenaClientError",
    "Bot",
    "BotFailed",
    "ByzanzBot",
    "Choice",
    "Decision",
    "Fault",
    "IllegalChoice",
    "Match",
    "Move",
    "Outcome",
    "Refused",
    "SchwarzmarktBot",
    "Settings",
    "Unreachable",
    "UsageError",
    "play",
    "run",
]
