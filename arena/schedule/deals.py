"""From a planned match of the schedule to one that can be played: its deal, names and seeds."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import cache

from arena.games.game import AnyGame, Labels
from arena.games.shuffle import deal_seed, derive
from arena.referee.fixture import Fixture, plan_match
from arena.referee.replay import Entrant
from arena.storage.records import FixtureRecord


def make_fixture(
    game: AnyGame, master: bytes, record: FixtureRecord, versions: Mapping[str, str]
) -> Fixture:
    """Return the match ready to be played; `versions` are those of the bots, by name."""
    return plan_match(
        game,
        master,
        record.match,
        record.deal,
        [Entrant(bot, versions[bot]) for bot in record.bots],
        seating_labels(game, deal_seed(master, record.deal), record.seating),
    )


def seating_labels(game: AnyGame, seed: bytes, seating: int) -> Labels:
    """Return how a deal's kinds are renamed in one of its seatings, from 0.

    A function of the deal's seed and the seating. The seatings of a deal have different ones as
    long as the game has enough.
    """
    # With a step that has no divisor in common with their number, offset, offset + step, … comes
    # to each relabelling before any comes again: as good as a shuffle, without shuffling 720.
    relabelings = game.relabelings()
    number = len(relabelings)
    drawn = derive(seed, "relabel")
    steps = _coprimes(number)
    offset = int.from_bytes(drawn[:16], "big")
    step = steps[int.from_bytes(drawn[16:], "big") % len(steps)]
    return relabelings[(offset + seating * step) % number]


def commitment(seed: bytes, salt: bytes) -> str:
    """Return the hex SHA-256 of the salt and the master seed, to be published before play."""
    return hashlib.sha256(salt + seed).hexdigest()


@cache
def _coprimes(number: int) -> tuple[int, ...]:
    return tuple(step for step in range(1, number + 1) if math.gcd(step, number) == 1)
