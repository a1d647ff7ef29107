/** The bot of the conformance tests. */

import { setTimeout as sleep } from "node:timers/promises";

import {
  Bot,
  type BotClass,
  type Choice,
  type Decision,
  type Match,
  type Outcome,
} from "arena-bots";

/** Returns the bot as the variables of the environment say now. */
export function conformanceBot(): BotClass {
  const { env } = process;
  const behaviour = env["CONFORMANCE"] || "first";
  const delayMs = Number(env["CONFORMANCE_DELAY_MS"] || 1000);
  const workers = Number(env["CONFORMANCE_WORKERS"] || 1);

  /** One object a match, as every bot. */
  return class ConformanceBot extends Bot {
    static name = "conformance";
    static version = "1";
    static games = (env["CONFORMANCE_GAMES"] ?? "").split(" ").filter(Boolean);
    static maxMatches = Number(env["CONFORMANCE_MAX_MATCHES"] || 8);

    asked = 0;

    constructor(match: Match) {
      super(match);
      if (behaviour === "fail_on_start") throw new Error("the author's mistake");
    }

    /** Does what the scenario wants to see. */
    decide(decision: Decision): Choice | Promise<Choice> {
      this.asked++;
      switch (behaviour) {
        case "last": {
          const move = decision.legalMoves.at(-1)!;
          decision.note = move.text;
          return move;
        }
        case "illegal":
          return decision.legalCount;
        case "fail":
          throw new Error("the author's mistake");
        case "slow":
          return this.#decideSlowly(decision);
        case "count":
          decision.note = String(this.asked);
          break;
        case "seed":
          decision.note = Buffer.from(this.match.message.botSeed).toString("hex");
          break;
        case "note":
          decision.note = "é".repeat(2000);
          break;
      }
      return 0;
    }

    /** Tells that it was told. */
    override ended(outcome: Outcome): void {
      if (behaviour === "fail_on_end") throw new Error("the author's mistake");
      const told = outcome.isVoid ? "void" : `rank ${outcome.rank} score ${outcome.score}`;
      console.log("ended", this.match.id, told);
    }

    /** Several matches at once are for async functions; a plain one has its thread for itself. */
    #decideSlowly(decision: Decision): Choice | Promise<Choice> {
      console.log("deciding", this.match.id, decision.id);
      const decided = () => {
        console.log("decided", this.match.id, decision.id);
        return 0;
      };
      if (workers > 1) return sleep(delayMs).then(decided);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
      return decided();
    }
  };
}
