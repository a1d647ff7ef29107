"""What keeps a bot's process away from everything but its arena: levels, limits, probes."""
