/** A bot as a program: settings, signals, messages on stderr and exit codes. */

import { statSync } from "node:fs";
import { constants } from "node:os";
import { basename } from "node:path";

import { checkBot, type BotClass } from "./bot.js";
import { ArenaClientError, BotFailed } from "./errors.js";
import { LocalPlayers, type Players, type PlayersListener } from "./players.js";
import { help, readSettings, type Settings } from "./settings.js";
import { isBotThread, playOnBotThread, ThreadPlayers } from "./thread.js";

const INTERRUPTED = 128 + constants.signals.SIGINT; // what shells give for Ctrl-C

/**
 * Plays with a bot until the arena says goodbye, then ends the program. Call it last.
 *
 * Reads ARENA_ADDRESS, ARENA_TOKEN and the other variables; flags of the same names count more. The
 * program is started once more on a thread of its own, and there the objects of the bot are made.
 *
 * Exit codes: 0 after a goodbye or SIGTERM, 1 the bot's own code failed, 2 bad usage or refused by
 * the arena, 3 the arena cannot be reached, 130 Ctrl-C.
 *
 * @param botClass one object of it is made per match.
 * @param flags those of the command line if absent, none if empty.
 */
export async function run(
  botClass: BotClass,
  flags: readonly string[] = process.argv.slice(2),
): Promise<never> {
  if (isBotThread) {
    playOnBotThread(botClass);
    return await new Promise(() => {}); // the main thread ends this one
  }
  process.exit(await codeOf(botClass, flags));
}

/**
 * Plays until the arena says goodbye or a signal comes; returns the exit code.
 *
 * All of it happens on this thread: a plain decide() that takes longer than three seconds lets the
 * arena take the bot for dead, and signals wait for it. run() has neither limit.
 *
 * @throws ArenaClientError if it ended in another way.
 */
export async function play(botClass: BotClass, settings: Settings): Promise<number> {
  return await playWith(botClass, settings, (listener) => new LocalPlayers(botClass, listener));
}

/** Writes a line for the author of the bot to stderr. */
export function report(text: string): void {
  process.stderr.write(`arena_client: ${text}\n`);
}

/** Does all that run() does but end the program; returns the exit code. Not for the bot's thread. */
export async function codeOf(botClass: BotClass, flags: readonly string[]): Promise<number> {
  const program = process.argv[1] ?? "";
  try {
    checkBot(botClass);
    const settings = readSettings(flags, process.env);
    if (!settings) {
      console.log(help(basename(program)));
      return 0;
    }
    // A program that is no file (node -e) cannot be started again.
    const hasFile = statSync(program, { throwIfNoEntry: false })?.isFile() ?? false;
    if (!hasFile) return await play(botClass, settings);
    return await playWith(botClass, settings, (listener) => new ThreadPlayers(program, listener));
  } catch (error) {
    if (!(error instanceof ArenaClientError)) throw error;
    if (error instanceof BotFailed && error.trace) process.stderr.write(`${error.trace}\n`);
    report(error.message);
    return error.exitCode;
  }
}

async function playWith(
  botClass: BotClass,
  settings: Settings,
  makePlayers: (listener: PlayersListener) => Players,
): Promise<number> {
  const { Session } = await import("./session.js"); // gRPC is of no use to the thread of the bot
  const session = new Session(botClass, settings, makePlayers, report);
  let code = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === "SIGINT") code = INTERRUPTED;
    session.stop(`stopped by ${signal}`);
  };
  // An exception of the author's that nobody waits for, such as one in a timer.
  const onException = (error: unknown) => session.failed(BotFailed.by("the bot", error));
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("uncaughtException", onException);
  try {
    await session.play();
    return code;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("uncaughtException", onException);
  }
}
