"""What a situation is, and the state of an exam."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.examine.candidate import Candidate
from arena.examine.conversation import Conversation, meet
from arena.examine.finding import Report, Weight
from arena.examine.host import Host
from arena.examine.scripted import ScriptedArena
from arena.games.game import AnyGame
from arena.referee.clock import SeatClock
from arena.referee.match import Conditions
from arena.v1 import play_pb2


@dataclass(slots=True)
class ExamState:
    """What situations have in common: the bot, and the arenas it meets."""

    candidate: Candidate
    scripted: ScriptedArena
    conditions: Conditions
    games: Sequence[AnyGame]  # that may be played, then those that the bot plays
    log: Path  # what the bot prints
    hello: play_pb2.Hello = field(default_factory=play_pb2.Hello)
    conversation: Conversation | None = None
    host: Host | None = None
    clocks: list[SeatClock] = field(default_factory=list)  # of the bot, from real matches
    tables: int = 0  # that the bot has sat at in the scripted arena

    async def converse(self) -> Conversation:
        """Return a session in the scripted arena: the one that is live, or a new one."""
        if self.conversation is None or not self.conversation.is_live:
            self.conversation = await meet(self.candidate, self.scripted, self.conditions)
            await self.conversation.welcome()
        self.conversation.edit = bytes
        return self.conversation

    async def reset(self) -> None:
        """End the bot's process, so that the next situation begins with a fresh one."""
        self.conversation = None
        await self.candidate.stop()

    def next_match_id(self) -> str:
        """Return a name that no match in the scripted arena has had."""
        self.tables += 1
        return f"scripted-{self.tables}"


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that may happen to a bot, and what is expected of it."""

    id: str
    title: str
    level: Weight
    meaning: str  # why it matters
    examine: Callable[[ExamState, AnyGame], Awaitable[Report]]
    is_per_game: bool = False
    is_long: bool = False  # a whole match or several, rather than some decisions
