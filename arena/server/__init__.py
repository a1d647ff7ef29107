"""The arena as a gRPC server: sessions of bots, the matches they play, and their spectators."""

from arena.grpc_listener import choose_listener

choose_listener()
