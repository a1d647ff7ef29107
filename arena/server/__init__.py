"""The arena as a gRPC server: sessions of bots, the matches they play, and their spectators."""

from arena.grpc_settings import choose_settings

choose_settings()
