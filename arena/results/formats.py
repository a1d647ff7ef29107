"""The leaderboard as JSON, CSV, Markdown and a table for terminals.

All are pure functions of the leaderboard: the same one gives the same bytes. Names are harmless in
each of them (arena.inert).
"""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.counted import counted
from arena.games.game import Json
from arena.inert import cells, cut, inert, inert_cell, inert_markdown
from arena.rating.leaderboard import Interval, Leaderboard, Order, Standing, VarianceReduction
from arena.results.published import FORMAT

_CHECK = (
    "To check it all, from the seed to this table: `arena verify DIR`, with the directory of "
    "this file."
)

Style = Callable[[str], str]


def leaderboard_json(board: Leaderboard) -> str:
    """Return the text of leaderboard.json."""
    text = json.dumps(leaderboard_value(board), ensure_ascii=False, allow_nan=False, indent=2)
    # Half a surrogate pair has no UTF-8; as it happens, its escape is also the one of JSON.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def leaderboard_value(board: Leaderboard) -> dict[str, Json]:
    """Return what leaderboard.json says.

    Of meetings it has the probabilities that one bot is better than the other: `p_above[A][B]`.
    """
    return {
        "format": FORMAT,
        "tournament": board.tournament,
        "game": board.game,
        "players": board.players,
        "matches": board.matches,
        "blocks": board.blocks,
        "seed": board.seed,
        "bots": [_standing_to_json(bot) for bot in board.bots],
        "model": board.model,
        "draw_probability": board.draw_probability,
        "deals": board.deals,
        "scheduled": board.scheduled,
        "parked": list(board.parked),
        "settled_after": board.settled_after,
        "variance": None
        if board.variance is None
        else {
            "factor": board.variance.factor,
            "matches_saved": board.variance.matches_saved,
            "ci95": None if board.variance.ci95 is None else list(board.variance.ci95),
        },
        "p_above": _probabilities(board),
        "order": board.order.value,
        "passes": board.passes,
    }


def _probabilities(board: Leaderboard) -> dict[str, Json]:
    """Return P(A above B) by A and B, in the order of the leaderboard; without the unknown."""
    names = [bot.name for bot in board.bots]
    return {
        name: {
            other: meeting.probability
            for other in names
            if (meeting := board.meetings.get((name, other))) and meeting.probability is not None
        }
        for name in names
    }


def _standing_to_json(bot: Standing) -> dict[str, Json]:
    return {
        "rank": bot.rank,
        "name": bot.name,
        "version": bot.version,
        "rating": bot.rating,
        "mu": bot.mu,
        "sigma": bot.sigma,
        "matches": bot.matches,
        "wins": bot.wins,
        "mean_rank": bot.mean_rank,
        "mean_rank_ci95": bot.mean_rank_ci95,
        "mean_score": bot.mean_score,
        "mean_score_ci95": bot.mean_score_ci95,
        "rank_counts": bot.rank_counts,
        "faults": dict(bot.faults),
        "forfeits": bot.forfeits,
        "reasons": [
            {"fault": reason.fault, "detail": reason.detail, "count": reason.count}
            for reason in bot.reasons
        ],
        "rank_set": bot.rank_set,
        "ahead": None
        if bot.ahead is None
        else {"of": bot.ahead.of, "by": bot.ahead.by, "ci95": bot.ahead.ci95},
        "expected_rank": bot.expected_rank,
        "expected_rank_ci95": bot.expected_rank_ci95,
        "strength": bot.strength,
        "strength_ci95": bot.strength_ci95,
        "order_spread": bot.order_spread,
        "mix_weight": bot.mix_weight,
        "mix_share": bot.mix_share,
        "mix_share_ci95": bot.mix_share_ci95,
    }


