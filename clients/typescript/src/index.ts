/** Write a bot for the arena in TypeScript or JavaScript. */

export { Bot, type BotClass } from "./bot.js";
export * as byzanz from "./byzanz.js";
export { ByzanzBot } from "./byzanz.js";
export { Decision, Move, type Choice } from "./decision.js";
export {
  ArenaClientError,
  BotFailed,
  IllegalChoice,
  Refused,
  Unreachable,
  UsageError,
} from "./errors.js";
export { Fault, Match, Outcome } from "./match.js";
export { play, run } from "./program.js";
export { Rng } from "./rng.js";
export * as schwarzmarkt from "./schwarzmarkt.js";
export { SchwarzmarktBot } from "./schwarzmarkt.js";
export type { Settings } from "./settings.js";
