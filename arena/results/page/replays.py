"""The replays on the page: where each bot did best and worst, and all of them as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from urllib.parse import quote

from arena.rating.leaderboard import Leaderboard
from arena.results.page.markup import Markup, foreign, markup, named, tag
from arena.storage.records import StoredMatch

_MOST = 1000  # links: more would make the page slow to load


def replays(board: Leaderboard, matches: Sequence[StoredMatch]) -> Markup:
    """Return links to the replays of these matches, which are files beside the page."""
    places = {bot.name: place for place, bot in enumerate(board.bots)}
    listed = len(matches)
    summary = f"All {listed:,} replays"
    if listed > _MOST:
        summary = f"The first {_MOST:,} of {listed:,} replays"
    if listed == 1:
        summary = "The only replay"
    return markup(
        tag(
            "p",
            "A replay is the complete record of a match. These links work while the directory ",
            tag("code", "replays"),
            " is next to this page. To read a replay move by move: ",
            tag("code", "arena replay replays/MATCH.jsonl"),
        ),
        _extremes(board, matches),
        tag("details", tag("summary", summary), _listed(places, matches), class_="all"),
    )


def _extremes(board: Leaderboard, matches: Sequence[StoredMatch]) -> Markup:
    """Return for each bot the matches with its best and its worst rank."""
    best: dict[str, tuple[int, int]] = {}  # rank, and score below nothing: the least is the best
    worst: dict[str, tuple[int, int]] = {}
    found: dict[tuple[str, bool], StoredMatch] = {}
    for match in matches:
        seats = zip(match.fixture.bots, match.report.ranks, match.report.scores, strict=True)
        for bot, rank, score in seats:
            how = (rank, -score)
            if bot not in best or how < best[bot]:
                best[bot], found[bot, True] = how, match
            if bot not in worst or how > worst[bot]:
                worst[bot], found[bot, False] = how, match
    rows = (
        tag(
            "tr",
            tag("th", named(bot.name), scope="row"),
            _extreme("best match", found[bot.name, True], best[bot.name]),
            _extreme("worst match", found[bot.name, False], worst[bot.name]),
            data_bot=place,
        )
        for place, bot in enumerate(board.bots)
        if bot.name in best
    )
    heads = (tag("th", text, scope="col") for text in ("bot", "best match", "worst match"))
    return tag(
        "table",
        tag("caption", "The best and the worst match of each bot, by rank, then by score."),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        class_="extremes sortable",
    )


def _extreme(label: str, match: StoredMatch, how: tuple[int, int]) -> Markup:
    rank, below = how
    said = f" rank {rank}, score {-below}".replace("-", "−")
    return tag("td", _link(match), tag("span", said, class_="aside"), data_label=label)


def _listed(places: Mapping[str, int], matches: Sequence[StoredMatch]) -> Markup:
    heads = ("match", "deal", "bots by rank, with their scores", "faults")
    table = tag(
        "table",
        tag("caption", "Matches with a replay, in the order of the schedule", class_="unseen"),
        tag("thead", tag("tr", *(tag("th", text, scope="col") for text in heads))),
        tag("tbody", *(_row(places, match) for match in islice(matches, _MOST))),
        class_="matches",
    )
    return tag("div", table, class_="scroll", role="group", aria_label="Replays", tabindex=0)


def _row(places: Mapping[str, int], match: StoredMatch) -> Markup:
    fixture, report = match.fixture, match.report
    order = sorted(zip(report.ranks, fixture.bots, report.scores, strict=True))
    outcome = (
        tag("span", f"{rank}. ", foreign(bot), f" {score}".replace("-", "−"), class_="seat")
        for rank, bot, score in order
    )
    return tag(
        "tr",
        tag("th", _link(match), scope="row"),
        tag("td", str(fixture.deal)),
        tag("td", *outcome),
        tag("td", f"{len(report.faults):,}" if report.faults else "–"),
        data_bots=" ".join(str(places[bot]) for bot in fixture.bots if bot in places),
    )


def _link(match: StoredMatch) -> Markup:
    name = match.fixture.match
    return tag("a", name, href=f"replays/{quote(name, safe='')}.jsonl")
