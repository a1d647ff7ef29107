/**
 * Why a bot program ends before its time. Each class carries the exit code of the process.
 *
 *     ArenaClientError
 *     ├── BotFailed            1: the author's own code failed; the cause is kept
 *     │   └── IllegalChoice    1: decide() returned what is not a legal move; nothing was sent
 *     ├── UsageError           2: a setting or a field of the bot class is missing or wrong
 *     ├── Refused              2: the arena does not want this session; trying again would not help
 *     └── Unreachable          3: no arena answers, or it went away and did not come back in time
 */

import { inspect } from "node:util";

/** The base of everything this package throws on purpose. */
export abstract class ArenaClientError extends Error {
  abstract readonly exitCode: number;

  override get name(): string {
    return this.constructor.name;
  }
}

/** The author's own code failed. */
export class BotFailed extends ArenaClientError {
  readonly exitCode = 1;
  /** One line that says what happened, for the arena. */
  readonly reason: string;
  /** The stack of the author's code; empty if there is none to show. */
  readonly trace: string;

  constructor(message: string, { reason = firstLine(message), trace = "" } = {}) {
    super(message);
    this.reason = reason;
    this.trace = trace;
  }

  /** Returns the failure of some code of the author, by what it threw. */
  static by(where: string, thrown: unknown): BotFailed {
    const what = describe(thrown);
    const trace = traceOf(thrown);
    return new BotFailed(`${where} failed: ${what}`, { reason: firstLine(what), trace });
  }
}

/** What decide() returned is not one of the legal moves; nothing was sent. */
export class IllegalChoice extends BotFailed {}

/** A setting or a field of the bot class is missing or makes no sense. */
export class UsageError extends ArenaClientError {
  readonly exitCode = 2;
}

/** The arena does not want this session, and trying again would not help. */
export class Refused extends ArenaClientError {
  readonly exitCode = 2;
}

/** No arena answers at the address, or it went away and did not come back in time. */
export class Unreachable extends ArenaClientError {
  readonly exitCode = 3;
}

const HERE = new URL(".", import.meta.url).href;

function describe(thrown: unknown): string {
  return thrown instanceof Error
    ? `${thrown.name}: ${thrown.message}`
    : `thrown: ${inspect(thrown)}`;
}

/** Returns the stack of what was thrown, without the frames of this package that called the author. */
function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return describe(thrown);
  const lines = (thrown.stack ?? describe(thrown)).split("\n");
  return lines.filter((line) => !line.startsWith("    at ") || !line.includes(HERE)).join("\n");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
