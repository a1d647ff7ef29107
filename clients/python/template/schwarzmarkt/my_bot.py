"""The bot. Plays Schwarzmarkt."""

from arena_client import SchwarzmarktBot, run
from arena_client.schwarzmarkt import Decision, Move, MoveType


class MyBot(SchwarzmarktBot):
    """One object plays one match: what it keeps in self belongs to that match."""

    name = "{{name}}"
    version = "1"

    def decide(self, decision: Decision) -> Move:
        """Return a legal move: the trade of most goods, or else any, by chance."""
        trades = decision.moves_of(MoveType.TRADE)
        if trades:
            return max(trades, key=lambda move: len(move.goods))
        return self.match.rng.choice(decision.legal_moves)


if __name__ == "__main__":
    run(MyBot)
