/** Byzanz: values a hand by the sales it makes or may make, and does what makes it worth most. */

import { ByzanzBot, run } from "arena-bots";
import { byKind, counts, ofKind, salePoints, TRADER } from "arena-bots/byzanz";
import type { Counts, Decision, Move } from "arena-bots/byzanz";

const HOPE = [0.0, 0.3, 0.65]; // what an incomplete sale of so many cards is worth, of its best card

/** Returns about how many points a hand will make. */
function worth(hand: Counts): number {
  let total = 1.3 * hand.of(TRADER);
  for (const group of byKind(hand.elements).values()) {
    const values = group.map((card) => card.value).sort((a, b) => b - a);
    const sales = Math.floor(values.length / 3);
    const sold = values.slice(0, sales).reduce((sum, value) => sum + value, 0);
    total += sold + HOPE[values.length % 3]! * (values[sales] ?? 0);
  }
  return total;
}

/** Looks one move ahead and thinks of nobody else. */
class SensibleBot extends ByzanzBot {
  static name = "sensible";
  static version = "1";

  /** Returns the move after which points and hand are worth most. */
  decide(decision: Decision): Move {
    const seen = decision.observation;
    const gains = { pass: seen.own.laid, bid: seen.lot, give: seen.lot };
    const after = (move: Move): number => {
      if (move.type === "done") return 0;
      const gain = gains[move.type as keyof typeof gains] ?? ofKind(seen.market, move.kind);
      const hand = worth(counts(seen.hand, gain).minus(counts(move.cards)));
      return hand + (move.type === "sell" ? salePoints(move.cards) : 0);
    };
    const values = decision.legalMoves.map(after);
    return decision.legalMoves[values.indexOf(Math.max(...values))]!; // the first of the best
  }
}

await run(SensibleBot);
