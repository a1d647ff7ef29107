"""Naming bots, and starting, watching and ending their processes."""
