from __future__ import annotations

from tests.browser import browser, tab

__all__ = ["browser", "tab"]
