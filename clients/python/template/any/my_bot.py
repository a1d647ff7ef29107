"""The bot. Plays every game."""

from arena_client import Bot, Decision, run


class MyBot(Bot):
    """One object plays one match: what it keeps in self belongs to that match."""

    name = "{{name}}"
    version = "1"

    def decide(self, decision: Decision) -> int:
        """Return the index of a legal move: here any, by chance."""
        return self.match.rng.randrange(decision.legal_count)


if __name__ == "__main__":
    run(MyBot)