def leaderboard_csv(board: Leaderboard) -> str:
    """Return the text of leaderboard.csv: a line for each bot, after one with the columns."""
    kinds = list(dict.fromkeys(kind for bot in board.bots for kind in bot.faults))
    ranks = max((len(bot.rank_counts) for bot in board.bots), default=board.players)
    head = "rank name version rating mu sigma matches wins mean_rank mean_rank_low mean_rank_high"
    head += " mean_score mean_score_low mean_score_high forfeits"
    tail = "best_rank worst_rank ahead ahead_low ahead_high expected_rank expected_rank_low"
    tail += " expected_rank_high strength strength_low strength_high order_spread"
    rows: list[Sequence[object]] = [
        [*head.split(), *(f"rank_{rank + 1}" for rank in range(ranks)), *kinds, *tail.split()]
    ]
    for bot in board.bots:
        counts = bot.rank_counts + (0,) * (ranks - len(bot.rank_counts))
        rows.append(
            [
                *(bot.rank, inert_cell(bot.name), inert_cell(bot.version)),
                *(bot.rating, bot.mu, bot.sigma, bot.matches, bot.wins),
                *(bot.mean_rank, *(bot.mean_rank_ci95 or ("", ""))),
                *(bot.mean_score, *(bot.mean_score_ci95 or ("", ""))),
                *(bot.forfeits, *counts),
                *(bot.faults.get(kind, 0) for kind in kinds),
                *(bot.rank_set or ("", "")),
                *(("", "", "") if bot.ahead is None else _with_ends(bot.ahead.by, bot.ahead.ci95)),
                *_with_ends(bot.expected_rank, bot.expected_rank_ci95),
                *_with_ends(bot.strength, bot.strength_ci95),
                "" if bot.order_spread is None else bot.order_spread,
            ]
        )
    return _csv(rows)


def _with_ends(value: float | None, ends: Interval | None) -> tuple[object, ...]:
    return "" if value is None else value, *(ends or ("", ""))


def crosstable_csv(board: Leaderboard) -> str:
    """Return the text of crosstable.csv: how the bot of the row did against that of the column.

    A cell is the share of their meetings in which it ended above, ties half; empty where the two
    never met.
    """
    names = [inert_cell(bot.name) for bot in board.bots]
    rows: list[Sequence[object]] = [["bot", *names]]
    for name, bot in zip(names, board.bots, strict=True):
        shares = [share_above(board, bot.name, other.name) for other in board.bots]
        rows.append([name, *("" if share is None else round(share, 4) for share in shares)])
    return _csv(rows)


def share_above(board: Leaderboard, name: str, other: str) -> float | None:
    """Return the share of their meetings in which the first ended above, ties half."""
    meeting = board.meetings.get((name, other))
    if meeting is None or not meeting.matches:
        return None
    return meeting.share


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def leaderboard_md(board: Leaderboard) -> str:
    """Return the text of leaderboard.md; half the width of an interval follows its ±."""
    rows = [[heading for heading, _ in _MARKDOWN_COLUMNS]]
    rows += [[cell(bot) for _, cell in _MARKDOWN_COLUMNS] for bot in board.bots]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    left = (1,)  # the names
    lines = ["| " + " | ".join(_aligned(row, widths, left)) + " |" for row in rows]
    rule = ("-" * width + ("-" if i in left else ":") for i, width in enumerate(widths))
    lines.insert(1, "|" + "|".join(f"-{part}" for part in rule) + "|")
    notes = [f"- {note}" for note in board_notes(board, inert_markdown)]
    return "\n".join(
        [
            f"# {inert_markdown(board.tournament)}",
            "",
            f"{inert_markdown(board.game)}, {board_facts(board)}.",
            "",
            *lines,
            "",
            *notes,
            f"- Seed: {inert_markdown(board.seed)}"
            if board.is_complete
            else "- Seed: not published yet",
            f"- {_CHECK}",
            "",
        ]
    )


def leaderboard_text(
    board: Leaderboard, width: int = 100, heading: Style = str, aside: Style = str
) -> str:
    """Return a table for a terminal that is `width` columns wide, ending in a newline.

    Where it is too narrow, intervals become ±, then columns are left out and names cut.
    """
    rows, widths = _fitted(board.bots, width)
    for row in rows:
        row[1] = cut(row[1], widths[1])
    title, *lines = ["  ".join(_aligned(row, widths, (1,))).rstrip() for row in rows]
    facts = f"{inert(board.tournament)}: {inert(board.game)}, {board_facts(board)}"
    notes = (
        aside(line)
        for note in board_notes(board, inert, rows)
        for line in textwrap.wrap(note, max(width, 40))
    )
    return "\n".join([facts, heading(title), *lines, *notes, ""])


