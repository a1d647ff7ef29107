"""The leaderboard as a page of its own: one HTML file that needs nothing but a browser."""

from arena.results.page.document import PageFacts, leaderboard_page

__all__ = ["PageFacts", "leaderboard_page"]
