"""Whether people can read and use a page: axe-core, at the width of a screen and of a phone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Tab, make_opaque, resize
from tests.requirements import skip_lacking

ROOT = Path(__file__).parents[2]

TOO_WIDE = """[...document.querySelectorAll("body *")]
  .filter(element => element.getBoundingClientRect().right > innerWidth)
  .map(element => element.outerHTML.slice(0, 200))"""

# The contrast of every text takes most of the time, and a page has hundreds that look alike: of
# those with the same tags, attributes and colours all the way up, apart from what is said and where
# links lead, one is looked at. All other rules look at everything. Rules that take long and are
# never about anything serious are left out.
AXE = """async () => {
  const looks = new Map([[document, ""]]);
  const look = element => {
    if (!looks.has(element)) {
      const { color, backgroundColor, backgroundImage, opacity, font } = getComputedStyle(element);
      const tag = element.cloneNode().outerHTML
        .replace(/ (href|title|aria-label|data-[a-z]+|id)="[^"]*"/g, "");
      const own = [tag, color, backgroundColor, backgroundImage, opacity, font];
      looks.set(element, look(element.parentNode) + own.join());
    }
    return looks.get(element);
  };
  const seen = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    element.toggleAttribute("data-again", seen.size === seen.add(look(element)).size);
  }
  axe.configure({ rules: [{ id: "color-contrast", selector: ":not([data-again])" }] });
  const mild = ["region", "empty-table-header", "landmark-unique", "page-has-heading-one"];
  const rules = Object.fromEntries(mild.map(id => [id, { enabled: false }]));
  return (await axe.run({ resultTypes: ["violations"], rules })).violations;
}"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, from npm."""
    if shutil.which("npm") is None:
        skip_lacking("npm is not installed")
    setup = subprocess.run([ROOT / "tests/web/setup"], capture_output=True, text=True, check=False)
    if setup.returncode:
        skip_lacking(f"axe-core cannot be installed here: {setup.stderr.strip()}")
    file = ROOT / "tests/web/node_modules/axe-core/axe.min.js"
    return file.read_text(encoding="utf-8")


def check_accessible(tab: Tab, axe: str) -> None:
    """Check the page of a tab, light and wide, dark and narrow."""
    make_opaque(tab)  # axe-core passes over what is transparent
    tab.run(axe + "; undefined")
    for width, scheme in ((1280, "light"), (360, "dark")):
        resize(tab, width)
        tab.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        tab.page.wait_for_timeout(300)  # cards fade in, the graph takes the new width
        assert tab.run("document.documentElement.scrollWidth") <= width, tab.run(TOO_WIDE)
        found: list[dict[str, Any]] = tab.run(AXE)
        serious = [
            (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
            for violation in found
            if violation["impact"] in ("serious", "critical")
        ]
        assert serious == [], (width, scheme)
