from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from arena.rating.leaderboard import Leaderboard
from arena.results.page import leaderboard_page
from tests.requirements import skip_lacking
from tests.results.boards import FACTS, HOSTILE, make_board, make_replays, make_timings
from tests.results.test_page import BOARDS, contrast

pytestmark = pytest.mark.slow

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars"
)
LIGHT, DARK = "light", "dark"
PAPER = 718  # the width of A4 between margins of a centimetre


def find(*names: str) -> str:
    """Return the path of the first of these programs that there is; skip where there is none."""
    path = next(filter(None, map(shutil.which, names)), None)
    return path or skip_lacking(f"{names[0]} is not installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A browser with an empty profile that keeps what it says and what it loads."""
    chrome = find("chromium", "chromium-browser", "google-chrome")
    options = webdriver.ChromeOptions()
    options.binary_location = chrome
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        driver = webdriver.Chrome(options=options, service=Service(find("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


def show(
    browser: webdriver.Chrome,
    directory: Path,
    board: Leaderboard,
    width: int = 1280,
    scheme: str = LIGHT,
) -> str:
    """Open the board's page and return its address."""
    file = directory / "leaderboard.html"
    facts = replace(FACTS, replays=make_replays(board) if board.matches else ())
    file.write_text(leaderboard_page(board, make_timings(board), facts), encoding="utf-8")
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    resize(browser, width)
    for log in ("browser", "performance"):
        browser.get_log(log)  # what came before is none of this page
    browser.get(file.as_uri())
    return file.as_uri()


def resize(browser: webdriver.Chrome, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def run(browser: webdriver.Chrome, script: str) -> Any:
    return browser.execute_script(script)


def column(browser: webdriver.Chrome, place: int) -> list[str]:
    script = "return [...document.querySelectorAll('.standings tbody tr')].map(row => "
    return list(run(browser, f"{script}row.cells[{place}].dataset.value)"))


@pytest.mark.parametrize("name", BOARDS)
def test_page_loads_alone_and_in_silence(browser, tmp_path, name):
    """From a file the page says nothing on the console and asks for nothing else."""
    address = show(browser, tmp_path, BOARDS[name])

    assert browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    }
    assert {url for url in asked if not url.startswith("data:")} == {address}
    assert run(browser, "return document.documentElement.classList.contains('scripted')")


@pytest.mark.parametrize("name", BOARDS)
def test_page_is_never_wider_than_its_window(browser, tmp_path, name):
    """Only tables scroll sideways, inside the page."""
    show(browser, tmp_path, BOARDS[name])
    for width in (320, 360, 768, 1280):
        resize(browser, width)

        assert run(browser, "return document.documentElement.scrollWidth") <= width
        assert run(browser, "return innerWidth") == width


def colours_of(browser: webdriver.Chrome, selector: str) -> tuple[str, str]:
    """Return letters and ground of an element, as hexadecimal colours."""
    script = f"const style = getComputedStyle(document.querySelector({selector!r})); "
    letters = run(browser, f"{script}return style.color")
    ground = run(browser, "return getComputedStyle(document.documentElement).backgroundColor")
    return to_hex(letters), to_hex(ground)


def to_hex(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_dark_scheme_is_dark_and_readable(browser, tmp_path):
    """Both schemes differ, and body text and asides are readable in each."""
    seen = {}
    for scheme in (LIGHT, DARK):
        show(browser, tmp_path, make_board(4), scheme=scheme)
        for selector in ("body", ".aside", "caption", "a", ".note"):
            letters, ground = colours_of(browser, selector)
            assert contrast(letters, ground) >= 4.5, (scheme, selector)
        seen[scheme] = colours_of(browser, "body")

    assert contrast(seen[LIGHT][1], "#000000") > 15
    assert contrast(seen[DARK][1], "#ffffff") > 15


def test_hostile_names_are_seen_and_do_nothing(browser, tmp_path):
    """Names that are markup are shown as they are written, and none of them runs."""
    show(browser, tmp_path, make_board(HOSTILE))

    script = "return [...document.querySelectorAll('.standings th > bdi')].map(e => e.textContent)"
    names = run(browser, script)
    assert names[:2] == list(HOSTILE[:2])
    assert names[2] == "abc\\u202edcba\\u2066"
    assert names[3] == "W" * 64
    assert "owned" not in browser.title
    assert run(browser, "return document.scripts.length") == 1
    assert run(browser, "return document.images.length") == 0
    assert browser.get_log("browser") == []


def test_policy_stops_what_escaping_might_have_missed(browser, tmp_path):
    """A script or a handler put into the page afterwards does not run."""
    show(browser, tmp_path, make_board(3))
    run(
        browser,
        "const script = document.createElement('script'); script.textContent = 'window.owned = 1';"
        "document.body.append(script); const image = document.createElement('div');"
        "image.setAttribute('onclick', 'window.owned = 2'); document.body.append(image);"
        "image.click();",
    )

    assert run(browser, "return window.owned === undefined")
    said = browser.get_log("browser")
    assert len(said) == 2
    assert all("Content Security Policy" in entry["message"] for entry in said)


@pytest.mark.parametrize("width", [1280, 400])
def test_columns_sort_by_a_click(browser, tmp_path, width):
    """A click puts the best first, a second one the worst; nothing comes last both times."""
    board = make_board(12, idle=3)
    show(browser, tmp_path, board, width)
    heads = browser.find_elements(By.CSS_SELECTOR, ".standings thead th")
    names = [head.text for head in heads]
    script = "return [...document.querySelectorAll('.standings thead button')].map(button => "
    arrows = f"{script}getComputedStyle(button, '::after').content)"
    assert heads[0].get_attribute("aria-sort") == "ascending"
    assert run(browser, arrows) == ['"↑"'] + ['"↕"'] * 8

    for name, values, orders in (
        ("mean score", [bot.mean_score for bot in board.bots if bot.matches], ("descending", "↓")),
        ("mean rank", [bot.mean_rank for bot in board.bots if bot.matches], ("ascending", "↑")),
    ):
        place, best = names.index(name), sorted(values, reverse=orders[0] == "descending")
        button = heads[place].find_element(By.TAG_NAME, "button")
        for numbers in (best, best[::-1]):
            button.click()
            shown = column(browser, place)
            assert [float(value) for value in shown[:-1]] == numbers
            assert shown[-1] is None
            is_upward = numbers[0] < numbers[-1]
            order = "ascending" if is_upward else "descending"
            assert heads[place].get_attribute("aria-sort") == order
            assert run(browser, arrows)[place] == ('"↑"' if is_upward else '"↓"')
    sorted_by = [head.get_attribute("aria-sort") for head in heads]
    assert sorted_by.count(None) == len(heads) - 1


def test_names_sort_by_the_alphabet(browser, tmp_path):
    """The column of names sorts as text, whatever its case."""
    show(browser, tmp_path, make_board(["beta", "Gamma", "alpha"], players=3))
    browser.find_element(By.XPATH, "//table[contains(@class,'standings')]//button[.='bot']").click()

    cells = browser.find_elements(By.CSS_SELECTOR, ".standings tbody th > bdi")
    assert [cell.text for cell in cells] == ["alpha", "beta", "Gamma"]


def test_a_bot_is_lit_up_everywhere(browser, tmp_path):
    """Pointing at a bot marks it in all tables and plots; a click on its name keeps it marked."""
    show(browser, tmp_path, make_board(4))
    lit = "return [...document.querySelectorAll('tr.lit')].map(row => row.dataset.bot)"
    names = browser.find_elements(By.CSS_SELECTOR, ".standings tbody th")

    ActionChains(browser).move_to_element(names[1]).perform()
    # The standings, the two plots, the crosstable, the replays, the faults and the times.
    assert run(browser, lit) == ["1"] * 7
    names[2].click()
    ActionChains(browser).move_to_element(browser.find_element(By.TAG_NAME, "h1")).perform()
    assert run(browser, lit) == ["2"] * 6


def test_cells_of_the_crosstable_are_read_out(browser, tmp_path):
    """What a cell means appears above the table, and a tap holds it in view."""
    show(browser, tmp_path, make_board(40), 360)
    readout = browser.find_element(By.CLASS_NAME, "readout")
    assert "Tap or point at a cell" in readout.text
    cells = browser.find_elements(By.CSS_SELECTOR, ".cross td[title]")
    tap(browser, cells[39 * 30 + 1])  # far down, where the readout would be out of sight

    assert readout.text.startswith("\u2068bot-30\u2069 against \u2068bot-1\u2069: 0 times above")
    assert (
        run(browser, "return document.querySelector('.readout').getBoundingClientRect().top") >= 0
    )
    assert "read" in cells[39 * 30 + 1].get_attribute("class").split()


def tap(browser: webdriver.Chrome, element: WebElement) -> None:
    """Touch an element as a finger does."""
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    finger = ActionBuilder(browser, mouse=PointerInput(POINTER_TOUCH, "finger"))
    finger.pointer_action.move_to(element).pointer_down().pointer_up()
    try:
        finger.perform()
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_replays_of_two_bots_are_found(browser, tmp_path):
    """From a cell of the crosstable it is one click to the replays of both bots."""
    show(browser, tmp_path, make_board(6, players=3))
    browser.find_elements(By.CSS_SELECTOR, ".cross td[title]")[1].click()  # bot-0 against bot-2
    browser.find_element(By.CSS_SELECTOR, ".readout button").click()

    rows = browser.find_elements(By.CSS_SELECTOR, ".matches tbody tr")
    shown = [row.text for row in rows if row.is_displayed()]
    assert len(shown) == 2
    assert all("bot-0" in text and "bot-2" in text for text in shown)
    assert browser.find_element(By.TAG_NAME, "output").text == "2 of 12 matches"
    for select in browser.find_elements(By.TAG_NAME, "select"):
        Select(select).select_by_index(0)
    assert all(row.is_displayed() for row in rows)


@pytest.mark.parametrize("width", [360, 400])
@pytest.mark.parametrize("name", ["three", "hostile", "score", "few deals"])
def test_nothing_is_cut_off_on_a_phone(browser, tmp_path, name, width):
    """No table but a large crosstable has to be scrolled sideways, and no cell overflows."""
    show(browser, tmp_path, BOARDS[name], width)
    run(browser, "for (const details of document.querySelectorAll('details')) details.open = true")
    wide = run(
        browser,
        "return [...document.querySelectorAll('section *')].filter(element => "
        "!element.closest('svg, pre, .unseen, #meetings .scroll') && element.clientWidth && "
        "element.scrollWidth > element.clientWidth).map(element => element.outerHTML)",
    )

    assert wide == []
    if name == "three":
        script = "const box = document.querySelector('#meetings .scroll'); return "
        assert run(browser, f"{script}box.scrollWidth <= box.clientWidth")


def test_long_names_are_readable(browser, tmp_path):
    """A name of 64 letters is there as a whole wherever the bot is, on a phone, too."""
    show(
        browser, tmp_path, make_board(["n" * 64, "a long name of a bot " * 3, "x"], players=3), 360
    )
    cut = run(
        browser,
        "return [...document.querySelectorAll('th bdi')]"
        ".filter(name => getComputedStyle(name).display !== 'inline').filter(name => "
        "name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)"
        ".map(name => name.textContent)",
    )

    assert cut == []


def test_every_drawing_has_a_title_and_is_seen(browser, tmp_path):
    """Each drawing tells what it shows and has a size."""
    show(browser, tmp_path, make_board(5), 360)
    drawings = run(
        browser,
        "return [...document.querySelectorAll('svg')].map(svg => "
        "[svg.querySelector('title').textContent, svg.getBoundingClientRect().width])",
    )

    assert len(drawings) >= 15
    assert all(title and width > 100 for title, width in drawings)


def test_page_is_whole_without_script(browser, tmp_path):
    """Where scripts are switched off everything is there, and no button that does nothing."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, tmp_path, make_board(4))
        assert browser.find_elements(By.TAG_NAME, "button") == []
        assert len(browser.find_elements(By.CSS_SELECTOR, ".standings tbody tr")) == 4
        assert browser.find_element(By.CLASS_NAME, "readout").text == ""
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("bots", [3, 16, 40])
def test_page_prints_light_and_whole(browser, tmp_path, bots):
    """On paper the page is light, whatever the scheme, and no table runs off the sheet."""
    show(browser, tmp_path, make_board(bots), PAPER)
    media = {"media": "print", "features": [{"name": "prefers-color-scheme", "value": DARK}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        ground = colours_of(browser, "body")[1]
        assert contrast(ground, "#000000") > 15
        assert run(browser, "return document.documentElement.scrollWidth") <= PAPER
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
