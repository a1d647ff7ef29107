"""The seam between tournaments and the databases they are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, Self

from arena.storage.chain import ChainLink
from arena.storage.records import (
    AttemptRecord,
    Claim,
    FixtureRecord,
    MatchReport,
    StoredMatch,
    StoreProgress,
    TournamentRecord,
)

MAX_VOID = 3
"""A match that was void so often is parked: no longer tried, listed, left out of statistics."""

LEASE_S = 30.0
"""How long a claim holds unless it is renewed."""

FailPoint = Callable[[str], None]
"""Called with the name of each commit boundary that is reached; tests fail there."""


class Store(Protocol):
    """One tournament in a database. Blocking; used by one thread at a time.

    Whatever a method has returned from is durable: it survives a kill and a power cut. Whatever
    raised has changed nothing. Every method raises StorageError, with what to do, when the database
    cannot be used; where waiting may help (locked, gone for a moment) it has been tried for a
    while before. All but `create`, `tournament` and `close` do so too while there is no tournament.
    """

    def __enter__(self) -> Self:
        """Return itself."""
        ...

    def __exit__(self, *_error: object) -> None:
        """Close."""
        ...

    def close(self) -> None:
        """Let the database go. Idempotent. Claims stay until they are released or run out."""
        ...

    def create(self, tournament: TournamentRecord, fixtures: Iterable[FixtureRecord]) -> None:
        """Store a tournament and its whole schedule in one transaction, before any play.

        Raises StorageError if it is there already.
        """
        ...

    def tournament(self) -> TournamentRecord | None:
        """Return the tournament, None if it was not created yet."""
        ...

    def fixtures(self) -> list[FixtureRecord]:
        """Return the schedule in canonical order."""
        ...

    def missing(self) -> list[FixtureRecord]:
        """Return the matches that have no result and are not parked, in canonical order."""
        ...

    def secret_deals(self) -> frozenset[int]:
        """Return the deals of these matches: nothing of them may be shown yet."""
        ...

    def claim(self, owner: str, limit: int, *, lease_s: float = LEASE_S) -> list[Claim]:
        """Take up to `limit` matches to play, the first ones in canonical order.

        Only such as have no result, are not parked, and are under nobody's live lease. A lease is
        live until it runs out, or until its owner is known to be dead (see arena.storage.owner).
        Nobody is given again what he has claimed himself and not yet given back. Each claim is
        stored as a new attempt; the attempt of whoever had it before is closed, and does not count
        towards parking.
        """
        ...

    def renew(self, owner: str, *, lease_s: float = LEASE_S) -> None:
        """Let all of the owner's claims hold so much longer from now."""
        ...

    def release(self, owner: str) -> None:
        """Give back all of the owner's claims; their attempts never happened."""
        ...

    def finish(self, owner: str, claim: Claim, report: MatchReport) -> bool:
        """Store one result, as `finish_all` does, and return whether it is the result."""
        ...

    def finish_all(self, owner: str, ended: Sequence[tuple[Claim, MatchReport]]) -> list[bool]:
        """Store results with their replays in one transaction: all of them, or none if it raises.

        Return for each whether it is the result. False: somebody else stored one first (the lease
        had run out); theirs stands, and the others are stored. Fail points, each reached once for
        every match: "before write" and "after write" inside the transaction, match by match; then
        "after commit", when all are durable.
        """
        ...

    def void(self, owner: str, claim: Claim, reason: str) -> bool:
        """Store that an attempt was void; return whether the match is parked: else it is open.

        Nothing happens if the attempt has ended already: it was taken over, or void before.
        """
        ...

    def matches(self, start: int = 0, stop: int | None = None) -> Iterator[StoredMatch]:
        """Yield the matches that have a result, in canonical order, with index from start to stop.

        Their replays are left out.
        """
        ...

    def replay(self, match: str) -> str | None:
        """Return the text of a match's replay, None if it has no result."""
        ...

    def replays(self, matches: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield match and replay of all these that have a result, in any order."""
        ...

    def chain(self, after: int = 0, limit: int = 2**31 - 1) -> Iterator[ChainLink]:
        """Yield the chain over the matches that have a result, in the order they were stored.

        From behind the place `after`, up to `limit` of them. Empty if only an arena that knew no
        chain has played.
        """
        ...

    def parked(self) -> list[FixtureRecord]:
        """Return the matches that were given up, in canonical order."""
        ...

    def attempts(self) -> Iterator[AttemptRecord]:
        """Yield all attempts, in canonical order of their matches and then by number."""
        ...

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield what is damaged, and which matches have books that cannot be right, with why.

        The first of each pair is the match, "" for the database as a whole.
        """
        ...

    def progress(self) -> StoreProgress:
        """Return how far the tournament is."""
        ...
