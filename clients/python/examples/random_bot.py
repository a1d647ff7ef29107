"""Chooses any legal move. Plays every game."""

from arena_client import Bot, Decision, run


class RandomBot(Bot):
    """Knows nothing but how many legal moves there are."""

    name = "random"
    version = "1"
    max_matches = 64

    def decide(self, decision: Decision) -> int:
        """Return the index of a legal move."""
        return self.match.rng.randrange(decision.legal_count)


if __name__ == "__main__":
    run(RandomBot)
