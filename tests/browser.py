"""A real browser: Chromium of the system, driven by Playwright. No browser is downloaded.

Its headless shell is the same engine without windows, at half the processor time.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.requirements import skip_lacking

# One process draws all tabs: otherwise most visits start another one.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --renderer-process-limit=1"
)
# Makes pages transparent. They are laid out and painted as ever, in as many frames, but not turned
# into pixels, which no test looks at.
TRANSPARENT = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":root { opacity: 0 }");
  document.adoptedStyleSheets = [sheet];
}"""
LIGHT, DARK = "light", "dark"
PATIENCE_MS = 30_000  # for machines that do much else
expect.set_options(timeout=PATIENCE_MS)


def find(*names: str) -> str:
    """Return the path of the first of these programs that there is; skip where there is none."""
    path = next(filter(None, map(shutil.which, names)), None)
    return path or skip_lacking(f"{names[0]} is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser with an empty profile.

    It holds the event loop of this thread while a module runs: only sync tests can use it.
    """
    chromium = find("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield started
        started.close()


@dataclass
class Tab:
    """A page of its own profile, with what it said and asked for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen from the beginning."""
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def clear(self) -> None:
        """Leave the page, and forget what came before."""
        if self.page.url != "about:blank":
            self.page.goto("about:blank")
        self.said.clear()
        self.asked.clear()

    def run(self, script: str) -> Any:
        """Return what an expression or a function gives inside the page."""
        return self.page.evaluate(script)

    def texts(self, selector: str) -> list[str]:
        """Return what is shown in all elements of a selector."""
        return self.page.locator(selector).all_inner_texts()


@contextmanager
def new_tab(browser: Browser, **options: Any) -> Iterator[Tab]:
    """A tab of its own profile, which takes time to make."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(TRANSPARENT)
    yield Tab(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def shared_tab(browser: Browser) -> Iterator[Tab]:
    """The tab of all tests of a module that leave nothing in it."""
    with new_tab(browser) as tab:
        yield tab


@pytest.fixture
def tab(shared_tab: Tab) -> Tab:
    """An empty tab, 1280 wide, in the light scheme."""
    shared_tab.clear()
    shared_tab.page.emulate_media(media="screen", color_scheme="light")
    resize(shared_tab, 1280)
    return shared_tab


def make_opaque(tab: Tab) -> None:
    """Show the page of a tab as people see it."""
    tab.run("() => { document.adoptedStyleSheets = []; }")
    assert tab.run("getComputedStyle(document.documentElement).opacity") == "1"


def open_file(tab: Tab, file: Path) -> str:
    """Open a file and return its address; what came before is forgotten."""
    tab.clear()
    tab.page.goto(file.as_uri())
    return file.as_uri()


def resize(tab: Tab, width: int) -> None:
    """Give the window another width."""
    tab.page.set_viewport_size({"width": width, "height": 900})
