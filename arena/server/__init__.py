"""The arena as a gRPC server: sessions of bots, the matches they play, and their spectators."""
