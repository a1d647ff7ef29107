from __future__ import annotations

from tests.browser import browser, shared_tab, tab
from tests.web.accessibility import axe

__all__ = ["axe", "browser", "shared_tab", "tab"]
