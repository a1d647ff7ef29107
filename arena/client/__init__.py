"""The other end of the wire, for what the arena itself dials: built-in bots and spectators."""

import arena.grpc_settings  # noqa: F401 - before anything here imports gRPC
