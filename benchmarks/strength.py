"""Measure how much better each tier of built-in bots is than the one below.

Two tiers share a table, in alternating seats. Every deal is played twice, the second time with the
tiers exchanged, so that neither has the better seats or cards; at a table of odd size this also
gives each tier the larger number of seats once, and the double seat moves on from deal to deal.
Deals are the independent units: intervals come from a bootstrap over them.

    python -m benchmarks.strength --games byzanz --players 3 4 --matches 400
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from arena.bots.catalog import TIERS, make_bot
from arena.errors import InputError
from arena.games.game import AnyGame, Outcome
from arena.games.registry import BUILT_IN, get_game
from arena.games.shuffle import bot_seed, deal_seed

MATCHES = 200
SEARCH_MATCHES = 80  # a searcher takes minutes for what the others do in seconds
MATCHES_PER_BLOCK = 2
PROCESSES = 2
RESAMPLES = 2000

HEADER = (
    "| game | players | stronger? | against | matches | mean rank | mean score | seats beaten "
    "(95 % interval) | clear |"
)


class Contest(NamedTuple):
    """Two tiers to compare at a table."""

    game: str
    players: int
    upper: str
    lower: str


class Tally(NamedTuple):
    """Sums over the matches of one deal, each as (upper, lower)."""

    seats: tuple[int, int]
    ranks: tuple[int, int]
    scores: tuple[int, int]
    comparisons: int  # pairs of an upper and a lower seat at one table
    won: float  # by the upper tier; a tie is half


class Line(NamedTuple):
    """What the table says about one contest."""

    contest: Contest
    matches: int
    ranks: tuple[float, float]
    scores: tuple[float, float]
    share: float
    interval: tuple[float, float]


# Playing


def seatings(players: int, deal: int) -> list[tuple[bool, ...]]:
    """Return who is of the upper tier, by seat, in the two matches of a deal."""
    first = tuple((seat + deal) % players % 2 == 0 for seat in range(players))
    return [first, tuple(not upper for upper in first)]


def play_block(contest: Contest, deal: int, master: bytes) -> Tally:
    """Play one deal in both seatings."""
    game = get_game(contest.game)
    tallies = []
    for number, uppers in enumerate(seatings(contest.players, deal)):
        names = [contest.upper if upper else contest.lower for upper in uppers]
        outcome = _play_match(game, names, deal_seed(master, deal), master, f"{deal}/{number}")
        tallies.append(_tally(outcome, uppers))
    return _add(tallies)


def _play_match(
    game: AnyGame, names: Sequence[str], seed: bytes, master: bytes, match: str
) -> Outcome:
    state = game.deal(seed, len(names))
    bots = [make_bot(name, game, bot_seed(master, match, seat)) for seat, name in enumerate(names)]
    while (seat := state.to_act) is not None:
        legal = state.legal_moves()
        if len(legal) == 1:
            state.apply(legal[0])
        else:
            state.apply(bots[seat].decide(state.observe(seat), legal))
    return state.outcome()


def _tally(outcome: Outcome, uppers: Sequence[bool]) -> Tally:
    upper = [seat for seat, is_upper in enumerate(uppers) if is_upper]
    lower = [seat for seat, is_upper in enumerate(uppers) if not is_upper]
    ranks, scores = outcome.ranks, outcome.scores
    return Tally(
        (len(upper), len(lower)),
        (sum(ranks[seat] for seat in upper), sum(ranks[seat] for seat in lower)),
        (sum(scores[seat] for seat in upper), sum(scores[seat] for seat in lower)),
        len(upper) * len(lower),
        sum(
            1.0 if ranks[one] < ranks[other] else 0.5 if ranks[one] == ranks[other] else 0.0
            for one in upper
            for other in lower
        ),
    )


def _add(tallies: Sequence[Tally]) -> Tally:
    def total(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
        uppers, lowers = zip(*pairs, strict=True)
        return sum(uppers), sum(lowers)

    return Tally(
        total(tally.seats for tally in tallies),
        total(tally.ranks for tally in tallies),
        total(tally.scores for tally in tallies),
        sum(tally.comparisons for tally in tallies),
        sum(tally.won for tally in tallies),
    )


# Summing up


def measure(
    contest: Contest, matches: int, master: bytes, executor: Executor | None = None
) -> Line:
    """Return the line for a contest; the same whether or not an executor shares the work."""
    deals = range(1, math.ceil(matches / MATCHES_PER_BLOCK) + 1)
    spread = map if executor is None else executor.map
    blocks = list(spread(play_block, [contest] * len(deals), deals, [master] * len(deals)))
    total = _add(blocks)
    return Line(
        contest,
        MATCHES_PER_BLOCK * len(deals),
        (total.ranks[0] / total.seats[0], total.ranks[1] / total.seats[1]),
        (total.scores[0] / total.seats[0], total.scores[1] / total.seats[1]),
        total.won / total.comparisons,
        _interval([block.won / block.comparisons for block in blocks], master),
    )


def _interval(shares: Sequence[float], master: bytes) -> tuple[float, float]:
    """Return the 95 % interval of the mean share, by resampling the deals."""
    rng = Random(master)
    means = sorted(sum(rng.choices(shares, k=len(shares))) / len(shares) for _ in range(RESAMPLES))
    return means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]


def contests(
    games: Sequence[str], players: Sequence[int] | None, tiers: Sequence[str]
) -> Iterator[Contest]:
    """Return each tier against the one before it, at every table size asked for."""
    for name in games:
        for number in get_game(name).table_sizes:
            if players is None or number in players:
                for lower, upper in pairwise(tiers):
                    yield Contest(name, number, upper, lower)


def to_markdown(line: Line) -> str:
    """Return the line as a row of the table."""
    game, players, upper, lower = line.contest
    low, high = line.interval
    ranks, scores = line.ranks, line.scores
    clear = "yes" if low > 0.5 else "no"
    return (
        f"| {game} | {players} | {upper} | {lower} | {line.matches} "
        f"| {ranks[0]:.2f} : {ranks[1]:.2f} | {scores[0]:.1f} : {scores[1]:.1f} "
        f"| {line.share:.1%} ({low:.1%} – {high:.1%}) | {clear} |"
    )


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, row by row as it grows, and write it if asked."""
    args = _parser().parse_args(arguments)
    try:
        text = _run(args)
    except InputError as error:
        print(f"strength: {error}", file=sys.stderr)
        return 2
    if args.out is not None:
        args.out.write_text(text, encoding="utf-8")
    return 0


