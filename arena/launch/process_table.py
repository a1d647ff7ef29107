"""Looking through the machine's processes for many bots at once.

A look costs some milliseconds however many launches it is for. When many bots are stopped at the
same time, all that ask while one look is under way share the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet

from arena.launch.sweep import Found, find_launched


class ProcessTable:
    """Answers which processes belong to a launch. One for all bots of an arena."""

    def __init__(self) -> None:
        self._groups: dict[str, int] = {}
        self._known: set[Found] = set()
        self._answer: asyncio.Future[list[Found]] | None = None  # of the next look
        self._looking: asyncio.Task[None] | None = None

    async def find(self, launch_id: str, group: int, known: AbstractSet[Found]) -> list[Found]:
        """Return the live processes of the launch, seen after this was called.

        The arguments are those of `find_launched`, for one launch.
        """
        loop = asyncio.get_running_loop()
        self._groups[launch_id] = group
        self._known |= known
        if self._answer is None:
            self._answer = loop.create_future()
        answer = self._answer
        if self._looking is None or self._looking.done():
            self._looking = loop.create_task(self._look())
        return [found for found in await asyncio.shield(answer) if found.launch_id == launch_id]

    async def _look(self) -> None:
        while self._answer is not None:
            answer, groups, known = self._answer, self._groups, self._known
            self._answer, self._groups, self._known = None, {}, set()
            try:
                answer.set_result(await asyncio.to_thread(find_launched, groups, known))
            finally:
                answer.cancel()  # of no effect unless the look was cut short
