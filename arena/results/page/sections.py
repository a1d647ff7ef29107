"""What stands on the page besides plots: the standings, faults, times, blocks and the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.rating.leaderboard import BotTiming, Interval, Leaderboard, Standing
from arena.results.page.markup import Markup, foreign, join, lines, markup, named, tag
from arena.results.page.numbers import decimal, interval, milliseconds, percent
from arena.results.page.plots import axis_drawing, timing_axis, timing_drawing

_DETAIL = 200  # characters of a reason
_DASH = tag("span", "–", class_="none")


def standings(board: Leaderboard) -> Markup:
    """Return the table of all bots."""
    heads = (
        ("rank", "The rank, by rating"),
        ("bot", "Name and version"),
        ("rating", "What bots are ranked by; mu less three sigma for TrueSkill"),
        ("mu ± 2σ", "The estimated strength, and two standard deviations of the estimate"),
        ("mean rank", "With its 95 % interval; 1 is best"),
        ("mean score", "With its 95 % interval"),
        ("wins", "Matches with rank 1, shared or not"),
        ("matches", "Matches that count"),
        ("faults", "Everything that went wrong on the bot's side"),
    )
    spread = any(bot.mean_rank_ci95 for bot in board.bots)
    return tag(
        "table",
        tag("caption", "All bots by rank." + (" In brackets: 95 % intervals." if spread else "")),
        tag("thead", tag("tr", *(tag("th", a, scope="col", title=b) for a, b in heads))),
        tag("tbody", *(_standing(bot, i) for i, bot in enumerate(board.bots))),
        class_="standings sortable",
    )


def _standing(bot: Standing, index: int) -> Markup:
    faults = sum(bot.faults.values())
    version = tag("small", foreign(bot.version), class_="version") if bot.version else ""
    wins: str = f"{bot.wins:,}"
    if bot.matches:
        share = percent(bot.wins / bot.matches)
        wins = markup(wins, " ", tag("span", share, class_="aside share"))
    return tag(
        "tr",
        tag("td", str(bot.rank), data_value=bot.rank),
        tag("th", named(bot.name), " ", version, scope="row"),
        tag("td", tag("b", decimal(bot.rating)), data_value=bot.rating),
        tag("td", decimal(bot.mu), _aside(f"± {decimal(2 * bot.sigma)}"), data_value=bot.mu),
        _mean(bot, bot.mean_rank, bot.mean_rank_ci95),
        _mean(bot, bot.mean_score, bot.mean_score_ci95),
        tag("td", wins, data_value=bot.wins),
        tag("td", f"{bot.matches:,}", data_value=bot.matches),
        tag("td", f"{faults:,}" if faults else _DASH, data_value=faults),
        data_bot=index,
    )


def _mean(bot: Standing, value: float, ends: Interval | None) -> Markup:
    if not bot.matches:
        return tag("td", _DASH)
    aside = _aside(interval(ends)) if ends else ""
    return tag("td", decimal(value), aside, data_value=value)


def _aside(text: str) -> Markup:
    return markup(" ", tag("span", text, class_="aside"))


def faults(board: Leaderboard) -> Markup:
    """Return who failed how often and how, and the most frequent reasons."""
    failed = [(i, bot) for i, bot in enumerate(board.bots) if sum(bot.faults.values())]
    if not failed:
        return tag("p", "No bot committed a fault.")
    kinds = [
        kind
        for kind in dict.fromkeys(kind for _, bot in failed for kind in bot.faults)
        if any(bot.faults.get(kind) for _, bot in failed)
    ]
    head = [tag("th", "bot", scope="col")]
    head += [tag("th", kind.replace("_", " "), scope="col") for kind in kinds]
    head += [tag("th", "forfeited matches", scope="col"), tag("th", "why, mostly", scope="col")]
    rows = (
        tag(
            "tr",
            tag("th", named(bot.name), scope="row"),
            *(_count(bot.faults.get(kind, 0)) for kind in kinds),
            _count(bot.forfeits),
            tag("td", _reasons(bot), class_="text"),
            data_bot=i,
        )
        for i, bot in failed
    )
    missing = len(board.bots) - len(failed)
    caption = "Bots that committed faults; each cost the bot its move." + (
        f" The other {missing} committed none." if missing > 1 else ""
    )
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *head)),
        tag("tbody", *rows),
        class_="faults sortable",
    )


def _count(number: int) -> Markup:
    return tag("td", f"{number:,}" if number else _DASH, data_value=number)


def _reasons(bot: Standing) -> Markup:
    return tag(
        "ul",
        *(
            tag(
                "li",
                tag("span", f"{reason.count:,} ×", class_="aside"),
                f" {reason.fault.replace('_', ' ')}: ",
                foreign(_cut(reason.detail)),
            )
            for reason in bot.reasons
        ),
    )


def _cut(text: str) -> str:
    return text if len(text) <= _DETAIL else f"{text[: _DETAIL - 1]}…"


def timing(board: Leaderboard, timings: Sequence[BotTiming]) -> Markup:
    """Return how long each bot thought, in the order of the leaderboard."""
    known = {timing.name: timing for timing in timings}
    shown = [(i, known[bot.name]) for i, bot in enumerate(board.bots) if bot.name in known]
    scale = timing_axis([timing for _, timing in shown])
    if scale is None:
        return tag("p", "No times were recorded.")
    heads = ["bot", "decisions", "mean", "slowest", "arena’s delay"]
    head = [tag("th", text, scope="col") for text in heads]
    head.append(tag("th", "mean to slowest, logarithmic", scope="col", class_="drawing"))
    rows = (
        tag(
            "tr",
            tag("th", named(timing.name), scope="row"),
            tag("td", f"{timing.decisions:,}", data_value=timing.decisions),
            *(
                tag("td", milliseconds(value) if timing.decisions else _DASH, data_value=value)
                for value in (timing.mean_ms, timing.slowest_ms, timing.delay_ms)
            ),
            tag("td", timing_drawing(timing, scale), class_="drawing"),
            data_bot=i,
        )
        for i, timing in shown
    )
    ticks = axis_drawing(scale, _power, "time for a decision, logarithmic")
    foot = tag("tr", tag("td", colspan=5), tag("td", ticks, class_="drawing axis"))
    return tag(
        "table",
        tag(
            "caption",
            "Time to answer a decision, as the arena measured it. Its own delay, on average "
            "the last number, is not charged to bots. Times differ from run to run.",
        ),
        tag("thead", tag("tr", *head)),
        tag("tbody", *rows),
        tag("tfoot", foot),
        class_="timing sortable",
    )


def _power(value: float) -> str:
    return f"{value / 1000:,g} s" if value >= 1000 else f"{value:g} ms"


def blocks(board: Leaderboard) -> Markup:
    """Return what it was worth to play each deal in several seatings."""
    variance = board.variance
    if variance is None:
        return tag("p", "Too few deals to tell what playing them in several seatings was worth.")
    factor = variance.factor
    if factor <= 1:
        return tag(
            "p",
            "Each deal was played in several seatings by the same bots. Here that did not pay: "
            f"the variance of a mean is {decimal(1 / factor) if factor else '∞'} times what as "
            "many matches on independent deals would have given.",
        )
    return tag(
        "p",
        "Each deal was played in several seatings by the same bots, so that the luck of the deal "
        "and of the seat cancels. The variance of a mean is ",
        tag("b", f"{decimal(factor)} times smaller"),
        " than with as many matches on independent deals, which would have needed ",
        tag("b", f"{percent(variance.matches_saved)} more matches"),
        " for intervals as narrow.",
    )


def parked(board: Leaderboard, reasons: Mapping[str, str]) -> Markup:
    """Return the matches that could not be played, with the reason where it is known."""
    if not board.parked:
        return markup()
    items = (
        tag("li", foreign(match), ": ", foreign(reasons[match]))
        if match in reasons
        else tag("li", foreign(match))
        for match in board.parked
    )
    return markup(
        tag("p", "These matches could not be played; their blocks do not count:"),
        tag("ul", *items, class_="parked"),
    )


def proof(board: Leaderboard, commitment: str, salt: str, config: str) -> Markup:
    """Return what anybody needs to check the tournament."""
    later = tag("span", "published when the tournament has ended", class_="none")
    entries = (
        ("master seed", board.seed, later),
        ("salt", salt, later),
        ("commitment", commitment, tag("span", "none", class_="none")),
    )
    listed = join(
        tag("div", tag("dt", what), tag("dd", tag("code", foreign(text)) if text else missing))
        for what, text, missing in entries
    )
    return markup(
        tag(
            "p",
            "The commitment is the SHA-256 of the salt followed by the 32 bytes of the master "
            "seed, and was published before the first match. Every deal follows from the seed, "
            "every number above but the times from the deals and the moves. To check it all, with "
            "the directory that this file was in:",
        ),
        tag("pre", tag("code", "arena verify DIR")),
        tag("dl", listed, class_="proof"),
        tag(
            "details",
            tag("summary", "The configuration, tournament.toml"),
            tag("pre", tag("code", lines(config))),
        )
        if config
        else "",
    )