def _run(args: argparse.Namespace) -> str:
    master = hashlib.sha256(args.seed.encode()).digest()
    rows = [HEADER, "|---" * HEADER.count(" |") + "|"]
    print(*rows, sep="\n", flush=True)
    with _executor(args.processes) as executor:
        for contest in contests(args.games, args.players, args.tiers):
            few = contest.upper.startswith("searcher") or contest.lower.startswith("searcher")
            matches = args.matches or (SEARCH_MATCHES if few else MATCHES)
            rows.append(to_markdown(measure(contest, matches, master, executor)))
            print(rows[-1], flush=True)
    return "\n".join(rows) + "\n"


@contextmanager
def _executor(processes: int) -> Iterator[Executor | None]:
    if processes == 1:
        yield None
        return
    with ProcessPoolExecutor(processes) as executor:
        yield executor


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength", description="Each tier of bots against the one below."
    )
    parser.add_argument(
        "--matches",
        type=_positive,
        metavar="N",
        help=f"for each row (default: {MATCHES}, with a searcher {SEARCH_MATCHES})",
    )
    parser.add_argument("--games", nargs="+", default=sorted(BUILT_IN), metavar="GAME")
    parser.add_argument("--players", nargs="+", type=int, metavar="N", help="default: every size")
    parser.add_argument(
        "--tiers", nargs="+", default=list(TIERS), metavar="BOT", help="weakest first"
    )
    parser.add_argument("--seed", default="strength", metavar="TEXT", help="master seed")
    parser.add_argument("--processes", type=_positive, default=PROCESSES, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table here as well")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


if __name__ == "__main__":
    sys.exit(main())
