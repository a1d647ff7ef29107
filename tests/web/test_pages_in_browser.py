"""The pages of results and replays in a real browser, as `arena view` serves them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.cli import main
from tests.browser import Tab, new_tab, open_file, resize
from tests.web.accessibility import check_accessible
from tests.web.served import GAMES, play_all, serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages in browser")]

ROOT = Path(__file__).parents[2]
TOURNAMENT = "reference-byzanz-4p"
# The smallest and the largest table of each game: what differs by size differs between them.
ENDS = [(game.name, size) for game in GAMES for size in (game.table_sizes[0], game.table_sizes[-1])]


@pytest.fixture(scope="module")
def replays(tmp_path_factory):
    """A directory with a replay of every game at every table size."""
    directory = tmp_path_factory.mktemp("replays")
    play_all(directory)
    return directory


@pytest.fixture(scope="module")
def site(replays):
    """The address of these replays and of the reference tournaments."""
    with serving(ROOT / "results", replays) as address:
        yield address


def visit(tab: Tab, site: str, page: str) -> None:
    """Open a page and wait until it is shown."""
    if tab.page.url != "about:blank":  # another fragment alone would not load it again
        tab.page.goto("about:blank")
    tab.page.goto(site + page)
    tab.page.wait_for_selector("#app:not([aria-busy])")


def is_at(tab: Tab, step: int) -> None:
    """Wait until the viewer shows a step."""
    expect(tab.page.locator("output.count b")).to_have_text(str(step))


def looks_as(tab: Tab, view: str) -> None:
    """Wait until the viewer shows a view."""
    expect(tab.page.locator(f".views input[value='{view}']")).to_be_checked()


PAGES = [
    "index.html",
    f"tournament.html?t={TOURNAMENT}",
    "match.html?m=byzanz-6#move=60",
    "match.html?m=schwarzmarkt-5#move=60&seat=2",
]


@pytest.mark.parametrize(("name", "size"), ENDS)
def test_every_view_is_drawn_in_silence(tab, site, name, size):
    """Looking at a match from all sides says nothing on the console and asks for nothing.

    Each view at steps of its own, from the first to the last of the match. No step is too wide for
    a phone.
    """
    resize(tab, 360)
    visit(tab, site, f"match.html?m={name}-{size}")
    tab.page.wait_for_selector(f".table.{name} .place")
    assert all(url.startswith((site, "about:", "data:")) for url in tab.asked)
    tab.asked.clear()
    drawn = tab.run(
        """async () => {
          const scrub = document.querySelector(".scrub"), drawn = [];
          const views = [...document.querySelectorAll(".views input")];
          const share = scrub.max / (2 * views.length - 1);
          for (const [place, view] of views.entries()) {
            view.click();
            for (const half of [0, 1]) {
              scrub.value = Math.round((2 * place + half) * share);
              scrub.dispatchEvent(new Event("input", { bubbles: true }));
              await new Promise(requestAnimationFrame);
              const { scrollWidth } = document.documentElement;
              drawn.push([scrub.value, document.querySelectorAll(".place").length, scrollWidth]);
            }
          }
          return drawn;
        }"""
    )

    steps, places, widths = zip(*drawn, strict=True)
    assert steps[0] == "0"
    assert int(steps[-1]) == int(tab.page.locator(".scrub").get_attribute("max") or 0) > 50
    assert len(set(steps)) == 2 * (size + 2)
    assert set(places) == {size}
    assert set(widths) == {360}
    assert tab.said == []
    # A new fragment makes Chromium look at the icon again.
    assert [url for url in tab.asked if not url.startswith(("data:", f"{site}icon.svg"))] == []


def test_what_stands_above_a_hand_fits(tab, site):
    """A seat with a high score that is to act and can be chosen is not too wide."""
    resize(tab, 360)
    visit(tab, site, "match.html?m=schwarzmarkt-3")
    tab.page.wait_for_selector(".table .place")
    tab.run(
        """for (const head of document.querySelectorAll(".place > header")) {
          const score = head.querySelector(".score");
          score.querySelector("b").textContent = "136";
          for (const [tag, text] of [["act", "to act"], ["pick", "choose"]]) {
            head.querySelector(`.${tag}`)?.remove();
            score.insertAdjacentHTML("beforebegin", `<span class="tag ${tag}">${text}</span>`);
          }
        }"""
    )
    for width in (320, 360, 400, 700, 1280):
        resize(tab, width)
        assert (
            tab.run(
                "[...document.querySelectorAll('.place > header')]"
                ".filter(head => head.scrollWidth > head.clientWidth).length"
            )
            == 0
        ), width


STEP = """async count => {
  let changes = 0, idle = 0;
  const observer = new MutationObserver(list => {
    for (const { type, oldValue, target, addedNodes, removedNodes } of list) {
      changes += Math.max(1, addedNodes.length + removedNodes.length);
      idle += type === "characterData" && oldValue === target.data;
    }
  });
  const what = { subtree: true, childList: true, attributes: true };
  observer.observe(document.body, { ...what, characterData: true, characterDataOldValue: true });
  for (let step = 0; step < count; step++) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await null;  // for the observer alone: a frame, or what is still loaded, would lay out more
  }
  return [changes / count, idle];
}"""


@pytest.mark.parametrize("match", ["byzanz-6", "schwarzmarkt-5"])
def test_a_step_changes_only_what_differs(tab, site, match):
    """A step changes about 50 of a thousand elements, and writes no text that is there already.

    The page is laid out once for it.
    """
    visit(tab, site, f"match.html?m={match}")
    tab.page.wait_for_selector(".graph svg")
    browser = tab.page.context.new_cdp_session(tab.page)
    browser.send("Performance.enable")

    def layouts() -> int:
        metrics = browser.send("Performance.getMetrics")["metrics"]
        return next(int(one["value"]) for one in metrics if one["name"] == "LayoutCount")

    before = layouts()
    changes, idle = tab.page.evaluate(STEP, 40)
    assert layouts() - before < 1.2 * 40
    is_at(tab, 40)
    assert 10 < changes < 120
    assert idle == 0


def test_a_match_opens_with_one_document(browser, site):
    """From the home page, all that is fetched for a match is its page and document.

    Nothing is drawn but what there is to see: cards do not fly in.
    """
    with new_tab(browser) as tab:
        visit(tab, site, "index.html")
        tab.page.wait_for_load_state("networkidle")
        tab.page.get_by_role("link", name="byzanz-6").click()
        tab.page.wait_for_selector(".place .card")
        assert tab.run("document.getAnimations().length") == 0
        fetched = tab.run(
            """performance.getEntriesByType("resource")
              .filter(entry => entry.transferSize > 0).map(entry => entry.name)"""
        )
        assert [url.removeprefix(site) for url in fetched if not url.endswith("icon.svg")] == [
            "data/replays/byzanz-6.json.gz"
        ]


def test_a_link_leads_to_its_move_and_view(tab, site):
    """A link names a move and a seat, and the address follows what is looked at."""
    visit(tab, site, "match.html?m=byzanz-3#move=57&seat=2")
    is_at(tab, 57)
    looks_as(tab, "2")

    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("p")
    expect(tab.page).to_have_url(re.compile("#move=58&seat=public$"))
    tab.run("() => { location.hash = '#move=3'; }")
    is_at(tab, 3)
    looks_as(tab, "everything")


def test_a_seat_sees_its_own_hand_alone(tab, site):
    """In the view of a seat the other hands lie face down, but for what can be inferred."""
    visit(tab, site, "match.html?m=schwarzmarkt-4#move=0&seat=1")
    places = tab.page.locator(".place")
    assert places.nth(1).locator(".held .card:not(.back)").count() == 9
    assert places.nth(0).locator(".card:not(.back)").count() == 0
    assert places.nth(0).locator(".card.back").count() == 9
    assert tab.page.locator(".contracts").count() == 1

    visit(tab, site, "match.html?m=byzanz-4#move=60&seat=1")
    others = tab.page.locator(".place:not(.own) .held .card:not(.back)")
    assert others.count() > 0
    assert all("inferred" in str(card.get_attribute("class")) for card in others.all())
    inferred = str(others.first.get_attribute("aria-label"))
    assert inferred.endswith(", inferred")
    assert tab.said == []


def test_everything_works_by_keyboard(tab, site):
    """Keys step, jump to events, play, choose a view and show the list of keys."""
    visit(tab, site, "match.html?m=byzanz-3")
    press = tab.page.keyboard.press
    last = int(tab.page.locator(".scrub").get_attribute("max") or 0)
    press("End")
    is_at(tab, last)
    press("Home")
    is_at(tab, 0)
    press("Shift+ArrowRight")
    count = tab.page.locator("output.count b")
    expect(count).not_to_have_text("0")
    assert int(count.inner_text()) > 1  # the first event, not the next move
    press("Shift+ArrowLeft")
    is_at(tab, 0)
    for _ in range(4):
        press("+")
    press(" ")
    expect(tab.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(count).to_have_text(re.compile(r"^([4-9]|\d\d+)$"))
    press(" ")
    expect(tab.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    press("1")
    looks_as(tab, "1")
    press("?")
    expect(tab.page.locator("dialog.keys")).to_be_visible()
    tab.page.get_by_role("button", name="Close").click()
    expect(tab.page.locator("dialog.keys")).not_to_be_visible()


def test_a_decision_shows_its_moves_and_time(tab, site, replays):
    """The chosen move is marked among the legal ones, as the replay has it."""
    lines = (replays / "byzanz-3.jsonl").read_text(encoding="utf-8").splitlines()
    move = json.loads(lines[1])["move"]
    visit(tab, site, "match.html?m=byzanz-3#move=1")
    chosen = tab.texts(".legal li[aria-current=true]")
    assert len(chosen) == 1
    assert chosen[0].startswith(move["type"])
    assert all(card in chosen[0] for card in move.get("cards", ()))
    heading = tab.page.locator(".reasons h3").last.inner_text()
    assert heading.startswith(str(tab.page.locator(".legal li").count()))
    assert "time" in tab.texts(".clock dt")

    tab.page.get_by_role("button", name="All moves").click()
    tab.page.locator(".story [data-step='9'] button").click()
    is_at(tab, 9)


def test_the_position_is_copied_as_json(tab, site):
    """Copying a position gives the table as the view sees it, and a link is copied whole."""
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(tab, site, "match.html?m=byzanz-3#move=12&seat=public")
    tab.page.get_by_role("button", name="Copy position").click()
    tab.page.get_by_text("Position copied as JSON").wait_for()
    position = json.loads(tab.run("navigator.clipboard.readText()"))
    assert (position["move"], position["view"]) == (12, "public")
    assert position["table"]["phase"]
    assert all(not fields["hand"] for fields in position["own"].values())
    tab.page.get_by_role("button", name="Copy link").click()
    tab.page.get_by_text("Link copied").wait_for()
    assert tab.run("navigator.clipboard.readText()") == tab.page.url
    tab.page.context.clear_permissions()


def test_matches_of_a_bot_are_filtered(tab, site, axe):
    """Filters by opponent, seat and rank leave the matches that meet all of them.

    In the page of the bot axe-core finds nothing serious.
    """
    visit(tab, site, f"bot.html?t={TOURNAMENT}&b=planner")
    status = tab.page.locator(".filters [role=status]")
    expect(status).to_have_text("192 matches")
    page = f"data/t/{TOURNAMENT}/bots/planner/matches/0.json"
    matches = tab.run(f"fetch('{page}').then(answer => answer.json())")["matches"]
    planner, searcher = 2, 3  # in the order of entry
    first = [
        match["seats"].index(planner)
        for match in matches
        if searcher in match["seats"] and match["ranks"][match["seats"].index(planner)] == 1
    ]
    tab.page.locator("select[name=other]").select_option(label="searcher")
    tab.page.locator("select[name=rank]").select_option("1")
    expect(status).to_have_text(f"{len(first)} matches")
    tab.page.locator("select[name=seat]").select_option("0")
    expect(status).to_have_text(f"{first.count(0)} matches")

    for select in tab.page.locator(".filters select").all():
        select.select_option(index=0)
    expect(status).to_have_text("192 matches")
    check_accessible(tab, axe)


def test_standings_sort_and_lead_to_bots(tab, site):
    """A click on a column sorts; a bot's name leads to its page."""
    visit(tab, site, f"tournament.html?t={TOURNAMENT}")
    names = "[aria-label=Standings] tbody th a"
    before = tab.texts(names)
    assert before[0] == "searcher"
    tab.page.locator("[aria-label=Standings] thead button").first.click()
    expect(tab.page.locator(names)).to_have_text(before[::-1])
    tab.page.get_by_role("link", name="planner").first.click()
    tab.page.wait_for_url("**/bot.html*")


