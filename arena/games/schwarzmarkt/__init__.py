"""Schwarzmarkt: trading against a rising price, 3 to 5 players.

Rules S1 to S6 are in docs/rules/schwarzmarkt.md; track and cards are in cards.toml beside this.
"""

from arena.games.schwarzmarkt.game import Schwarzmarkt

__all__ = ["Schwarzmarkt"]
