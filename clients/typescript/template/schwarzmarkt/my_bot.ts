/** {{name}}: plays Schwarzmarkt. This is the file to edit. */

import { SchwarzmarktBot, schwarzmarkt } from "arena-bots";

const { MoveType, wanted } = schwarzmarkt;

export class MyBot extends SchwarzmarktBot {
  static name = "{{name}}";
  static version = "1";

  /** Trades as much as it can, plays the offer that wants most of its goods, else does anything. */
  decide(decision: schwarzmarkt.Decision): schwarzmarkt.Move {
    const { goods } = decision.observation;
    const worth = (move: schwarzmarkt.Move): number => {
      if (move.type === MoveType.TRADE) return move.goods.length;
      return wanted(goods, move.card?.demand ?? []);
    };
    const best = decision.legalMoves.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    return worth(best) > 0 ? best : this.match.rng.choice(decision.legalMoves);
  }
}
