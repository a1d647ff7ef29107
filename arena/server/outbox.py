"""What waits to be written to one session: messages at once, decisions in batches.

A message costs as much as several decisions, so decisions wait for each other. While the bot owes
answers they wait at most `HOLD_S`, so that a bot that thinks about several matches side by side is
not kept waiting. When it owes none, they go out as soon as one in `ONE_IN` of its matches waits, or
after `GATHER_S`: a bot in few matches never waits, and one in many gets more at once.

Starts and ends of matches wait in the same way if the bot reads them beside decisions, and go in
front of the next ones. If there are none in time, they go by themselves.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sized

from arena.referee.player import Question
from arena.wire import play

HOLD_S = 0.02
GATHER_S = 0.001
ONE_IN = 4
"""At a table of so many seats, one match in so many waits for a bot: more do not come soon."""
MOST_AT_ONCE = 128
"""Decisions in one message; more make the next one."""


class Outbox:
    """The queue of one session. `wake` is set whenever there may be something to write."""

    def __init__(self, seats: Sized = (), *, batches_matches: bool = False) -> None:
        """Start empty, for a session that sits in these matches."""
        self.wake = asyncio.Event()
        self.backlog = 0  # bytes that wait
        self.open: dict[Question, bytes] = {}  # written and not settled
        self._messages: deque[bytes] = deque()
        self._waiting: dict[Question, bytes] = {}
        self._seats = seats
        self._batches_matches = batches_matches
        self._starts: dict[str, bytes] = {}  # by match; these and the ends wait for decisions
        self._ends: list[bytes] = []
        self._hold: asyncio.TimerHandle | None = None
        self._is_due = False  # the oldest waiting decision has waited long enough

    def push(self, message: bytes) -> None:
        """Add a message; messages keep their order and go before decisions."""
        self._part_company()
        self._messages.append(message)
        self.backlog += len(message)
        self.wake.set()

    def start(self, match_id: str, message: bytes) -> None:
        """Add that a match starts."""
        if self._batches_matches:
            self._starts[match_id] = message
            self._await_company(message)
        else:
            self.push(message)

    def end(self, match_id: str, message: bytes) -> None:
        """Add that a match has ended; ends are read before starts, so never beside its own."""
        if self._batches_matches and match_id not in self._starts:
            self._ends.append(message)
            self._await_company(message)
        else:
            self.push(message)

    def ask(self, question: Question, part: bytes) -> None:
        """Add a decision."""
        self._waiting[question] = part
        self.backlog += len(part)
        self._wait()

    def settle(self, question: Question) -> None:
        """Forget a decision that has been answered or withdrawn."""
        if self.open.pop(question, None) is None:
            part = self._waiting.pop(question, None)
            self.backlog -= len(part) if part else 0
        elif not self.open and self._is_waiting:
            if not self._is_enough:
                self._stop_holding()
            self._wait()

    def take(self) -> tuple[bytes, list[Question]] | None:
        """Return the next thing to write and the decisions in it; None if nothing is due."""
        if not self._messages and self._is_waiting and (self._is_due or self._is_enough):
            if self._waiting:
                return self._take_batch()
            self._stop_holding()
            self._part_company()
        if not self._messages:
            return None
        message = self._messages.popleft()
        self.backlog -= len(message)
        return message, []

    def _take_batch(self) -> tuple[bytes, list[Question]]:
        batch = dict(list(self._waiting.items())[:MOST_AT_ONCE])
        if len(batch) == len(self._waiting):
            self._waiting = {}
            self._stop_holding()
        else:
            for question in batch:
                del self._waiting[question]
            self._is_due = True
        self.open |= batch
        parts = [*self._ends, *self._starts.values(), *batch.values()]
        if len(parts) > len(batch):
            self._ends, self._starts = [], {}
        self.backlog -= sum(map(len, parts))
        return play.decisions(parts), list(batch)

    def rewind(self) -> None:
        """Let all open decisions be written again, before those that wait."""
        self._waiting = self.open | self._waiting
        self.open = {}
        self.backlog = sum(map(len, [*self._messages, *self._waiting.values()]))
        self._is_due = True
        self.wake.set()

    def discard_messages(self) -> None:
        """Forget what was to be said on a stream that is gone."""
        self._part_company()
        self._messages.clear()
        self.backlog = sum(map(len, self._waiting.values()))

    @property
    def _is_enough(self) -> bool:
        """Whether what waits is worth a message now."""
        return ONE_IN * len(self._waiting) >= len(self._seats) and not self.open

    @property
    def _is_waiting(self) -> bool:
        return bool(self._waiting or self._starts or self._ends)

    def _await_company(self, message: bytes) -> None:
        self.backlog += len(message)
        self._wait()

    def _part_company(self) -> None:
        """Let starts and ends go by themselves."""
        if self._ends or self._starts:
            self._messages.extend([*self._ends, *self._starts.values()])
            self._ends, self._starts = [], {}

    def _wait(self) -> None:
        """Have what waits written now, or in a while."""
        if self._is_enough:
            self.wake.set()
        elif self._hold is None:
            self._hold_for(HOLD_S if self.open else GATHER_S)

    def _hold_for(self, seconds: float) -> None:
        self._hold = asyncio.get_running_loop().call_later(seconds, self._held_long_enough)

    def _held_long_enough(self) -> None:
        self._hold = None
        self._is_due = True
        self.wake.set()

    def _stop_holding(self) -> None:
        self._is_due = False
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
