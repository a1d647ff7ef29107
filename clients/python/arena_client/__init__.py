"""Write a bot for the arena in Python."""

__version__ = "0.1.0"
