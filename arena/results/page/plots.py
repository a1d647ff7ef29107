"""Plots: a table with a small drawing in each line, so that they read without eyes as well.

Lengths across are percentages: a drawing is as wide as there is room, and its letters keep their
size. Colours are classes: the style sheet knows both schemes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.rating.leaderboard import BotTiming, Leaderboard, Standing
from arena.results.page.markup import Attribute, Markup, isolated, join, markup, named, tag
from arena.results.page.numbers import (
    Axis,
    axis,
    decimal,
    logarithmic_axis,
    milliseconds,
    percent,
    plain,
)

_HEIGHT = 24
_MIDDLE = _HEIGHT / 2
_LABELLED = 0.085  # the smallest share whose segment has room for a number
_SHADES = 6


def rating_plot(board: Leaderboard) -> Markup:
    """Return mu with two sigma to both sides for each bot, and its rating."""
    scale = axis(
        min(min(bot.rating, bot.mu - 2 * bot.sigma) for bot in board.bots),
        max(max(bot.rating, bot.mu + 2 * bot.sigma) for bot in board.bots),
    )
    caption = "Dot: mu, the estimated strength. Line: mu ± 2σ. Tick: the rating."
    rows = (_row(bot.name, i, _rating_row(bot, scale)) for i, bot in enumerate(board.bots))
    return _plot(caption, rows, _axis_row(scale, plain, "mu"))


def _rating_row(bot: Standing, scale: Axis) -> Markup:
    low, high = bot.mu - 2 * bot.sigma, bot.mu + 2 * bot.sigma
    said = f"mu {decimal(bot.mu)}, with two sigma to each side {decimal(low)} to {decimal(high)}, "
    said += f"rating {decimal(bot.rating)}"
    where = scale.at(bot.rating)
    return _drawing(
        markup(isolated(bot.name), ": ", said),
        _grid(scale),
        _line(where, scale.at(bot.mu), class_="stem"),
        _line(scale.at(low), scale.at(high), class_="whisker"),
        _upright(where, 7, _HEIGHT - 7, class_="mark") if bot.rating != bot.mu else "",
        tag("circle", cx=f"{scale.at(bot.mu)}%", cy=_MIDDLE, r=4.5, class_="dot"),
    )


def rank_plot(board: Leaderboard) -> Markup:
    """Return for each bot how often it took which rank, as a bar of 100 %."""
    ranks = max((len(bot.rank_counts) for bot in board.bots), default=board.players)
    legend = tag(
        "ul",
        *(
            tag("li", tag("span", class_=f"swatch fill{_shade(rank, ranks)}"), f"rank {rank + 1}")
            for rank in range(ranks)
        ),
        class_="legend",
        aria_hidden="true",
    )
    caption = "How often each bot finished in each rank, in percent of its matches."
    rows = (_row(bot.name, i, _rank_row(bot, ranks)) for i, bot in enumerate(board.bots))
    return markup(_plot(caption, rows, None), legend)


def _rank_row(bot: Standing, ranks: int) -> Markup:
    total = sum(bot.rank_counts)
    if not total:
        return tag("span", "no matches", class_="none")
    parts: list[Markup] = []
    said: list[str] = []
    start = 0.0
    for rank, count in enumerate(bot.rank_counts):
        share = count / total
        shade = _shade(rank, ranks)
        said.append(f"rank {rank + 1} {percent(share)}")
        parts.append(
            tag(
                "rect",
                **{"class": f"segment fill{shade}"},
                x=f"{100 * start:.3f}%",
                width=f"{100 * share:.3f}%",
                y=3,
                height=_HEIGHT - 6,
            )
        )
        if share >= _LABELLED:
            middle = f"{100 * (start + share / 2):.3f}%"
            label = f"{100 * share:.0f}"
            parts.append(
                tag("text", label, x=middle, y=_MIDDLE, dy="0.35em", class_=f"inside on{shade}")
            )
        start += share
    return _drawing(markup(isolated(bot.name), ": ", ", ".join(said)), *parts)


def _shade(rank: int, ranks: int) -> int:
    return round(rank * (_SHADES - 1) / max(1, ranks - 1))


def timing_axis(timings: Iterable[BotTiming]) -> Axis | None:
    """Return the axis for the times of all these bots; None if nobody ever thought."""
    means = [timing.mean_ms for timing in timings if timing.mean_ms > 0]
    slowest = [timing.slowest_ms for timing in timings if timing.slowest_ms > 0]
    if not means:
        return None
    return logarithmic_axis(max(min(means), 0.001), max(means + slowest))


def timing_drawing(timing: BotTiming, scale: Axis) -> Markup:
    """Return the mean and the slowest decision of a bot on a logarithmic axis."""
    if not timing.decisions:
        return tag("span", "no decisions", class_="none")
    said = f": {milliseconds(timing.mean_ms)} on average, "
    said += f"{milliseconds(timing.slowest_ms)} at most"
    mean, slowest = scale.at(timing.mean_ms), scale.at(timing.slowest_ms)
    return _drawing(
        markup(isolated(timing.name), said),
        _grid(scale),
        _line(mean, slowest, class_="whisker"),
        _upright(slowest, 7, _HEIGHT - 7, class_="mark"),
        tag("circle", cx=f"{mean}%", cy=_MIDDLE, r=4.5, class_="dot"),
    )


def axis_drawing(scale: Axis, label: Callable[[float], str], what: str) -> Markup:
    """Return the ticks of an axis with their numbers."""
    drawn = [_grid(scale)]
    for value in scale.ticks:
        where = scale.at(value)
        side = "start" if where < 4 else "end" if where > 96 else "middle"
        drawn.append(tag("text", label(value), x=f"{where}%", y=15, class_=f"tick {side}"))
    return _drawing(f"axis: {what}", *drawn)


def _axis_row(scale: Axis, label: Callable[[float], str], what: str) -> Markup:
    return tag(
        "tr",
        tag("th", what, scope="row", class_="axis"),
        tag("td", axis_drawing(scale, label, what), class_="axis"),
    )


def _plot(caption: str, rows: Iterable[Markup], foot: Markup | None) -> Markup:
    return tag(
        "table",
        tag("caption", caption),
        tag("colgroup", tag("col", class_="names"), tag("col")),
        tag("tbody", *rows),
        tag("tfoot", foot) if foot else "",
        class_="plot",
    )


def _row(name: str, bot: int, drawing: Markup) -> Markup:
    return tag(
        "tr",
        tag("th", named(name), scope="row"),
        tag("td", drawing),
        data_bot=bot,
    )


def _drawing(title: str, *parts: str) -> Markup:
    return tag("svg", tag("title", title), *parts, role="img", width="100%", height=_HEIGHT)


def _grid(scale: Axis) -> Markup:
    return join(_upright(scale.at(value), 0, _HEIGHT, class_="grid") for value in scale.ticks)


def _upright(x: float, top: float, bottom: float, **attributes: Attribute) -> Markup:
    return tag("line", x1=f"{x}%", x2=f"{x}%", y1=top, y2=bottom, **attributes)


def _line(start: float, end: float, **attributes: Attribute) -> Markup:
    return tag("line", x1=f"{start}%", x2=f"{end}%", y1=_MIDDLE, y2=_MIDDLE, **attributes)
