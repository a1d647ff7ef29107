"""One runner for all SDKs: what the arena sends, and what a correct SDK does then."""
