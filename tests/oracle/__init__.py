"""Second implementations of the games, written from the rules alone, that judge replays."""
