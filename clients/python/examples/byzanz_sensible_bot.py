"""Byzanz: values a hand by the sales it makes or may make, and does what makes it worth most."""

from collections import Counter

from arena_client import ByzanzBot, run
from arena_client.byzanz import TRADER, Card, Decision, Move, MoveType, by_kind, counts, of_kind
from arena_client.byzanz import sale_points as points

HOPE = (0.0, 0.3, 0.65)  # what an incomplete sale of so many cards is worth, of its best card


def worth(hand: Counter[Card]) -> float:
    """Return about how many points a hand will make."""
    total = 1.3 * hand[TRADER]
    for group in by_kind(hand.elements()).values():
        values = sorted((card.value for card in group), reverse=True)
        sales, rest = divmod(len(values), 3)
        total += sum(values[:sales]) + HOPE[rest] * sum(values[sales : sales + 1])
    return total


class SensibleBot(ByzanzBot):
    """Looks one move ahead and thinks of nobody else."""

    name = "sensible"
    version = "1"

    def decide(self, decision: Decision) -> Move:
        """Return the move after which points and hand are worth most."""
        seen = decision.observation
        gains = {MoveType.PASS: seen.own.laid, MoveType.BID: seen.lot, MoveType.GIVE: seen.lot}

        def after(move: Move) -> float:
            if move.type is MoveType.DONE:
                return 0.0
            gain = of_kind(seen.market, move.kind) if move.kind else gains.get(move.type, ())
            hand = worth(counts(seen.hand, gain) - counts(move.cards))
            return hand + (points(move.cards) if move.type is MoveType.SELL else 0)

        return max(decision.legal_moves, key=after)


if __name__ == "__main__":
    run(SensibleBot)
