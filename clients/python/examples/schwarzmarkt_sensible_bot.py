"""Schwarzmarkt: sells all it can at a decent price, and plays the offers that want its goods."""

from arena_client import SchwarzmarktBot, run
from arena_client.schwarzmarkt import Decision, Move, MoveType, wanted

DECENT = 1 / 4  # of the last price


class SensibleBot(SchwarzmarktBot):
    """Lets the price rise slowly: a short step leaves the next seat a price it will not like."""

    name = "sensible"
    version = "1"

    def decide(self, decision: Decision) -> Move:
        """Return the move that looks best now."""
        seen = decision.observation
        is_decent = seen.price >= DECENT * seen.material.prices[-1]

        def value(move: Move) -> float:
            if move.type is MoveType.TRADE:
                return len(move.goods) if is_decent else -100
            if move.type is MoveType.STEP:
                return -move.spaces
            if move.card and move.card.is_offer:
                return wanted(seen.goods, move.card.demand)
            held = sum(seen.goods.count(good) for good in move.goods)  # find what is rare
            return held if move.type is MoveType.RETURN else 0.5 - held

        return max(decision.legal_moves, key=value)


if __name__ == "__main__":
    run(SensibleBot)
