"""`check_game`: does a game keep the contract of `arena.games.game`?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from arena.games.game import AnyGame
from arena.testing.rule_checks import RULE_CHECKS, Judge, check_judged
from arena.testing.secrecy_checks import SECRECY_CHECKS, check_hidden_cards_vary
from arena.testing.trial import ContractError, Trial


def check_game(
    game: AnyGame,
    *,
    table_sizes: Sequence[int] | None = None,
    matches: int = 5,
    judge: Judge | None = None,
) -> None:
    """Raise ContractError unless the game keeps the contract, at each table size.

    `matches` is how many random matches each check plays; the same ones every time. `judge`, if
    given, is a second, independent reading of the rules: it is shown the replay of every match and
    must find nothing wrong. It is the only check that knows what the rules ought to be.

    The message names game, table size, match and decision; whatever the game itself raises is
    reported the same way.
    """
    checks: list[Callable[[Trial], None]] = [*RULE_CHECKS, *SECRECY_CHECKS]
    if judge is not None:
        checks.append(partial(check_judged, judge=judge))
    for seats in table_sizes or game.table_sizes:
        for number in range(matches):
            for check in checks:
                _run(check, game, seats, number)
        _run(check_hidden_cards_vary, game, seats, 0)


def _run(check: Callable[[Trial], None], game: AnyGame, seats: int, number: int) -> None:
    try:
        trial = Trial(game, seats, number)
    except Exception as error:
        raise ContractError(f"{game.name}, {seats} players: no match: {error!r}") from error
    try:
        check(trial)
    except ContractError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a game raises is the finding
        trial.complain(f"the game raised {error!r}")
