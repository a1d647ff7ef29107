"""Reading a published leaderboard.json."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from arena.errors import FormatError, ResultsError
from arena.games.fields import read_int, read_list, read_text
from arena.rating.leaderboard import (
    FaultReason,
    Interval,
    Lead,
    Leaderboard,
    Order,
    Standing,
    VarianceReduction,
)

FORMAT = "arena-leaderboard/1"


def leaderboard_from_json(text: str, path: Path) -> Leaderboard:
    """Return the leaderboard of a leaderboard.json, without its meetings.

    Fields that are not known here are passed over: a later arena may write more. Raises
    ResultsError, which names `path` and the place in it.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ResultsError(path, f"not JSON: {error}") from error
    try:
        return _board(_object(value, "the leaderboard"))
    except FormatError as error:
        raise ResultsError(path, str(error)) from error


def _board(value: Mapping[str, object]) -> Leaderboard:
    if (written := value.get("format")) != FORMAT:
        raise FormatError(f"format must be {FORMAT!r}, not {written!r}")
    bots = read_list(_field(value, "bots"), "bots")
    variance = value.get("variance")
    matches, seed = _int(value, "matches"), _text(value, "seed")
    return Leaderboard(
        tournament=_text(value, "tournament"),
        game=_text(value, "game"),
        players=_int(value, "players"),
        matches=matches,
        scheduled=_int(value, "scheduled") if "scheduled" in value else matches,
        blocks=_int(value, "blocks"),
        deals=_int(value, "deals") if "deals" in value else _int(value, "blocks"),
        seed=seed,
        model=_text(value, "model") if "model" in value else "trueskill",
        draw_probability=None
        if value.get("draw_probability") is None
        else _number(value["draw_probability"], "draw_probability"),
        bots=tuple(_standing(bot, f"bots[{index}]") for index, bot in enumerate(bots)),
        meetings={},
        variance=None if variance is None else _variance(_object(variance, "variance")),
        parked=_texts(value.get("parked", []), "parked"),
        settled_after=None if value.get("settled_after") is None else _int(value, "settled_after"),
        is_complete=bool(seed),  # it is told then, and not before
        order=_order(value.get("order", Order.RATING.value)),
        passes=_int(value, "passes") if "passes" in value else 1,
    )


def _standing(value: object, place: str) -> Standing:
    bot = _object(value, place)
    dot = f"{place}."
    faults = _object(_field(bot, "faults", dot), f"{dot}faults")
    counts = read_list(_field(bot, "rank_counts", dot), f"{dot}rank_counts")
    reasons = read_list(bot.get("reasons", []), f"{dot}reasons")
    return Standing(
        rank=_int(bot, "rank", dot),
        name=_text(bot, "name", dot),
        version=_text(bot, "version", dot),
        rating=_number(_field(bot, "rating", dot), f"{dot}rating"),
        mu=_number(_field(bot, "mu", dot), f"{dot}mu"),
        sigma=_number(_field(bot, "sigma", dot), f"{dot}sigma"),
        matches=_int(bot, "matches", dot),
        wins=_int(bot, "wins", dot),
        mean_rank=_number(_field(bot, "mean_rank", dot), f"{dot}mean_rank"),
        mean_rank_ci95=_interval(bot, "mean_rank_ci95", dot),
        mean_score=_number(_field(bot, "mean_score", dot), f"{dot}mean_score"),
        mean_score_ci95=_interval(bot, "mean_score_ci95", dot),
        rank_counts=tuple(read_int(n, f"{dot}rank_counts[{i}]") for i, n in enumerate(counts)),
        faults={kind: read_int(count, f"{dot}faults.{kind}") for kind, count in faults.items()},
        forfeits=_int(bot, "forfeits", dot) if "forfeits" in bot else 0,
        reasons=tuple(_reason(reason, f"{dot}reasons[{i}]") for i, reason in enumerate(reasons)),
        rank_set=_rank_set(bot, dot),
        ahead=None if bot.get("ahead") is None else _lead(bot["ahead"], f"{dot}ahead"),
        expected_rank=_optional(bot, "expected_rank", dot),
        expected_rank_ci95=_interval_if_any(bot, "expected_rank_ci95", dot),
        strength=_optional(bot, "strength", dot),
        strength_ci95=_interval_if_any(bot, "strength_ci95", dot),
        order_spread=_optional(bot, "order_spread", dot),
        mix_weight=_optional(bot, "mix_weight", dot),
        mix_share=_optional(bot, "mix_share", dot),
        mix_share_ci95=_interval_if_any(bot, "mix_share_ci95", dot),
    )


def _order(value: object) -> Order:
    try:
        return Order(value)
    except ValueError:
        known = ", ".join(order.value for order in Order)
        raise FormatError(f"order must be one of {known}, not {value!r}") from None


def _rank_set(bot: Mapping[str, object], dot: str) -> tuple[int, int] | None:
    if bot.get("rank_set") is None:
        return None
    ends = read_list(bot["rank_set"], f"{dot}rank_set")
    if len(ends) != 2:
        raise FormatError(f"{dot}rank_set must have two ends, not {len(ends)}")
    return read_int(ends[0], f"{dot}rank_set[0]"), read_int(ends[1], f"{dot}rank_set[1]")


def _lead(value: object, place: str) -> Lead:
    lead, dot = _object(value, place), f"{place}."
    return Lead(
        _text(lead, "of", dot),
        _number(_field(lead, "by", dot), f"{dot}by"),
        _interval(lead, "ci95", dot),
    )


def _optional(value: Mapping[str, object], field: str, dot: str) -> float | None:
    return None if value.get(field) is None else _number(value[field], f"{dot}{field}")


def _interval_if_any(value: Mapping[str, object], field: str, dot: str) -> Interval | None:
    return _interval(value, field, dot) if field in value else None


def _reason(value: object, place: str) -> FaultReason:
    reason, dot = _object(value, place), f"{place}."
    return FaultReason(
        _text(reason, "fault", dot), _text(reason, "detail", dot), _int(reason, "count", dot)
    )


def _variance(value: Mapping[str, object]) -> VarianceReduction:
    return VarianceReduction(
        _number(_field(value, "factor", "variance."), "variance.factor"),
        _number(_field(value, "matches_saved", "variance."), "variance.matches_saved"),
        _interval(value, "ci95", "variance.") if "ci95" in value else None,
    )


def _interval(value: Mapping[str, object], field: str, dot: str) -> Interval | None:
    place = f"{dot}{field}"
    if (pair := _field(value, field, dot)) is None:
        return None
    ends = read_list(pair, place)
    if len(ends) != 2:
        raise FormatError(f"{place} must have two ends, not {len(ends)}")
    return _number(ends[0], f"{place}[0]"), _number(ends[1], f"{place}[1]")


def _object(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{place} must be an object")
    return value


def _field(value: Mapping[str, object], field: str, dot: str = "") -> object:
    if field not in value:
        raise FormatError(f"{dot}{field} is missing")
    return value[field]


def _int(value: Mapping[str, object], field: str, dot: str = "") -> int:
    return read_int(_field(value, field, dot), f"{dot}{field}")


def _text(value: Mapping[str, object], field: str, dot: str = "") -> str:
    return read_text(_field(value, field, dot), f"{dot}{field}")


def _texts(value: object, place: str) -> tuple[str, ...]:
    return tuple(
        read_text(text, f"{place}[{index}]") for index, text in enumerate(read_list(value, place))
    )


def _number(value: object, place: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise FormatError(f"{place} must be a number")
    return value
