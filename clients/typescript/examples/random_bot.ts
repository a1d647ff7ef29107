/** Chooses any legal move. Plays every game. */

import { Bot, run, type Decision } from "arena-bots";

/** Knows nothing but how many legal moves there are. */
class RandomBot extends Bot {
  static name = "random";
  static version = "1";
  static maxMatches = 64;

  /** Returns the index of a legal move. */
  decide(decision: Decision): number {
    return this.match.rng.int(decision.legalCount);
  }
}

await run(RandomBot);
