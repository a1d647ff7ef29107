"""The arena as a gRPC server: sessions of bots, the matches they play, and their spectators."""

import arena.grpc_settings  # noqa: F401 - before anything here imports gRPC
