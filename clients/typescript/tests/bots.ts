/** Bots that tests of the SDK play with. */

import { Bot, type Choice, type Decision, type Match, type Outcome } from "arena-bots";

/** Always chooses the first legal move. */
export class First extends Bot {
  static name = "first";
  static version = "3";
  static games = ["byzanz", "schwarzmarkt"];
  static maxMatches = 64;

  decide(_decision: Decision): Choice | Promise<Choice> {
    return 0;
  }
}

/** Returns a new class that notes what it is asked and told, and how long each decision takes. */
export function recording(pauseMs = 0) {
  return class Recording extends Bot {
    static asked: [match: string, decision: number][] = [];
    static outcomes: Outcome[] = [];
    static objects: Bot[] = [];

    constructor(match: Match) {
      super(match);
      Recording.objects.push(this);
    }

    decide(decision: Decision): Choice {
      block(pauseMs);
      Recording.asked.push([this.match.id, decision.id]);
      return 1;
    }

    override ended(outcome: Outcome): void {
      Recording.outcomes.push(outcome);
    }
  };
}

/** Keeps the thread for a while, as a bot that thinks does. */
export function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
