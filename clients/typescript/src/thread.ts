/**
 * The bot objects on a thread of their own.
 *
 * A plain decide() leaves its thread no time for anything else: on that of the connection the pings
 * of the arena would go unanswered, which takes a silent bot for a dead one, and signals would wait.
 * So the program is started a second time, on a worker thread, where run() plays instead of dialling.
 */

import { writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import type { BotClass } from "./bot.js";
import { BotFailed, IllegalChoice } from "./errors.js";
import { LocalPlayers, type Link, type Players, type PlayersListener } from "./players.js";

const MARK = "arena-bots: the thread of the bot";

type Order =
  | { readonly do: "connected"; readonly link: Link }
  | { readonly do: "take"; readonly response: Uint8Array }
  | { readonly do: "close" }
  | { readonly do: "settle"; readonly timeoutMs: number };

type News =
  | { readonly is: "answered"; readonly link: number; readonly request: Uint8Array }
  | { readonly is: "failed"; readonly failure: Failure }
  | { readonly is: "warned"; readonly text: string }
  | { readonly is: "ready" }
  | { readonly is: "settled" };

/** A BotFailed as it crosses threads. */
type Failure = Pick<BotFailed, "message" | "reason" | "trace"> & { readonly isIllegal: boolean };

/** Whether this is the thread that was started for the bot objects. */
export const isBotThread = !isMainThread && workerData === MARK;

/** All matches of a session, on a thread that runs a program which calls run(). */
export class ThreadPlayers implements Players {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  #isOver = false;
  #isGone = false;
  #isReady = () => {};
  #isSettled = () => {};

  constructor(program: string, listener: PlayersListener) {
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
    this.#worker = new Worker(program, { workerData: MARK, argv: process.argv.slice(2) });
    this.#worker.on("message", (news: News) => this.#hear(news, listener));
    this.#worker.on("error", (error) => {
      if (!this.#isOver) listener.failed(BotFailed.by("the bot", error));
    });
    this.#worker.on("exit", (code) => {
      this.#isGone = true;
      this.#isReady();
      this.#isSettled();
      if (!this.#isOver) listener.failed(new BotFailed(gone(code)));
    });
  }

  connected(link: Link): void {
    this.#order({ do: "connected", link });
  }

  take(response: Uint8Array): void {
    this.#order({ do: "take", response });
  }

  close(): void {
    this.#order({ do: "close" });
  }

  async settle(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      if (this.#isGone) return resolve(); // nobody is left to say so
      this.#isSettled = resolve;
      timer = setTimeout(resolve, timeoutMs);
      this.#order({ do: "settle", timeoutMs });
    });
    clearTimeout(timer);
    this.#isOver = true;
    await this.#worker.terminate(); // breaks off whatever still runs
  }

  #hear(news: News, listener: PlayersListener): void {
    if (news.is === "answered") listener.answered(news.link, news.request);
    else if (news.is === "warned") listener.warned(news.text);
    else if (news.is === "ready") this.#isReady();
    else if (news.is === "settled") this.#isSettled();
    else {
      const { failure } = news;
      const Failed = failure.isIllegal ? IllegalChoice : BotFailed;
      listener.failed(new Failed(failure.message, failure));
    }
  }

  #order(order: Order): void {
    this.#worker.postMessage(order);
  }
}

/** Plays on the thread of the bot, by order of ThreadPlayers. */
export function playOnBotThread(botClass: BotClass): void {
  const port = parentPort;
  if (!port) throw new Error("playOnBotThread() is for the thread that ThreadPlayers starts");
  printAtOnce(process.stdout, 1);
  printAtOnce(process.stderr, 2);
  const tell = (news: News) => port.postMessage(news);
  const players = new LocalPlayers(botClass, {
    answered: (link, request) => tell({ is: "answered", link, request }),
    failed: (failure) => {
      const { message, reason, trace } = failure;
      const isIllegal = failure instanceof IllegalChoice;
      tell({ is: "failed", failure: { message, reason, trace, isIllegal } });
    },
    warned: (text) => tell({ is: "warned", text }),
  });
  port.on("message", (order: Order) => {
    if (order.do === "take") players.take(order.response);
    else if (order.do === "connected") players.connected(order.link);
    else if (order.do === "close") players.close();
    else void players.settle(order.timeoutMs).then(() => tell({ is: "settled" }));
  });
  tell({ is: "ready" });
}

/** Lets what the author prints go out at once; a worker's streams wait until it has nothing to do. */
function printAtOnce(stream: Writable, fd: number): void {
  stream._writev = (chunks, done) => {
    try {
      for (const { chunk, encoding } of chunks) writeAll(fd, Buffer.from(chunk, encoding));
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(fd, bytes, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a pipe that is full
    }
  }
}

function gone(code: number): string {
  const why = "run() must be called there too, and process.exit() must not";
  return `the program ended on the thread of the bot (exit code ${code}): ${why}`;
}
