"""Byzanz: values a hand by the sales it makes or may make, and does what makes it worth most."""

from collections import Counter

from arena_client import ByzanzBot, run
from arena_client.byzanz import TRADER, Card, Decision, Kind, Move, Phase, counts, of_kind, sale_points


def worth(hand: Counter[Card], rounds_left: int) -> float:
    """Return about how many points a hand will make; in the end only complete sales count."""
    hope = (0.0, 0.2, 0.6) if rounds_left else (0.0, 0.0, 0.0)  # by cards of an incomplete sale
    total = hand[TRADER] * (1.2 if rounds_left else 0.5)
    for kind in set(Kind) - {Kind.TRADER}:
        values = sorted((card.value for card in of_kind(hand.elements(), kind)), reverse=True)
        sales, rest = divmod(len(values), 3)
        total += sum(values[:sales]) + hope[rest] * sum(values[sales : sales + 1])
    return total


class SensibleBot(ByzanzBot):
    """Looks one move ahead."""

    name = "sensible"
    version = "1"

    def decide(self, decision: Decision) -> Move:
        """Return the move after which the hand is worth most."""
        seen, moves = decision.observation, decision.legal_moves
        if seen.phase in (Phase.LIMIT, Phase.FINAL):
            return max(moves, key=lambda move: sale_points(move.cards) if len(move.cards) == 3 else 0)
        return moves[0]


if __name__ == "__main__":
    run(SensibleBot)
