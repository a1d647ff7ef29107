"""How a tournament's matches are played: in this process, by an arena, by workers, on Ray."""
