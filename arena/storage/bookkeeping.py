"""What a database says of its own matches, attempts and results, compared with itself.

A store keeps these facts in step by transactions (see arena.storage.sql_store). Where they are not,
somebody else has written to the database, or it is damaged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.storage.records import AttemptRecord
from arena.storage.store import MAX_VOID

STATES = ("open", "claimed", "finished", "parked")


@dataclass(frozen=True, slots=True)
class Books:
    """What a database keeps of one match beside its fixture and its result."""

    match: str
    state: str
    attempts: int  # the number of the last one
    voids: int  # how many of them count towards parking
    claim: tuple[object, ...]  # owner, end of the lease, ticket
    result: tuple[str, int] | None  # owner and attempt of the result


def find_contradictions(
    books: Iterable[Books], attempts: Iterable[AttemptRecord]
) -> Iterator[tuple[str, str]]:
    """Yield each match whose books cannot be right, and why."""
    tries: defaultdict[str, list[AttemptRecord]] = defaultdict(list)
    for attempt in attempts:
        tries[attempt.match].append(attempt)
    for kept in books:
        if reason := _contradiction(kept, tries.pop(kept.match, [])):
            yield kept.match, reason
    for match in tries:
        yield match, "there are attempts at it, but it is not in the schedule"


def _contradiction(books: Books, tries: Sequence[AttemptRecord]) -> str:
    """Return what is wrong with a match, "" if nothing is."""
    state, is_claimed = books.state, books.state == "claimed"
    if state not in STATES:
        return f"its state is {state!r}, which is none"
    if (state == "finished") != (books.result is not None):
        return f"its state is {state}, but it has {'a' if books.result else 'no'} result"
    if [attempt.number for attempt in tries] != [*range(1, books.attempts + 1)]:
        return "its attempts are not numbered 1, 2, …, or are not as many as it says"
    if books.claim.count(None) != (0 if is_claimed else len(books.claim)):
        return f"its state is {state}, which does not agree with its claim"
    running = [attempt.number for attempt in tries if attempt.ended is None]
    if running != ([books.attempts] if is_claimed else []):
        return f"its state is {state}, which does not agree with its running attempts"
    void = [attempt for attempt in tries if attempt.void_reason is not None]
    counted = [(attempt.owner, attempt.number) for attempt in tries if attempt not in void]
    if not is_claimed and counted != ([] if books.result is None else [books.result]):
        return "its attempts do not agree with its result"
    if not 0 <= books.voids <= len(void) or (books.voids >= MAX_VOID) < (state == "parked"):
        return f"it counts {books.voids} void attempts, which does not agree with them"
    if state == "open" and books.voids >= MAX_VOID:
        return f"it is open after {books.voids} void attempts"
    return ""
