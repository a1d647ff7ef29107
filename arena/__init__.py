"""arena: bot-programming competitions for card games with hidden information."""

__version__ = "0.1.0"
