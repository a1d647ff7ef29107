"""The other end of the wire, for what the arena itself dials: built-in bots and spectators."""