def _fitted(bots: Sequence[Standing], width: int) -> tuple[list[list[str]], list[int]]:
    """Return the rows of the widest table that fits, and how wide its columns may be."""
    narrowest = _TEXT_COLUMNS[-1]
    for columns in _TEXT_COLUMNS:
        rows = [
            [text for text, _ in columns],
            *([cell(bot) for _, cell in columns] for bot in bots),
        ]
        widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
        room = width - sum(widths) - 2 * (len(widths) - 1) + widths[1]
        if room >= min(widths[1], _NAME_CELLS) or columns is narrowest:
            widths[1] = min(widths[1], max(room, _FEWEST_CELLS))
            return rows, widths
    raise AssertionError("the narrowest table is taken whether it fits or not")


def board_facts(board: Leaderboard) -> str:
    """Return how large the tournament is, in words."""
    played = f"{board.matches:,}"
    if board.matches != board.scheduled:
        played += f" of {board.scheduled:,}"
    return (
        f"{counted(len(board.bots), 'bot')}, {board.players} at a table, "
        f"{played} match{'' if board.scheduled == 1 else 'es'} on {counted(board.deals, 'deal')}"
    )


def blocks_worth(variance: VarianceReduction) -> str:
    """Return how the variance compares with that of as many matches on independent deals."""
    factor, than = variance.factor, "than with as many matches on independent deals"
    larger = factor < 1
    times = f"{1 / factor if larger else factor:.2f} times {'larger' if larger else 'smaller'}"
    if variance.ci95 is None:
        return f"{times} {than}"
    low, high = variance.ci95
    if low <= 1 <= high:
        return f"not measurably different from that on independent deals ({times})"
    ends = (1 / high, 1 / low) if larger else (low, high)
    return f"{times} (95 %: {ends[0]:.2f} to {ends[1]:.2f}) {than}"


def board_notes(
    board: Leaderboard, clean: Style, rows: Sequence[Sequence[str]] | None = None
) -> list[str]:
    """Return what a reader must know to read the numbers; `clean` makes texts harmless.

    Of mu and of intervals nothing is said if they are not in the rows of a table.
    """
    has_mu = rows is None or _MU[0] in rows[0]
    has_spread = rows is None or any("±" in cell for row in rows for cell in row)
    model = f"Ratings: {clean(board.model)}"
    if board.draw_probability is not None:
        model += f" with a draw probability of {board.draw_probability:g}, from the ties observed"
    if board.passes > 1:
        model += f". They are the mean over {board.passes} random orders of the matches"
        spread = max((bot.order_spread or 0.0 for bot in board.bots), default=0.0)
        if spread and has_mu:
            model += f"; a single order moves mu by up to ± {2 * spread:.2f}"
    notes = [*order_notes(board), f"{model}."]
    if has_mu:
        notes.append("The ± of mu is 2 sigma, that of a mean its 95 % interval.")
    elif has_spread:
        notes.append("The ± of a mean is its 95 % interval.")
    if board.variance is not None:
        notes.append(f"Blocks: the variance of a difference is {blocks_worth(board.variance)}.")
    if board.settled_after is not None:
        notes.append(f"Ended early: the order was settled after round {board.settled_after}.")
    if board.parked:
        notes.append(
            f"{counted(len(board.parked), 'match', 'es')} could not be played, and the blocks "
            f"do not count: {', '.join(map(clean, board.parked))}."
        )
    return notes


def order_notes(board: Leaderboard) -> list[str]:
    """Return what the order of the bots is, and what can be claimed of it."""
    if not board.matches:
        return []
    notes = []
    if board.order is Order.MEAN_RANK:
        notes.append("Ordered by mean rank.")
    elif board.order is Order.EXPECTED_RANK:
        notes.append(
            "Ordered by expected rank: the mean rank that the Plackett–Luce model expects if all "
            "bots met equally often, which they did not."
        )
    if all(bot.mean_rank_ci95 is None for bot in board.bots):
        notes.append(
            "Too few deals to tell the bots apart (fewer than 10): there are no intervals, and "
            "ranks only say who is ahead so far."
        )
    elif board.order is not Order.RATING:
        notes.append(
            "A rank such as 1–3 is a set: bots whose sets overlap may be equally good, and their "
            "order is arbitrary. All sets are right at once with 95 % confidence."
        )
    return notes


