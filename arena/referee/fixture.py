"""One planned match: what is settled before anybody sits down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.game import AnyGame, Labels
from arena.games.shuffle import bot_seed, deal_seed
from arena.referee.replay import Entrant


@dataclass(frozen=True, slots=True)
class Fixture:
    """One planned match: the game, the deal and who sits where."""

    game: AnyGame
    match: str
    deal: str
    seed: bytes
    seats: Sequence[Entrant]
    labels: Labels | None = None
    bot_seeds: Sequence[bytes] = ()


def plan_match(
    game: AnyGame,
    master: bytes,
    match: str,
    deal: int,
    seats: Sequence[Entrant],
    labels: Labels | None = None,
) -> Fixture:
    """Return the match of that id on a numbered deal, all its seeds from the master seed.

    `labels` rename the deal's kinds; None leaves them.
    """
    return Fixture(
        game=game,
        match=match,
        deal=str(deal),
        seed=deal_seed(master, deal),
        seats=seats,
        labels=labels,
        bot_seeds=[bot_seed(master, match, seat) for seat in range(len(seats))],
    )
