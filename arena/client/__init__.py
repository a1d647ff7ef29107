"""The other end of the wire, for what the arena itself dials: built-in bots and spectators."""

from arena.grpc_settings import choose_settings

choose_settings()
