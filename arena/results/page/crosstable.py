"""Who ended above whom: a table whose cells are coloured by the share."""

from __future__ import annotations

from arena.rating.leaderboard import Leaderboard, Standing
from arena.results.formats import share_above
from arena.results.page.markup import Markup, isolated, markup, named, tag
from arena.results.page.numbers import decimal

READING = (
    "How often the bot of the row finished above the bot of the column, in percent of the matches "
    "that both played. Ties count half. Columns are numbered in the order of the table. "
    "Bold: over all their matches, one bot is better than the other (95 % confidence, for that "
    "pair alone)."
)

_SURE = 0.975
_COLOURS = 10  # steps between never and always above


def crosstable(board: Leaderboard) -> Markup:
    """Return the crosstable: the bot of the row against the bot of the column."""
    head = tag(
        "tr",
        tag("td"),
        *(
            tag(
                "th",
                str(i + 1),
                scope="col",
                title=isolated(bot.name),
                aria_label=isolated(bot.name),
                data_other=i,
            )
            for i, bot in enumerate(board.bots)
        ),
    )
    rows = (
        tag(
            "tr",
            tag(
                "th",
                tag("span", str(i + 1), class_="number"),
                named(bot.name),
                scope="row",
            ),
            *(_cell(board, bot, other, j) for j, other in enumerate(board.bots)),
            data_bot=i,
        )
        for i, bot in enumerate(board.bots)
    )
    return tag(
        "table",
        tag(
            "caption",
            "Percentage of matches with the row above the column",
            class_="unseen",
        ),
        tag("thead", head),
        tag("tbody", *rows),
        class_="cross small" if len(board.bots) > 16 else "cross",
        aria_describedby="reading",
    )


def _cell(board: Leaderboard, bot: Standing, other: Standing, column: int) -> Markup:
    if bot is other:
        return tag("td", class_="self", data_other=column)
    share = share_above(board, bot.name, other.name)
    if share is None:
        title = markup(isolated(bot.name), " and ", isolated(other.name), " never played together.")
        return tag("td", "·", class_="never", title=title, data_other=column)
    meeting = board.meetings[bot.name, other.name]
    said = markup(
        isolated(bot.name),
        " against ",
        isolated(other.name),
        f": {_times(meeting.above)} above, {_times(meeting.equal)} tied, "
        f"{_times(meeting.below)} below.",
    )
    sure = False
    if meeting.probability is not None:
        better = decimal(meeting.probability, 3)
        said = markup(said, " Probability that ", isolated(bot.name), f" is better: {better}.")
        sure = meeting.probability >= _SURE or meeting.probability <= 1 - _SURE
    return tag(
        "td",
        f"{100 * share:.0f}",
        class_=f"heat{round(_COLOURS * share)}" + (" sure" if sure else ""),
        title=said,
        data_other=column,
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
