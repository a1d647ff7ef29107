"""What stands on the page besides plots: the standings, faults, times, blocks and the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.rating.leaderboard import BotTiming, Interval, Leaderboard, Standing
from arena.results.formats import blocks_worth, order_notes, rank_text
from arena.results.page.markup import Attribute, Markup, foreign, join, lines, markup, named, tag
from arena.results.page.numbers import decimal, interval, milliseconds, percent, plain
from arena.results.page.plots import axis_drawing, timing_axis, timing_drawing

_DETAIL = 200  # characters of a reason
_DASH = tag("span", "–", class_="none")
_MODELS = {"trueskill": "TrueSkill", "openskill": "OpenSkill", "plackett-luce": "Plackett–Luce"}
_COLUMNS = (  # what the head says, what the column means, whether the highest number is the best
    ("rank", "The ranks that a bot may have. Bots whose ranks overlap may be equally good.", False),
    ("bot", "Name and version.", False),
    ("rating", "How strong the rating model takes a bot to be. Bots are not ordered by it.", True),
    ("mu ± 2σ", "Estimated strength, and twice its uncertainty.", True),
    ("mean rank", "Average rank in a match; 1 is best.", False),
    ("ahead of next", "By how many ranks the bot is ahead of the bot below it.", True),
    (
        "strength",
        "Plackett–Luce strength; 1 more is 2.7 times the wins. No interval: it won or lost all.",
        True,
    ),
    ("mean score", "Average score in a match, in points of the game.", True),
    ("wins", "Matches with rank 1, shared or not.", True),
    ("matches", "Matches that count.", True),
    ("faults", "Late or illegal moves, crashes and other misbehaviour.", False),
)


def standings(board: Leaderboard) -> Markup:
    """Return the table of all bots."""
    spread = any(bot.mean_rank_ci95 for bot in board.bots)
    caption = "All bots in order." + (" Brackets: 95 % confidence intervals." if spread else "")
    heads = (
        _head(text, is_high_best, title=meaning, aria_sort="ascending" if text == "rank" else None)
        for text, meaning, is_high_best in _COLUMNS
    )
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_standing(bot, i, len(board.bots)) for i, bot in enumerate(board.bots))),
        class_="standings sortable",
    )


def legend(board: Leaderboard) -> Markup:
    """Return what the rating is, and the other columns."""
    if board.model == "score":
        rating = markup(tag("b", "Rating"), " is the mean score. ")
    else:
        model = _MODELS.get(board.model, board.model)
        rating = markup(
            tag("b", "Rating"),
            f" is mu − 3σ, a cautious estimate of a bot’s strength. {model} computes mu, the "
            "estimated strength, and σ (sigma), its uncertainty, from the order in which bots "
            "finish each match. ",
        )
    if board.draw_probability is not None:
        chance = plain(round(100 * board.draw_probability, 2))
        tie = Markup(f"{chance}&nbsp;%")
        rating = markup(rating, "It takes ", tie, " as the probability of a tie, as observed. ")
    if board.passes > 1:
        spread = max((bot.order_spread or 0.0 for bot in board.bots), default=0.0)
        moved = f" A single order would move mu by up to ± {decimal(2 * spread)}." if spread else ""
        rating = markup(
            rating,
            f"Ratings are the mean over {board.passes} random orders of the matches.{moved} ",
        )
    return markup(
        tag("p", *(f"{note} " for note in order_notes(board)), class_="note"),
        tag("p", rating, "Ratings of different tournaments cannot be compared.", class_="note"),
        tag(
            "details",
            tag("summary", "What the columns mean"),
            tag(
                "dl",
                *(tag("div", tag("dt", text), tag("dd", said)) for text, said, _ in _COLUMNS),
                class_="columns",
            ),
            class_="note",
        ),
    )


def _head(text: str, is_high_best: bool = False, **attributes: Attribute) -> Markup:
    """Return the head of a column; the first click on it puts the best on top."""
    best = "high" if is_high_best else None
    return tag("th", text, scope="col", data_best=best, **attributes)


def _cell(label: str, *content: str, value: float | None = None, **attributes: Attribute) -> Markup:
    """Return a cell; where columns do not fit side by side it shows its label itself."""
    return tag("td", *content, data_label=label, data_value=value, **attributes)


def _standing(bot: Standing, index: int, bots: int) -> Markup:
    faults = sum(bot.faults.values())
    version = tag("small", foreign(bot.version), class_="version") if bot.version else ""
    wins: str = f"{bot.wins:,}"
    if bot.matches:
        share = percent(bot.wins / bot.matches)
        wins = markup(wins, " ", tag("span", share, class_="aside share"))
    return tag(
        "tr",
        tag("td", rank_text(bot), _rank_bar(bot, bots), data_value=index, class_="ranks"),
        tag("th", named(bot.name), " ", version, scope="row"),
        _cell("rating", tag("b", decimal(bot.rating)), value=bot.rating),
        _cell("mu ± 2σ", decimal(bot.mu), _aside(f"± {decimal(2 * bot.sigma)}"), value=bot.mu),
        _mean("mean rank", bot, bot.mean_rank, bot.mean_rank_ci95),
        _ahead(bot),
        _strength(bot),
        _mean("mean score", bot, bot.mean_score, bot.mean_score_ci95),
        _cell("wins", wins, value=bot.wins),
        _cell("matches", f"{bot.matches:,}", value=bot.matches),
        _count("faults", faults),
        data_bot=index,
    )


def _mean(label: str, bot: Standing, value: float, ends: Interval | None) -> Markup:
    if not bot.matches:
        return _cell(label, _DASH)
    aside = _aside(interval(ends)) if ends else ""
    return _cell(label, decimal(value), aside, value=value)


def _rank_bar(bot: Standing, bots: int) -> Markup:
    """Return the rank set as a bar below the number: from the best to the last rank."""
    if bot.rank_set is None or bots < 2:
        return Markup()
    best, worst = bot.rank_set
    start, width = 100 * (best - 1) / bots, 100 * (worst - best + 1) / bots
    bar = tag("rect", x=f"{start:.2f}%", width=f"{width:.2f}%", y=0, height=4, class_="set")
    said = tag("title", f"rank {best} of {bots}" if best == worst else f"ranks {best} to {worst}")
    return tag("svg", said, bar, class_="set", role="img", width="100%", height=4)


def _ahead(bot: Standing) -> Markup:
    if bot.ahead is None:
        return _cell("ahead of next", _DASH)
    aside = _aside(interval(bot.ahead.ci95)) if bot.ahead.ci95 else ""
    return _cell("ahead of next", decimal(bot.ahead.by), aside, value=bot.ahead.by)


def _strength(bot: Standing) -> Markup:
    if bot.strength is None:
        return _cell("strength", _DASH)
    aside = _aside(interval(bot.strength_ci95)) if bot.strength_ci95 else ""
    return _cell("strength", decimal(bot.strength), aside, value=bot.strength)


def _aside(text: str) -> Markup:
    return markup(" ", tag("span", text, class_="aside"))


MIX = (
    "The hardest mix is the mix of bots that no bot finishes above in more than half of their "
    "meetings. Share above: how often a bot finishes above a bot drawn from it. Ties count half. "
    "A mean rank gets better with every copy of a weak bot that takes part. This share does not."
)


def mix(board: Leaderboard) -> Markup:
    """Return how each bot does against the hardest mix, the best first; "" if nobody knows."""
    known = [(i, bot) for i, bot in enumerate(board.bots) if bot.mix_share is not None]
    known.sort(key=lambda item: -(item[1].mix_share or 0.0))
    rows = (
        tag(
            "tr",
            tag("th", named(bot.name), scope="row"),
            _cell("in the mix", percent(bot.mix_weight or 0.0), value=bot.mix_weight),
            _cell("share above", *_share(bot), value=bot.mix_share),
            data_bot=i,
        )
        for i, bot in known
    )
    if not known:
        return Markup()
    heads = _head("bot"), _head("in the mix", True), _head("share above", True)
    return tag(
        "table",
        tag("caption", "Weights in the hardest mix, and shares above it", class_="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        class_="mix sortable",
    )


def _share(bot: Standing) -> tuple[str, ...]:
    share, ends = percent(bot.mix_share or 0.0), bot.mix_share_ci95
    if ends is None:
        return (share,)
    return share, _aside(f"[{percent(ends[0])}, {percent(ends[1])}]")


def faults(board: Leaderboard) -> Markup:
    """Return who failed how often and how, and the most frequent reasons."""
    failed = [(i, bot) for i, bot in enumerate(board.bots) if sum(bot.faults.values())]
    if not failed:
        return tag("p", "No faults.")
    kinds = [
        kind
        for kind in dict.fromkeys(kind for _, bot in failed for kind in bot.faults)
        if any(bot.faults.get(kind) for _, bot in failed)
    ]
    names = {kind: kind.replace("_", " ") for kind in kinds}
    head = [_head("bot"), *map(_head, names.values())]
    head += [_head("forfeited matches"), _head("most frequent causes")]
    rows = (
        tag(
            "tr",
            tag("th", named(bot.name), scope="row"),
            *(_count(name, bot.faults.get(kind, 0)) for kind, name in names.items()),
            _count("forfeited matches", bot.forfeits),
            _cell("most frequent causes", _reasons(bot), class_="text"),
            data_bot=i,
        )
        for i, bot in failed
    )
    missing = len(board.bots) - len(failed)
    caption = "Each fault costs the bot its move: arena makes a default move for it." + (
        f" The other {missing} bots had no faults." if missing > 1 else ""
    )
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *head)),
        tag("tbody", *rows),
        class_="faults sortable",
    )


def _count(label: str, number: int) -> Markup:
    return _cell(label, f"{number:,}" if number else _DASH, value=number)


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
    head = [_head("bot"), _head("decisions", is_high_best=True)]
    head += [_head("mean"), _head("slowest"), _head("arena’s delay")]
    head.append(_head("mean to slowest, logarithmic", class_="drawing"))
    rows = (
        tag(
            "tr",
            tag("th", named(timing.name), scope="row"),
            _cell("decisions", f"{timing.decisions:,}", value=timing.decisions),
            *(
                _cell(label, milliseconds(value) if timing.decisions else _DASH, value=value)
                for label, value in (
                    ("mean", timing.mean_ms),
                    ("slowest", timing.slowest_ms),
                    ("arena’s delay", timing.delay_ms),
                )
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
            "Time per decision, measured by arena. Arena’s own delay per decision is not charged "
            "to bots. Times differ from run to run.",
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
        return tag("p", "Too few deals were played several times to measure what that was worth.")
    return tag(
        "p",
        "The same bots play each deal several times, in different seats, so that no bot profits "
        "from its seat. The variance of a difference of mean ranks is ",
        tag("b", blocks_worth(variance)),
        ".",
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
        tag("p", "Arena could not play these matches. The rest of their blocks does not count:"),
        tag("ul", *items, class_="parked"),
    )


def proof(board: Leaderboard, commitment: str, salt: str, config: str) -> Markup:
    """Return what anybody needs to check the tournament."""
    later = tag("span", "published when the tournament is complete", class_="none")
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
            "The master seed determines every deal. The deals and the moves determine every number "
            "on this page except the times. To check all of it, run this on the results directory "
            "that this page is from:",
        ),
        tag("pre", tag("code", "arena verify DIR")),
        tag(
            "p",
            "The commitment is the SHA-256 of the salt followed by the 32 bytes of the master "
            "seed. Arena prints it before the first match, so the seed cannot change later.",
        ),
        tag("dl", listed, class_="proof"),
        tag(
            "details",
            tag("summary", "Configuration (tournament.toml)"),
            tag("pre", tag("code", lines(config))),
        )
        if config
        else "",
    )
