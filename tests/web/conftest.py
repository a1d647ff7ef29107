from __future__ import annotations

from tests.browser import browser, shared_tab, tab

__all__ = ["browser", "shared_tab", "tab"]
