"""High Card, a game for arena."""
