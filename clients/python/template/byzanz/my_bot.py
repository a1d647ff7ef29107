"""The bot. Plays Byzanz."""

from arena_client import ByzanzBot, run
from arena_client.byzanz import Decision, Move, MoveType, sale_points


class MyBot(ByzanzBot):
    """One object plays one match: what it keeps in self belongs to that match."""

    name = "{{name}}"
    version = "1"

    def decide(self, decision: Decision) -> Move:
        """Return a legal move: the best sale there is, or else any, by chance."""
        sales = decision.moves_of(MoveType.SELL)
        if sales:
            return max(sales, key=lambda move: sale_points(move.cards))
        return self.match.rng.choice(decision.legal_moves)


if __name__ == "__main__":
    run(MyBot)
