from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.rating.leaderboard import Leaderboard
from arena.results.page import leaderboard_page
from tests.browser import DARK, LIGHT, Tab, new_tab, open_file, resize
from tests.results.boards import FACTS, HOSTILE, make_board, make_replays, make_timings
from tests.results.test_page import BOARDS, contrast

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("page in browser")]

PAPER = 718  # the width of A4 between margins of a centimetre


def show(tab: Tab, directory: Path, board: Leaderboard, width: int = 1280) -> str:
    """Open the board's page and return its address."""
    file = directory / "leaderboard.html"
    facts = replace(FACTS, replays=make_replays(board) if board.matches else ())
    file.write_text(leaderboard_page(board, make_timings(board), facts), encoding="utf-8")
    resize(tab, width)
    return open_file(tab, file)


def column(tab: Tab, place: int) -> list[str]:
    script = "[...document.querySelectorAll('.standings tbody tr')].map(row => "
    return list(tab.run(f"{script}row.cells[{place}].dataset.value ?? null)"))


@pytest.mark.parametrize("name", BOARDS)
def test_page_loads_alone_and_in_silence(tab, tmp_path, name):
    """From a file the page says nothing on the console and asks for nothing else.

    It is never wider than its window: only tables scroll sideways, inside the page.
    """
    address = show(tab, tmp_path, BOARDS[name])

    assert {url for url in tab.asked if not url.startswith("data:")} == {address}
    assert tab.run("document.documentElement.classList.contains('scripted')")
    for width in (320, 360, 768, 1280):
        resize(tab, width)
        needed, given = tab.run("[document.documentElement.scrollWidth, innerWidth]")
        assert needed <= given == width
    assert tab.said == []


def colours_of(tab: Tab, selector: str) -> tuple[str, str]:
    """Return letters and ground of an element, as hexadecimal colours."""
    letters = tab.run(f"getComputedStyle(document.querySelector({selector!r})).color")
    ground = tab.run("getComputedStyle(document.documentElement).backgroundColor")
    return to_hex(letters), to_hex(ground)


