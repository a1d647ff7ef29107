"""Byzanz: auctions and sets, 3 to 6 players. Rules B1 to B7 are in docs/rules/byzanz.md."""

from arena.games.byzanz.game import Byzanz

__all__ = ["Byzanz"]
