"""The page as a whole: head, sections, style sheet and script, all in one file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from arena.rating.leaderboard import BotTiming, Leaderboard
from arena.referee.clock import TimeControl
from arena.results.page import sections
from arena.results.page.crosstable import READING, crosstable
from arena.results.page.markup import Markup, foreign, isolated, join, markup, tag
from arena.results.page.numbers import duration, plain
from arena.results.page.plots import rank_plot, rating_plot
from arena.results.page.replays import replays
from arena.storage.records import StoredMatch, read_moment

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Cpath fill='%232b6cb0' d='M1 9h4v6H1zM6 2h4v13H6zM11 6h4v9h-4z'/%3E%3C/svg%3E"
)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the page says that is no part of the leaderboard."""

    created: str  # wall time, ISO 8601 with its zone
    arena: str  # the version
    commitment: str = ""  # hex; "": none
    salt: str = ""  # hex; "": not published yet
    config: str = ""  # the text of tournament.toml
    parked: Mapping[str, str] = field(default_factory=dict)  # match: why it could not be played
    ended: str = ""  # when the last match did, as `created`; "": not known
    control: TimeControl | None = None
    replays: Sequence[StoredMatch] = ()  # the matches whose replays are files beside the page
    isolation: Mapping[str, int] = field(default_factory=dict)  # matches by level


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading of its own."""

    name: str  # its address on the page
    heading: str
    content: Markup

    def shown(self) -> Markup:
        """Return the section as HTML."""
        heading = tag("h2", self.heading, id=f"{self.name}-heading")
        return tag(
            "section", heading, self.content, id=self.name, aria_labelledby=f"{self.name}-heading"
        )


def leaderboard_page(board: Leaderboard, timings: Sequence[BotTiming], facts: PageFacts) -> str:
    """Return the whole page: one HTML file that loads nothing and needs no script to be read.

    Names and texts from bots are shown as they are and do nothing. The same arguments give the
    same bytes.
    """
    parts = _sections(board, timings, facts)
    style, script = _part("page.css"), _part("page.js")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{page_policy()}">'),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"arena {facts.arena}"),
        tag("title", isolated(board.tournament), " – leaderboard"),
        tag("link", rel="icon", href=Markup(_ICON)),
        tag("style", style),
    )
    body = tag(
        "body",
        _header(board, facts, _contents(parts)),
        tag("main", _arranged(parts)),
        tag(
            "footer",
            tag(
                "p",
                f"Made by arena {facts.arena}. This page is one file and loads nothing else.",
            ),
        ),
        tag("script", script),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def page_policy() -> str:
    """Return what the page may do: run its own script and load nothing."""
    return (
        f"default-src 'none'; style-src '{_hash(_part('page.css'))}'; "
        f"script-src '{_hash(_part('page.js'))}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _header(board: Leaderboard, facts: PageFacts, contents: Markup) -> Markup:
    played = f"{board.matches:,}"
    matches: str = played
    if board.matches != board.scheduled:
        matches = markup(played, tag("small", f" of {board.scheduled:,}"))
    entries: tuple[tuple[str, str], ...] = (
        ("game", foreign(board.game)),
        ("bots", f"{len(board.bots):,}"),
        ("players per match", str(board.players)),
        ("matches", matches),
        ("deals", f"{board.deals:,}"),
        ("time per move", _control(facts.control)),
        ("started", _time(facts.created)),
        ("ended" if board.is_complete else "last match", _time(facts.ended, facts.created)),
        *([("isolation", _isolation(facts.isolation))] if facts.isolation else ()),
    )
    return tag(
        "header",
        tag("p", "Leaderboard", class_="kicker"),
        tag("h1", foreign(board.tournament)),
        tag(
            "dl",
            *(tag("div", tag("dt", what), tag("dd", value)) for what, value in entries if value),
            class_="facts",
        ),
        contents,
        _notices(board),
    )


def _notices(board: Leaderboard) -> Markup:
    said = []
    if board.settled_after is not None:
        said.append(f"Stopped early: the ranking was settled after round {board.settled_after:,}.")
    elif not board.matches:
        said.append("No match has been played yet.")
    elif not board.is_complete:  # the number of matches is less with a parked one, too
        said.append("Intermediate standings: some matches have not been played yet.")
    if board.matches and all(bot.mean_rank_ci95 is None for bot in board.bots):
        said.append(
            "Too few deals to tell the bots apart: ranks and confidence intervals need at least 10."
        )
    if board.parked:
        said.append(
            f"{len(board.parked):,} match{'' if len(board.parked) == 1 else 'es'} could not be "
            "played (see Faults)."
        )
    return join(tag("p", notice, class_="notice") for notice in said)


def _sections(
    board: Leaderboard, timings: Sequence[BotTiming], facts: PageFacts
) -> Sequence[Section]:
    table = sections.standings(board) if board.bots else tag("p", "There are no bots.")
    legend = sections.legend(board) if board.bots else ""
    first = Section("standings", "Standings", markup(_scroll("Standings", table), legend))
    last = Section(
        "proof",
        "Verify these results",
        sections.proof(board, facts.commitment, facts.salt, facts.config),
    )
    if not board.bots or not board.matches:
        return first, last
    # Beside the table and not its caption: that would be no wider than a table of three bots.
    meetings = markup(
        tag("p", READING, class_="note", id="reading"),
        tag("p", class_="readout", aria_live="polite"),
        _scroll("Head to head", crosstable(board)),
    )
    faults = markup(_scroll("Faults", sections.faults(board)), sections.parked(board, facts.parked))
    shown = [
        first,
        Section("ratings", "Ratings", rating_plot(board)),
        Section("ranks", "Ranks", rank_plot(board)),
        Section("meetings", "Head to head", meetings),
        Section("faults", "Faults", faults),
        Section("timing", "Time", _scroll("Time", sections.timing(board, timings))),
        Section("blocks", "Luck of the deal", sections.blocks(board)),
        last,
    ]
    if facts.replays:
        shown.insert(4, Section("replays", "Replays", replays(board, facts.replays)))
    if mix := sections.mix(board):
        content = markup(tag("p", sections.MIX, class_="note"), _scroll("Hardest mix", mix))
        shown.insert(4, Section("mix", "Hardest mix", content))
    return shown


def _arranged(parts: Sequence[Section]) -> Markup:
    """Return the sections in their order, the two plots side by side where there is room."""
    shown = {part.name: part.shown() for part in parts}
    if "ratings" in shown:
        pair = tag("div", shown["ratings"], shown.pop("ranks"), class_="pair")
        shown["ratings"] = pair
    return join(shown.values())


def _contents(parts: Sequence[Section]) -> Markup:
    links = (tag("a", part.heading, href=f"#{part.name}") for part in parts)
    return tag("nav", *links, aria_label="Sections")


def _scroll(label: str, content: Markup) -> Markup:
    return tag("div", content, class_="scroll", role="group", aria_label=label, tabindex=0)


def _isolation(levels: Mapping[str, int]) -> Markup:
    """Return how bots were kept apart; where that changed, in how many matches."""
    if len(levels) == 1:
        return foreign(next(iter(levels)))
    last = list(levels)[-1]
    return join(
        markup(foreign(level), f" ({count:,})", "" if level == last else ", ")
        for level, count in levels.items()
    )


def _control(control: TimeControl | None) -> str:
    if control is None:
        return ""
    if control.move_time_s is None:
        return "unlimited"
    bank = f" + {plain(control.bank_s)} s bank" if control.bank_s else ""
    return f"{plain(control.move_time_s)} s{bank}"


def _time(text: str, start: str = "") -> Markup:
    """Return a wall time to the minute, and how long it is after `start`."""
    time, began = read_moment(text), read_moment(start)
    if time is None:
        return foreign(text) if text else Markup()
    shown = f"{time:%H:%M} {time.tzname() or ''}".rstrip()
    if began is None or began.date() != time.date():
        shown = f"{time.day} {_MONTHS[time.month - 1]} {time.year}, {shown}"
    after = "" if began is None else f" after {duration(round((time - began).total_seconds()))}"
    return markup(tag("time", shown, datetime=text, title=text), tag("small", after))


@cache
def _part(name: str) -> Markup:
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
