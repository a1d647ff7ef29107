"""arena: bot-programming competitions for card games with hidden information."""

from arena.compiled import load_compiled

__version__ = "0.1.0"

load_compiled()
