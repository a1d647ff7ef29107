from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from arena.rating.leaderboard import VarianceReduction
from arena.referee.clock import TimeControl
from arena.results.page import PageFacts, leaderboard_page
from arena.results.page.markup import Markup, isolated, markup, tag
from arena.results.page.numbers import (
    axis,
    decimal,
    duration,
    logarithmic_axis,
    milliseconds,
    percent,
    plain,
)
from tests.results.boards import FACTS, HOSTILE, make_board, make_replays, make_timings

VOID = {"col", "link", "meta"}

BOARDS = {
    "three": make_board(3, players=3),
    "forty": make_board(40),
    "hostile": make_board(HOSTILE, idle=1, parked=("17-3", "18-1")),
    "few deals": make_board(4, deals=5),
    "no matches": replace(make_board(4, deals=0), meetings={}, variance=None),
    "one": make_board(1),
    "none": make_board(0),
    "score": replace(
        make_board(4),
        model="score",
        draw_probability=None,
        bots=tuple(
            replace(bot, mu=bot.mean_score, sigma=0.0, rating=bot.mean_score)
            for bot in make_board(4).bots
        ),
    ),
}


class Document(HTMLParser):
    """An HTML text, taken apart; a tag that is not closed in its place is an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} is there twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{tag} is closed, but none is open"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, name: str) -> Iterator[dict[str, str | None]]:
        return (attributes for tag, attributes in self.elements if tag == name)

    def inside(self, name: str) -> str:
        return "".join(text for tag, text in self.texts if tag == name)


def page(name: str) -> str:
    board = BOARDS[name]
    facts = replace(FACTS, replays=make_replays(board) if board.matches else ())
    return leaderboard_page(board, make_timings(board), facts)


def text_of(document: Document) -> str:
    return " ".join("".join(text for _, text in document.texts).split())


@pytest.mark.parametrize("name", BOARDS)
def test_page_is_well_formed(name):
    """Every tag is closed in its place, ids are unique and what they name exists."""
    document = Document(page(name))

    ids = [attributes["id"] for _, attributes in document.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for key in ("aria-labelledby", "aria-describedby"):
        assert {a[key] for _, a in document.elements if key in a} <= set(ids)
    links = {a["href"] or "" for a in document.all("a")}
    assert {link for link in links if link.startswith("#")} <= {f"#{name}" for name in ids}
    assert "#standings" in links


@pytest.mark.parametrize("name", BOARDS)
def test_page_loads_nothing_and_carries_no_handlers(name):
    """No address but those of replays, no event handler and no inline style is on the page."""
    document = Document(page(name))

    for element, attributes in document.elements:
        for key, value in attributes.items():
            assert not key.startswith("on"), (element, key)
            assert key not in {"style", "src", "srcset", "action", "xlink:href"}, (element, key)
            if key == "href":
                assert value is not None
                assert re.match(r"#|data:image/svg\+xml,|replays/\d+-\d+\.jsonl$", value), value
    assert not {"img", "iframe", "object", "base", "form"} & {e for e, _ in document.elements}
    assert not re.search(r"url\(|@import|fetch\(|XMLHttp", document.inside("style"))


def test_policy_allows_exactly_this_style_and_this_script():
    """The hashes of the policy are those of the only style sheet and the only script."""
    text = page("hostile")
    document = Document(text)
    (policy,) = (a["content"] for a in document.all("meta") if "http-equiv" in a)
    assert policy is not None

    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for name in ("style", "script"):
        assert len(list(document.all(name))) == 1
        body = text.split(f"<{name}>")[1].split(f"</{name}>")[0]
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


@pytest.mark.parametrize("name", BOARDS)
def test_tables_and_drawings_speak(name):
    """Every table has a caption, every head its scope, every drawing a title."""
    document = Document(page(name))

    elements = document.elements
    assert all(attributes.get("scope") in {"row", "col"} for attributes in document.all("th"))
    for (element, _), (after, _) in pairwise(elements):
        if element == "table":
            assert after == "caption"
        if element == "svg":
            assert after == "title"
    assert all(attributes.get("role") == "img" for attributes in document.all("svg"))


def test_hostile_texts_are_only_texts():
    """Names, versions, reasons and the configuration appear as text and never as markup."""
    text = page("hostile")
    document = Document(text)

    assert HOSTILE[0] in document.inside("bdi")
    assert HOSTILE[1] in document.inside("bdi")
    assert "abc\\u202edcba\\u2066" in document.inside("bdi")
    assert "line\\nbreak\\x1b[31m\\x00" in document.inside("bdi")
    assert '[tournament]\nname = "cup"  # <b>\n    rounds = 50' in document.inside("code")
    assert "the <i>arena</i> failed" in document.inside("bdi")
    assert "no <b>answer</b>" in document.inside("bdi")
    assert not set("\u202e\u2066\x1b\x00") & set(text)
    assert not list(document.all("i"))


def test_page_says_what_the_leaderboard_says():
    """The numbers of the leaderboard are on the page, and how to check them."""
    document = Document(page("three"))
    text = text_of(document)

    assert "30.00 ± 2.12" in text
    assert "13.25 [11.75, 15.75]" in text
    assert "2.31 times smaller (95 %: 1.90 to 2.80)" in text
    assert "Rating is mu − 3σ, a cautious estimate of a bot’s strength. TrueSkill" in text
    assert "2.13 % as the probability of a tie" in text
    assert "time per move1 s + 10 s bank" in text
    assert "started3 Feb 2031, 04:05 UTC" in text
    assert "ended05:25 UTC after 1 h 20 min" in text
    assert "arena verify DIR" in text
    assert FACTS.salt in text
    assert FACTS.commitment in text
    titles = [a["title"] or "" for a in document.all("td") if "title" in a]
    said = (
        "22 times above, 2 times tied, 16 times below. Probability that \u2068bot-0\u2069 is better"
    )
    assert titles[0] == f"\u2068bot-0\u2069 against \u2068bot-1\u2069: {said}: 0.812."


def test_facts_that_are_not_known_are_left_out():
    """Without times or a limit there is no empty fact, and an end is not claimed too early."""
    facts = PageFacts(created="", arena="1", control=TimeControl(None))
    text = text_of(Document(leaderboard_page(make_board(3), [], facts)))
    assert "time per moveunlimited" in text
    assert "started" not in text
    assert "ended" not in text

    facts = replace(FACTS, ended="2031-02-05T04:05:06+00:00", control=TimeControl(0.25, 0))
    running = replace(make_board(3), is_complete=False, seed="")
    text = text_of(Document(leaderboard_page(running, [], facts)))
    assert "last match5 Feb 2031, 04:05 UTC after 2 d 0 h" in text
    assert "time per move0.25 s started" in text.replace("started", " started")


def test_rating_by_scores_is_called_so():
    """Where the rating is the mean score, nothing is said of sigma."""
    text = text_of(Document(page("score")))

    assert "Rating is the mean score." in text
    assert "cautious" not in text


def test_replays_are_linked():
    """Each match with a replay is linked, and for each bot its best and its worst one."""
    document = Document(page("three"))

    links = [link for a in document.all("a") if (link := a["href"] or "").startswith("replays/")]
    # By bot: of the matches it won the one with the highest score, of those it lost the lowest.
    extremes = ("3-2", "1-2", "3-3", "1-3", "3-4", "1-1")
    assert links[:6] == [f"replays/{name}.jsonl" for name in extremes]
    assert links[6:] == [f"replays/{n // 4 + 1}-{n % 4 + 1}.jsonl" for n in range(12)]
    assert "All 12 replays" in document.inside("summary")


def test_without_replays_there_are_no_links():
    """If no replay is exported, the page does not speak of them."""
    text = leaderboard_page(make_board(3), [], FACTS)

    assert "replays/" not in text
    assert "#replays" not in text


def test_long_lists_of_replays_are_cut():
    """Of very many replays the first thousand are listed, and the page says so."""
    board = make_board(4)
    text = leaderboard_page(board, [], replace(FACTS, replays=make_replays(board, 1234)))

    assert "The first 1,000 of 1,234 replays" in text
    assert text.count("data-bots=") == 1000


def test_links_lead_nowhere_else():
    """A name of a match that is a path or an address is only a name."""
    board = make_board(3)
    (match,) = make_replays(board, 1)
    odd = replace(match, fixture=replace(match.fixture, match='../x"//evil.example'))
    document = Document(leaderboard_page(board, [], replace(FACTS, replays=[odd])))

    links = {a["href"] for a in document.all("a")}
    assert "replays/..%2Fx%22%2F%2Fevil.example.jsonl" in links


def test_page_says_what_is_missing():
    """Too few deals, parked matches, an unfinished schedule and unpublished secrets are told."""
    assert "Too few deals to tell the bots apart" in page("few deals")
    assert "2 matches could not be played" in page("hostile")
    assert "No match has been played yet" in page("no matches")
    assert "There are no bots" in page("none")
    board = make_board(3)
    unfinished = replace(board, scheduled=board.matches + 1, seed="", is_complete=False)
    text = leaderboard_page(unfinished, [], PageFacts(created="soon", arena="1"))
    assert "Intermediate standings" in text
    assert text.count("published when the tournament is complete") == 2
    assert "No times were recorded" in text
    assert "<details>" not in text
    complete = replace(board, scheduled=board.matches + 12, parked=("17-3",))
    assert "Intermediate standings" not in leaderboard_page(complete, [], FACTS)
    settled = leaderboard_page(replace(unfinished, settled_after=1200), [], FACTS)
    assert "settled after round 1,200" in settled
    assert "Intermediate" not in settled


def test_blocks_that_did_not_pay_are_told_as_such():
    """A variance that grew is not sold as a gain."""
    board = make_board(3)

    def told(*ends: float) -> str:
        variance = VarianceReduction(0.8, -0.2, (ends[0], ends[1]) if ends else None)
        return leaderboard_page(replace(board, variance=variance), [], FACTS)

    assert "1.25 times larger (95 %: 1.11 to 1.43) than" in told(0.7, 0.9)
    assert "not measurably different" in told(0.6, 1.1)
    assert "1.25 times larger than" in told()  # as older files have it


def test_same_leaderboard_gives_the_same_page():
    """The page is a pure function of its arguments."""
    assert page("forty") == page("forty")


def variables(css: str, start: str) -> dict[str, str]:
    body = css[css.index(start) :]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", body[: body.index("}")]))


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [":root", "prefers-color-scheme: dark"])
def test_all_letters_have_enough_contrast(scheme):
    """Letters reach 4.5 on whatever they stand on, in both schemes."""
    colours = variables(Document(page("three")).inside("style"), scheme)

    on_heat = {
        step: "on-strong" if step in {0, 10} else "on-middle" if step in {1, 9} else "on-faint"
        for step in range(11)
    }
    pairs = [(on, f"heat{step}") for step, on in on_heat.items()]
    pairs += [(f"on{step}", f"fill{step}") for step in range(6)]
    pairs += [(ink, ground) for ink in ("ink", "muted", "accent") for ground in ("paper", "lit")]
    pairs += [("ink", "raised")]
    low = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert all(value >= 4.5 for value in low.values()), low


def test_markup_escapes_all_but_markup():
    """Only what is marked as HTML is taken as such, in content and attributes."""
    assert tag("p", "<", Markup("<b></b>"), title='"') == '<p title="&quot;">&lt;<b></b></p>'
    assert tag("td", data_bot=3, class_="a", hidden=True, open=False, id=None) == (
        '<td data-bot="3" class="a" hidden></td>'
    )
    assert markup("a\u202e", isolated("<")) == "a\\u202e\u2068&lt;\u2069"
    assert tag("col") == "<col>"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (decimal(-1234.5), "−1,234.50"),
        (decimal(-0.001), "0.00"),
        (plain(-2.5), "−2.5"),
        (percent(0.0), "0 %"),
        (percent(0.001), "<1 %"),
        (percent(0.999), ">99 %"),
        (percent(1.0), "100 %"),
        (milliseconds(0.1234), "0.123 ms"),
        (milliseconds(1234.5), "1,234 ms"),
        (milliseconds(61_000), "61.0 s"),
        (duration(59), "59 s"),
        (duration(3599), "59 min 59 s"),
        (duration(47 * 3600 + 60), "47 h 1 min"),
        (duration(50 * 3600), "2 d 2 h"),
    ],
)
def test_numbers_read_well(shown, expected):
    """Numbers have true minus signs and suitable units, and shares do not pretend."""
    assert shown == expected


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3.7, 42.1), (25, 25), (1e-3, 2e-3), (0, 9e6)])
def test_axis_covers_its_numbers_with_round_ticks(low, high):
    """Both ends are on the axis, and there are a handful of ticks, all on it."""
    scale = axis(low, high)

    assert 0 < scale.at(low) <= scale.at(high) < 100
    assert 2 <= len(scale.ticks) <= 7
    assert all(0 <= scale.at(tick) <= 100 for tick in scale.ticks)


def test_logarithmic_axis_has_powers_of_ten():
    """The axis of times runs from power to power."""
    scale = logarithmic_axis(0.3, 400)

    assert scale.ticks == (0.1, 1, 10, 100, 1000)
    assert scale.at(10) == 50
    assert scale.at(0) == 0
    assert logarithmic_axis(10, 10).ticks == (10, 100)


def test_the_hardest_mix_is_shown_where_it_is_known():
    """Weights and shares have a table of their own, which is left out where nobody knows them."""
    board = make_board(4)
    page = leaderboard_page(board, make_timings(board), FACTS)
    assert 'id="mix"' in page
    assert 'data-label="in the mix" data-value="1.0">100 %</td>' in page
    assert '49 % <span class="aside">[25 %, 75 %]</span>' in page

    board = make_board(4, deals=5)
    assert 'id="mix"' not in leaderboard_page(board, make_timings(board), FACTS)
