/** Schwarzmarkt: sells all it can at a decent price, and plays the offers that want its goods. */

import { SchwarzmarktBot, run } from "arena-bots";
import { wanted, type Decision, type Move } from "arena-bots/schwarzmarkt";

const DECENT = 1 / 4; // of the last price

/** Lets the price rise slowly: a short step leaves the next seat a price it will not like. */
class SensibleBot extends SchwarzmarktBot {
  static name = "sensible";
  static version = "1";

  /** Returns the move that looks best now. */
  decide(decision: Decision): Move {
    const seen = decision.observation;
    const isDecent = seen.price >= DECENT * seen.material.prices.at(-1)!;
    const value = (move: Move): number => {
      if (move.type === "trade") return isDecent ? move.goods.length : -100;
      if (move.type === "step") return -move.spaces;
      if (move.card?.isOffer) return wanted(seen.goods, move.card.demand);
      const same = move.goods.map((good) => seen.goods.filter((held) => held === good).length);
      const held = same.reduce((sum, count) => sum + count, 0); // find what is rare
      return move.type === "return" ? held : 0.5 - held;
    };
    const values = decision.legalMoves.map(value);
    return decision.legalMoves[values.indexOf(Math.max(...values))]!; // the first of the best
  }
}

await run(SensibleBot);