def test_the_page_of_the_results_leads_to_replays_and_bots(tab, site):
    """Served beside the pages, leaderboard.html links to them."""
    page = f"{site}data/t/{TOURNAMENT}/leaderboard.html"
    tab.page.goto(page)
    tab.page.locator(".extremes tbody td a").first.click()
    tab.page.wait_for_selector(".table.byzanz .place")
    tab.page.goto(page)
    tab.page.locator(".standings").get_by_role("link", name="planner").click()
    expect(tab.page.locator("h1")).to_have_text("planner")
    assert tab.said == []


def test_a_cited_rule_is_shown(tab, site, axe):
    """The address of a rule leads to its text, which axe-core finds nothing serious in."""
    visit(tab, site, "rules.html?game=byzanz#B3.5")
    assert tab.page.locator(":target").inner_text().startswith("B3.5")
    check_accessible(tab, axe)


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_no_serious_violation(tab, site, axe, page):
    """Light and dark, wide and narrow: axe-core finds nothing serious, and nothing is too wide."""
    visit(tab, site, page)
    check_accessible(tab, axe)


def test_one_file_opens_from_the_file_system(tab, replays, tmp_path):
    """`arena replay --html` writes a viewer that needs no server and asks for nothing."""
    file = tmp_path / "match.html"
    assert main(["replay", str(replays / "byzanz-6.jsonl"), "--html", str(file)]) == 0
    address = open_file(tab, file)
    tab.page.wait_for_selector(".table.byzanz .place")

    tab.page.keyboard.press("End")
    assert tab.page.locator(".tag.rank").count() == 6
    with tab.page.expect_download() as download:
        tab.page.get_by_role("link", name="Download").click()
    replay = (replays / "byzanz-6.jsonl").read_bytes()
    assert Path(download.value.path()).read_bytes() == replay
    assert tab.said == []
    assert {url for url in tab.asked if url.startswith(("file:", "http"))} == {address}


@pytest.mark.parametrize("drawing", ["drawing.js", ""])
def test_a_game_from_a_package_is_drawn(tab, tmp_path, high_card, monkeypatch, drawing):
    """By the module that its package brings, or else by its texts and cards."""
    monkeypatch.setattr(type(high_card), "drawing", drawing)
    file = tmp_path / "match.jsonl"
    bots = ["--bots", "random,random,random"]
    assert main(["play", "highcard", *bots, "--seed", "5", "--replay", str(file)]) == 0
    with serving(file) as site:
        visit(tab, site, "match.html?m=match#move=4&seat=0")
        expect(tab.page.locator(".place")).to_have_count(3)
        assert tab.page.locator(".place.own .card:not(.back)").count() >= 3
        assert tab.page.locator(".place:not(.own) .card:not(.back)").count() == 0
        assert bool(tab.page.locator(".table.generic").count()) is (drawing == "")
        tab.page.keyboard.press("End")
        expect(tab.page.locator(".tag.rank")).to_have_count(3)
    assert tab.said == []