def to_hex(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_dark_scheme_is_dark_and_readable(tab, tmp_path):
    """Both schemes differ, and body text and asides are readable in each."""
    seen = {}
    show(tab, tmp_path, make_board(4))
    for scheme in (LIGHT, DARK):
        tab.page.emulate_media(color_scheme="dark" if scheme == DARK else "light")
        for selector in ("body", ".aside", "caption", "a", ".note"):
            letters, ground = colours_of(tab, selector)
            assert contrast(letters, ground) >= 4.5, (scheme, selector)
        seen[scheme] = colours_of(tab, "body")

    assert contrast(seen[LIGHT][1], "#000000") > 15
    assert contrast(seen[DARK][1], "#ffffff") > 15


def test_hostile_names_are_seen_and_do_nothing(tab, tmp_path):
    """Names that are markup are shown as they are written, and none of them runs."""
    show(tab, tmp_path, make_board(HOSTILE))

    names = tab.page.locator(".standings th > bdi").all_text_contents()
    assert names[:2] == list(HOSTILE[:2])
    assert names[2] == "abc\\u202edcba\\u2066"
    assert names[3] == "W" * 64
    assert "owned" not in tab.page.title()
    assert tab.run("document.scripts.length") == 1
    assert tab.run("document.images.length") == 0
    assert tab.said == []


def test_policy_stops_what_escaping_might_have_missed(tab, tmp_path):
    """A script or a handler put into the page afterwards does not run."""
    show(tab, tmp_path, make_board(3))
    tab.run(
        "() => { const script = document.createElement('script');"
        "script.textContent = 'window.owned = 1';"
        "document.body.append(script); const image = document.createElement('div');"
        "image.setAttribute('onclick', 'window.owned = 2'); document.body.append(image);"
        "image.click(); }"
    )

    assert tab.run("window.owned === undefined")
    assert len(tab.said) == 2
    assert all("Content Security Policy" in entry for entry in tab.said)


@pytest.mark.parametrize("width", [1280, 400])
def test_columns_sort_by_a_click(tab, tmp_path, width):
    """A click puts the best first, a second one the worst; nothing comes last both times."""
    board = make_board(12, idle=3)
    show(tab, tmp_path, board, width)
    heads = tab.page.locator(".standings thead th")
    names = heads.all_inner_texts()
    script = "[...document.querySelectorAll('.standings thead button')].map(button => "
    arrows = f"{script}getComputedStyle(button, '::after').content)"
    sorted_by = "[...document.querySelectorAll('.standings thead th')].map(head => head.ariaSort)"
    assert tab.run(sorted_by)[0] == "ascending"
    assert tab.run(arrows) == ['"↑"'] + ['"↕"'] * 10

    for name, values, orders in (
        ("mean score", [bot.mean_score for bot in board.bots if bot.matches], ("descending", "↓")),
        ("mean rank", [bot.mean_rank for bot in board.bots if bot.matches], ("ascending", "↑")),
    ):
        place, best = names.index(name), sorted(values, reverse=orders[0] == "descending")
        for numbers in (best, best[::-1]):
            heads.nth(place).locator("button").click()
            shown = column(tab, place)
            assert [float(value) for value in shown[:-1]] == numbers
            assert shown[-1] is None
            is_upward = numbers[0] < numbers[-1]
            order = "ascending" if is_upward else "descending"
            assert tab.run(sorted_by)[place] == order
            assert tab.run(arrows)[place] == ('"↑"' if is_upward else '"↓"')
    assert tab.run(sorted_by).count(None) == len(names) - 1


def test_names_sort_by_the_alphabet(tab, tmp_path):
    """The column of names sorts as text, whatever its case."""
    show(tab, tmp_path, make_board(["beta", "Gamma", "alpha"], players=3))
    tab.page.locator(".standings button").get_by_text("bot", exact=True).click()

    assert tab.texts(".standings tbody th > bdi") == ["alpha", "beta", "Gamma"]


def test_a_bot_is_lit_up_everywhere(tab, tmp_path):
    """Pointing at a bot marks it in all tables and plots; a click on its name keeps it marked."""
    show(tab, tmp_path, make_board(4))
    lit = "[...document.querySelectorAll('tr.lit')].map(row => row.dataset.bot)"
    names = tab.page.locator(".standings tbody th")

    names.nth(1).hover()
    # Standings, two plots, crosstable, hardest mix, replays, faults and times.
    assert tab.run(lit) == ["1"] * 8
    names.nth(2).click()
    tab.page.locator("h1").hover()
    assert tab.run(lit) == ["2"] * 7


def test_cells_of_the_crosstable_are_read_out(browser, tmp_path):
    """What a cell means appears above the table, and a tap holds it in view."""
    with new_tab(browser, has_touch=True) as tab:
        show(tab, tmp_path, make_board(40), 360)
        readout = tab.page.locator(".readout")
        assert "Tap or point at a cell" in readout.inner_text()
        cell = tab.page.locator(".cross td[title]").nth(39 * 30 + 1)
        cell.tap()  # far down, where the readout would be out of sight

        said = readout.inner_text()
        assert said.startswith("\u2068bot-30\u2069 against \u2068bot-1\u2069: 0 times above")
        assert tab.run("document.querySelector('.readout').getBoundingClientRect().top") >= 0
        assert "read" in str(cell.get_attribute("class")).split()


def test_replays_of_two_bots_are_found(tab, tmp_path):
    """From a cell of the crosstable it is one click to the replays of both bots."""
    show(tab, tmp_path, make_board(6, players=3))
    tab.page.locator(".cross td[title]").nth(1).click()  # bot-0 against bot-2
    tab.page.locator(".readout button").click()

    rows = tab.page.locator(".matches tbody tr").all()
    shown = [row.inner_text() for row in rows if row.is_visible()]
    assert len(shown) == 2
    assert all("bot-0" in text and "bot-2" in text for text in shown)
    assert tab.texts("output") == ["2 of 12 matches"]
    for select in tab.page.locator("select").all():
        select.select_option(index=0)
    assert all(row.is_visible() for row in rows)


@pytest.mark.parametrize("name", ["three", "hostile", "score", "few deals"])
def test_nothing_is_cut_off_on_a_phone(tab, tmp_path, name):
    """No table but a large crosstable has to be scrolled sideways, and no cell overflows."""
    show(tab, tmp_path, BOARDS[name])
    tab.run("for (const details of document.querySelectorAll('details')) details.open = true")
    for width in (360, 400):
        resize(tab, width)
        wide = tab.run(
            "[...document.querySelectorAll('section *')].filter(element => "
            "!element.closest('svg, pre, .unseen, #meetings .scroll') && element.clientWidth && "
            "element.scrollWidth > element.clientWidth).map(element => element.outerHTML)",
        )

        assert wide == []
        if name == "three":
            box = "document.querySelector('#meetings .scroll')"
            assert tab.run(f"{box}.scrollWidth <= {box}.clientWidth")


def test_long_names_are_readable(tab, tmp_path):
    """A name of 64 letters is there as a whole wherever the bot is, on a phone, too."""
    show(tab, tmp_path, make_board(["n" * 64, "a long name of a bot " * 3, "x"], players=3), 360)
    cut = tab.run(
        "[...document.querySelectorAll('th bdi')]"
        ".filter(name => getComputedStyle(name).display !== 'inline').filter(name => "
        "name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)"
        ".map(name => name.textContent)",
    )

    assert cut == []


def test_every_drawing_has_a_title_and_is_seen(tab, tmp_path):
    """Each drawing tells what it shows and has a size."""
    show(tab, tmp_path, make_board(5), 360)
    drawings = tab.run(
        "[...document.querySelectorAll('svg')].map(svg => [svg.querySelector('title').textContent, "
        "svg.getBoundingClientRect().width, svg.matches('.ranks svg') ? 30 : 100])",
    )

    assert len(drawings) >= 15
    assert all(title and width > least for title, width, least in drawings)


def test_page_is_whole_without_script(browser, tmp_path):
    """Where scripts are switched off everything is there, and no button that does nothing."""
    with new_tab(browser, java_script_enabled=False) as tab:
        show(tab, tmp_path, make_board(4))

        assert tab.page.locator("button").count() == 0
        assert tab.page.locator(".standings tbody tr").count() == 4
        assert tab.texts(".readout") == [""]


@pytest.mark.parametrize("bots", [3, 16, 40])
def test_page_prints_light_and_whole(tab, tmp_path, bots):
    """On paper the page is light, whatever the scheme, and no table runs off the sheet."""
    show(tab, tmp_path, make_board(bots), PAPER)
    tab.page.emulate_media(media="print", color_scheme="dark")

    ground = colours_of(tab, "body")[1]
    assert contrast(ground, "#000000") > 15
    assert tab.run("document.documentElement.scrollWidth") <= PAPER
