/** What the author of a bot writes: a class with decide(), one object per match. */

import { inspect } from "node:util";

import type { Choice, Decision } from "./decision.js";
import { UsageError } from "./errors.js";
import type { Match, Outcome } from "./match.js";

const MAX_NAME = 64; // characters, by the protocol

/**
 * What Bot, ByzanzBot and SchwarzmarktBot share. Derive from one of those.
 *
 * One object is made per match, so that what it keeps in its fields belongs to one match.
 */
export abstract class GameBot<M extends Match, D extends Decision> {
  /** Its version, shown in replays and leaderboards. Its name is that of the class, or `static name`. */
  static readonly version: string = "";
  /** The games it plays. Empty means every game. */
  static readonly games: readonly string[] = [];
  /** How many matches it takes at once. */
  static readonly maxMatches: number = 16;

  /** The match this object plays. */
  readonly match: M;

  constructor(match: M) {
    this.match = match;
  }

  /**
   * Returns one of decision.legalMoves or its index.
   *
   * A plain function is asked about one match after another. Async ones think about several matches
   * at once, and match.signal tells them when to stop.
   */
  abstract decide(decision: D): Choice | Promise<Choice>;

  /** Called once when the match has ended; the object is dropped afterwards. */
  ended(_outcome: Outcome): void | Promise<void> {}
}

/** A bot for any game: it knows how many legal moves there are, and asks which game it is. */
export abstract class Bot extends GameBot<Match, Decision> {}

/** A class derived from Bot, ByzanzBot or SchwarzmarktBot. */
export interface BotClass {
  // any: which match and which decision a class takes follows from its games.
  new (match: any): GameBot<any, any>;
  readonly name: string;
  readonly version: string;
  readonly games: readonly string[];
  readonly maxMatches: number;
}

/** Throws UsageError if a bot class has a field that the arena would refuse. */
export function checkBot(botClass: BotClass): void {
  const given: unknown = botClass;
  if (typeof given !== "function" || !(given.prototype instanceof GameBot)) {
    throw new UsageError(`run() takes a class derived from Bot, not ${inspect(given)}`);
  }
  const { name, version, games, maxMatches, prototype } = botClass as BotClass & Function;
  const wrong = (field: string, must: string, value: unknown): UsageError =>
    new UsageError(`${inspect(name)}: ${field} must be ${must}: ${inspect(value)}`);
  if (typeof prototype.decide !== "function") {
    throw new UsageError(`${inspect(name)} must have a method decide(decision)`);
  }
  if (!Array.isArray(games) || !games.every((game) => typeof game === "string")) {
    throw wrong("games", 'a list of names, such as ["byzanz"]', games);
  }
  for (const [field, text] of Object.entries({ name, version })) {
    if (typeof text !== "string" || [...text].length > MAX_NAME) {
      throw wrong(field, "a text of up to 64 characters", text);
    }
  }
  if (!name) throw new UsageError("the class needs a name: give it one, or a static name");
  if (!Number.isInteger(maxMatches) || maxMatches < 1) {
    throw wrong("maxMatches", "1 or more", maxMatches);
  }
}
