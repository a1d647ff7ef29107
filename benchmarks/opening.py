"""How long a person waits for a 6-player match in a real browser, and for each step of it.

- After a click on the home page: from the click to the frame that shows the table.
- A cold link to a move, in a profile that has never seen these pages: from the navigation on.
- Each match is opened once, so that the server makes every document anew. Goal: under 0.5 s.
- Stepping through a match with a held key: the frames that take longer than 50 ms.

Needs Chromium and Playwright. `--against DIR` takes turns with another checkout that has its own
`.venv`.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.web import make_replay

GOAL_MS = 500
HERE = Path(__file__).parents[1]
FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
STEPS = 60
_LONG_FRAME_MS = 50
_REST_S = 1.5

# A table is seen in the frame after the one that builds it.
_NOTICE = """
const now = () => performance.timeOrigin + performance.now();
addEventListener("click", () => sessionStorage.setItem("clicked", now()), true);
new MutationObserver((_, observer) => {
  if (!document.querySelector(".drawn .place")) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      window.shown = now() - (sessionStorage.getItem("clicked") ?? performance.timeOrigin);
    };
    channel.port2.postMessage(0);
  });
}).observe(document, { childList: true, subtree: true });
"""
_STEP = """
(steps) => new Promise((done) => {
  const frames = [];
  let last = performance.now();
  const next = (now) => {
    frames.push(now - last);
    last = now;
    if (frames.length > steps) return done(frames.slice(1));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})
"""


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=10)
    parser.add_argument("--against", type=Path, help="another checkout")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell"))), None)
    parser.add_argument("--chromium", default=found, help="the browser, by its path")
    args = parser.parse_args()
    if args.chromium is None:
        print("opening is not measured: install chromium, or name a browser with --chromium")
        return 1
    checkouts = {"this": HERE} | ({"other": args.against} if args.against else {})
    clicked: dict[str, list[float]] = {name: [] for name in checkouts}
    cold: dict[str, list[float]] = {name: [] for name in checkouts}
    frames: dict[str, list[float]] = {name: [] for name in checkouts}
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        for number in range(2 * args.openings + 2):
            Path(scratch, f"match{number}.jsonl").write_bytes(make_replay(6, number))
        homes = {
            name: stack.enter_context(_serving(place, scratch)) for name, place in checkouts.items()
        }
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=args.chromium, args=FLAGS.split())
        stack.callback(browser.close)
        visited = {name: _context(browser) for name in checkouts}
        for number in range(args.openings + 1):
            for name, home in homes.items():
                taken = _click(visited[name], home, f"match{2 * number}", frames[name])
                cold_taken = _open_cold(browser, home, f"match{2 * number + 1}")
                if number:  # the first one warms up
                    clicked[name].append(taken)
                    cold[name].append(cold_taken)
    for name in checkouts:
        print(f"{name} checkout, {args.openings} openings of each kind")
        for what, times in (("after a click", clicked[name]), ("a cold link", cold[name])):
            print(
                f"  {what + ':':<15} {median(times):5.0f} ms ({min(times):.0f} to "
                f"{max(times):.0f}), goal {GOAL_MS}"
            )
        steps = frames[name]
        late = sum(frame > _LONG_FRAME_MS for frame in steps)
        print(
            f"  a step:         {median(steps):5.0f} ms, the longest {max(steps):.0f}; "
            f"{late} of {len(steps)} over {_LONG_FRAME_MS} ms"
        )
    is_met = max(median(clicked["this"]), median(cold["this"])) < GOAL_MS
    return 0 if is_met else 1


@contextlib.contextmanager
def _serving(checkout: Path, replays: str) -> Iterator[str]:
    """Run `arena view` of a checkout; gives the address of its home page."""
    command = [str(checkout / ".venv/bin/python"), "-m", "arena", "view", "--no-browser", replays]
    process = subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = None
        while found is None and (line := process.stdout.readline()):
            found = re.search(r"http://\S+", line)
        if found is None:
            raise SystemExit(f"{checkout}: arena view does not start")
        yield found[0]
    finally:
        process.terminate()
        process.wait()


def _context(browser: Browser) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(_NOTICE)
    return context


def _click(context: BrowserContext, home: str, match: str, frames: list[float]) -> float:
    page = context.new_page()
    page.goto(home)
    link = page.locator(f'a[href$="m={match}"]').first
    link.wait_for()
    page.wait_for_timeout(300)
    link.click(no_wait_after=True)
    taken = _shown(page)
    frames += page.evaluate(_STEP, STEPS)
    page.close()
    return taken


def _open_cold(browser: Browser, home: str, match: str) -> float:
    context = _context(browser)
    page = context.new_page()
    page.goto(f"{home}match.html?m={match}#move=57", wait_until="commit")
    taken = _shown(page)
    context.close()
    return taken


def _shown(page: Page) -> float:
    """Return when the table was shown; until then the page is left alone."""
    time.sleep(_REST_S)
    return float(page.wait_for_function("() => window.shown").json_value())


if __name__ == "__main__":
    sys.exit(main())
