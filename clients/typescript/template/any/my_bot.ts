/** {{name}}: plays every game. This is the file to edit. */

import { Bot, type Decision } from "arena-bots";

export class MyBot extends Bot {
  static name = "{{name}}";
  static version = "1";

  /** Returns a legal move or its index: now any of them. */
  decide(decision: Decision): number {
    return this.match.rng.int(decision.legalCount);
  }
}
