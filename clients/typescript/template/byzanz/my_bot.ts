/** {{name}}: plays Byzanz. This is the file to edit. */

import { ByzanzBot, byzanz } from "arena-bots";

const { MoveType, salePoints } = byzanz;

export class MyBot extends ByzanzBot {
  static name = "{{name}}";
  static version = "1";

  /** Sells what scores most, bids little, and else does anything. */
  decide(decision: byzanz.Decision): byzanz.Move {
    const sales = decision.movesOf(MoveType.SELL);
    if (sales.length > 0) {
      return sales.reduce((a, b) => (salePoints(b.cards) > salePoints(a.cards) ? b : a));
    }
    const { lot, high } = decision.observation;
    const [lowest] = decision.movesOf(MoveType.BID); // bids rise in value
    if (lowest && high < byzanz.value(lot) / 2) return lowest;
    const [pass] = decision.movesOf(MoveType.PASS);
    return pass ?? this.match.rng.choice(decision.legalMoves);
  }
}