def rank_text(bot: Standing) -> str:
    """Return the rank of a bot: a set such as 1–3 where it is not known better."""
    if bot.rank_set is None:
        return str(bot.rank)
    best, worst = bot.rank_set
    return str(best) if best == worst else f"{best}–{worst}"


def _ahead_text(bot: Standing) -> str:
    if bot.ahead is None:
        return "–"
    if bot.ahead.ci95 is None:
        return f"{bot.ahead.by:+.2f}"
    low, high = bot.ahead.ci95
    return f"{bot.ahead.by:+.2f} ± {(high - low) / 2:.2f}"


@dataclass(frozen=True, slots=True)
class _Spread:
    """A number with its interval, in as many signs as there is room for."""

    of: Callable[[Standing], tuple[float, Interval | None]]

    def full(self, bot: Standing) -> str:
        value, interval = self.of(bot)
        if not bot.matches or interval is None:
            return self.alone(bot)
        return f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"

    def short(self, bot: Standing) -> str:
        value, interval = self.of(bot)
        if not bot.matches or interval is None:
            return self.alone(bot)
        return f"{value:.2f} ± {(interval[1] - interval[0]) / 2:.2f}"

    def alone(self, bot: Standing) -> str:
        return f"{self.of(bot)[0]:.2f}" if bot.matches else "–"


def _aligned(row: Sequence[str], widths: Sequence[int], left: Sequence[int]) -> Iterable[str]:
    for column, (text, width) in enumerate(zip(row, widths, strict=True)):
        room = " " * (width - cells(text))
        yield text + room if column in left else room + text


_MEAN_RANK = _Spread(lambda bot: (bot.mean_rank, bot.mean_rank_ci95))
_MEAN_SCORE = _Spread(lambda bot: (bot.mean_score, bot.mean_score_ci95))

_Column = tuple[str, Callable[[Standing], str]]

_RANK: _Column = ("rank", rank_text)
_NAME: _Column = ("bot", lambda bot: inert(bot.name))
_RATING: _Column = ("rating", lambda bot: f"{bot.rating:.2f}")
_MU: _Column = ("mu", lambda bot: f"{bot.mu:.2f} ± {2 * bot.sigma:.2f}")
_AHEAD: _Column = ("ahead of next", _ahead_text)
_WINS: _Column = ("wins", lambda bot: str(bot.wins))
_MATCHES: _Column = ("matches", lambda bot: str(bot.matches))
_FAULTS: _Column = ("faults", lambda bot: str(sum(bot.faults.values())))
_RANK_SHORT: _Column = ("mean rank", _MEAN_RANK.short)
_SCORE_SHORT: _Column = ("mean score", _MEAN_SCORE.short)
_RANK_ALONE: _Column = ("mean rank", _MEAN_RANK.alone)
_SCORE_ALONE: _Column = ("mean score", _MEAN_SCORE.alone)

_NAME_CELLS = 20  # a table gives up columns before it cuts names below this
_FEWEST_CELLS = 8

_COUNTS = (_WINS, _MATCHES, _FAULTS)
_TEXT_COLUMNS: tuple[tuple[_Column, ...], ...] = (  # the widest first
    (
        *(_RANK, _NAME, _RATING, _MU),
        *(("mean rank", _MEAN_RANK.full), _AHEAD, ("mean score", _MEAN_SCORE.full)),
        *_COUNTS,
    ),
    (_RANK, _NAME, _RATING, _MU, _RANK_SHORT, _AHEAD, _SCORE_SHORT, *_COUNTS),
    (_RANK, _NAME, _RATING, _RANK_SHORT, _AHEAD, _SCORE_SHORT, *_COUNTS),
    (_RANK, _NAME, _RATING, _RANK_SHORT, _AHEAD, *_COUNTS),
    (_RANK, _NAME, _RATING, _RANK_ALONE, _SCORE_ALONE, *_COUNTS),
    (_RANK, _NAME, _RATING, _RANK_ALONE, _SCORE_ALONE),
)
_MARKDOWN_COLUMNS: tuple[_Column, ...] = (
    _RANK,
    (
        "bot",
        lambda bot: " ".join(filter(None, map(inert_markdown, (bot.name, bot.version)))),
    ),
    *(_RATING, _MU, _RANK_SHORT, _AHEAD, _SCORE_SHORT, *_COUNTS),
)
