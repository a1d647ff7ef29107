/**
 * One session with an arena, over as many connections as it takes.
 *
 *     CONNECTING --welcome--> PLAYING --goodbye, stop, failure--> LEAVING --end of stream--> ENDED
 *                              |   ^
 *           connection is lost |   | welcome with resumed
 *                              v   |
 *                            RESUMING
 *
 * CONNECTING and RESUMING give up after their timeout and when the arena refuses. A session that has
 * expired at the arena goes from RESUMING back to CONNECTING, its matches are lost.
 */

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { status, type StatusObject } from "@grpc/grpc-js";

import type { BotClass } from "./bot.js";
import { CALMED, openCall, openChannel, type Call } from "./channel.js";
import { Refused, Unreachable, type BotFailed } from "./errors.js";
import type { Players, PlayersListener } from "./players.js";
import { CONNECT_TIMEOUT_S, RESUME_TIMEOUT_S, type Settings } from "./settings.js";
import { inert, refusal, rejection, silenceHint } from "./texts.js";
import {
  Goodbye_Reason,
  PlayRequestSchema,
  PlayResponseSchema,
  type Goodbye,
  type Welcome,
} from "./v1/play_pb.js";
import { fieldOf, ResponseField } from "./wire.js";

const PROTOCOL = 1;
const WELCOME_MS = 10_000; // for the welcome after the hello
const GRACE_MS = 2_000; // for the arena to end the stream after a leave or a goodbye
const FIRST_PAUSE_MS = 50; // between attempts, doubling
const LAST_PAUSE_MS = 1_000;
const MAX_REASON = 1_000; // characters of a leave, by the protocol

const TRANSIENT: readonly status[] = [
  status.ABORTED,
  status.CANCELLED,
  status.DATA_LOSS,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.OK, // without a goodbye: something in between closed the stream
  status.UNAVAILABLE,
  status.UNKNOWN,
];

/** The name and version of this library, as a hello gives it. */
export const SDK = "arena-typescript 0.1.0";

/** Where a session stands. */
export type State = "connecting" | "playing" | "resuming" | "leaving" | "ended";

type Said = NonNullable<MessageInitShape<typeof PlayRequestSchema>["message"]>;
type Ended = Pick<StatusObject, "code" | "details">;

/** Plays matches with objects of a bot class until the arena says goodbye. */
export class Session implements PlayersListener {
  readonly #botClass: BotClass;
  readonly #settings: Settings;
  readonly #report: (line: string) => void;
  readonly #players: Players;
  readonly #stopping = new AbortController();
  #state: State = "connecting";
  #call: Call | undefined;
  #link = 0;
  #resumeToken: Uint8Array = new Uint8Array();
  #deadline = 0;
  #graceUntil = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #goodbye: Goodbye | undefined;
  #failure: BotFailed | undefined;

  /**
   * @param makePlayers returns where the bot objects live; they report to the session.
   * @param report takes a line for the author.
   */
  constructor(
    botClass: BotClass,
    settings: Settings,
    makePlayers: (listener: PlayersListener) => Players,
    report: (line: string) => void,
  ) {
    this.#botClass = botClass;
    this.#settings = settings;
    this.#report = report;
    this.#players = makePlayers(this);
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Plays until the arena says goodbye or stop() is called. To be called once.
   *
   * @throws BotFailed if the author's code failed; the arena has been told.
   * @throws Refused if the arena does not want this session.
   * @throws Unreachable if it cannot be reached, or not again.
   */
  async play(): Promise<void> {
    try {
      await Promise.race([this.#players.ready, once(this.#stopping.signal, "abort")]);
      this.#deadline = now() + 1000 * (this.#settings.connectTimeoutS ?? CONNECT_TIMEOUT_S);
      while (!this.#stopping.signal.aborted) {
        const ended = await this.#connect();
        if (this.#stopping.signal.aborted) break;
        await this.#afterLoss(ended);
      }
    } finally {
      this.#state = "ended";
      this.#players.close();
      await this.#players.settle(Math.max(0, this.#graceUntil - now()));
    }
    if (this.#failure) throw this.#failure;
    if (this.#goodbye?.reason === Goodbye_Reason.MISBEHAVED) {
      throw new Refused(`the arena ended the session: ${inert(this.#goodbye.message)}`);
    }
  }

  /** Leaves soon; play() returns then, without waiting for a decide() that still runs. */
  stop(reason: string): void {
    this.#end({ case: "leave", value: { reason } });
    this.#graceUntil = 0;
  }

  answered(link: number, request: Uint8Array): void {
    // Answers for a connection that was lost meanwhile are asked for again over the new one.
    if (link === this.#link && this.#state === "playing") this.#call?.write(request);
  }

  failed(failure: BotFailed): void {
    this.#failure ??= failure;
    const reason = [...inert(failure.reason)].slice(0, MAX_REASON).join("");
    this.#end({ case: "leave", value: { reason, failed: true } });
  }

  warned(text: string): void {
    this.#report(text);
  }

  /** Dials once and plays until the stream ends; returns with which status. */
  async #connect(): Promise<Ended> {
    const channel = openChannel(this.#settings);
    const call = openCall(channel);
    this.#call = call;
    let own: Ended | undefined;
    const giveUp = (details: string) => {
      own ??= { code: status.UNAVAILABLE, details };
      call.cancel();
    };
    const patience = setTimeout(() => giveUp("no welcome in time"), WELCOME_MS);
    call.on("data", (response: Uint8Array) => {
      try {
        this.#takeIn(response);
      } catch (error) {
        giveUp(`a message that cannot be read: ${error}`);
      }
      if (this.#state === "playing") clearTimeout(patience);
    });
    call.on("error", () => {}); // the status tells the same
    this.#sayHello();
    try {
      const given = await new Promise<Ended>((resolve) => call.on("status", resolve));
      return own ?? given;
    } finally {
      clearTimeout(patience);
      this.#call = undefined;
      channel.close();
    }
  }

  #sayHello(): void {
    const { name, version, games, maxMatches } = this.#botClass;
    const { token = "" } = this.#settings;
    const value = {
      ...{ protocol: PROTOCOL, token, bot: name, version, language: "typescript", sdk: SDK },
      ...{ games: [...games], maxMatches, batchesMatches: true, resumeToken: this.#resumeToken },
    };
    this.#say({ case: "hello", value });
  }

  /** Notes what the arena says. What this version does not know is ignored. */
  #takeIn(response: Uint8Array): void {
    const field = fieldOf(response);
    if (this.#state === "leaving" || field === 0) return;
    if (this.#state !== "playing" && field !== ResponseField.WELCOME) return;
    if (field >= ResponseField.MATCH_STARTED && field <= ResponseField.MATCH_ENDED) {
      this.#players.take(response);
      return;
    }
    const { message } = fromBinary(PlayResponseSchema, response);
    if (message.case === "welcome" && this.#state !== "playing") this.#welcome(message.value);
    else if (message.case === "rejected") this.#report(rejection(message.value));
    else if (message.case === "goodbye") {
      this.#goodbye = message.value;
      this.#report(`the arena says goodbye: ${inert(message.value.message)}`);
      this.#end(undefined);
    }
  }

  #welcome(welcome: Welcome): void {
    const { arena, bot, limits, resumed, resumeToken } = welcome;
    if (this.#resumeToken.length > 0 && !resumed) {
      this.#report("warning: the arena started a new session; the old matches are lost");
    } else if (this.#state === "resuming") {
      this.#report("the session was resumed");
    } else {
      const at = `${this.#settings.address} (arena ${inert(arena)})`;
      this.#report(`playing as ${inert(bot)} at ${at}`);
    }
    this.#resumeToken = resumeToken;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#state = "playing";
    const { maxMessageBytes = 0, maxNoteBytes = 0 } = limits ?? {};
    this.#players.connected({ number: ++this.#link, resumed, maxMessageBytes, maxNoteBytes });
  }

  /** Waits for the next attempt, or throws if there should be none. */
  async #afterLoss({ code, details }: Ended): Promise<void> {
    // Before the welcome: the arena has no room now. Later: the bot went too far.
    const isFull = code === status.RESOURCE_EXHAUSTED && this.#state !== "playing";
    if (this.#state === "playing") {
      this.#state = "resuming";
      this.#deadline = now() + 1000 * (this.#settings.resumeTimeoutS ?? RESUME_TIMEOUT_S);
      this.#report(`the connection was lost (${inert(details)}); trying to resume`);
    }
    const isResuming = this.#resumeToken.length > 0;
    if (isResuming && code === status.NOT_FOUND) {
      this.#report("warning: the session has expired at the arena; its matches are lost");
      this.#resumeToken = new Uint8Array();
      this.#players.close();
      this.#state = "connecting";
      return;
    }
    // An arena that has not noticed the loss itself takes the old connection for another bot.
    const isOwn = isResuming && code === status.ALREADY_EXISTS;
    const refuse = () => {
      const name = status[code] ?? String(code);
      return new Refused(refusal(name, details, this.#settings.address, PROTOCOL));
    };
    if (!TRANSIENT.includes(code) && !isOwn && !isFull && details !== CALMED) throw refuse();
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2); // not all bots at once
    this.#pauseMs = Math.min(2 * this.#pauseMs, LAST_PAUSE_MS);
    if (now() + pauseMs > this.#deadline) {
      if (isFull && details !== CALMED) throw refuse();
      throw new Unreachable(this.#unreachable(details));
    }
    await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  #unreachable(details: string): string {
    const { address, resumeTimeoutS = RESUME_TIMEOUT_S } = this.#settings;
    if (this.#state === "resuming") {
      const within = `within ${resumeTimeoutS} s (${inert(details)})`;
      return `the arena at ${address} went away and did not come back ${within}`;
    }
    const hint = silenceHint(details, this.#settings);
    return `no arena answers at ${address} (${inert(details)}): ${hint}`;
  }

  /** Begins to leave; without a message if the arena has said goodbye itself. */
  #end(leave: Said | undefined): void {
    if (this.#state === "leaving" || this.#state === "ended") return;
    const wasPlaying = this.#state === "playing";
    this.#state = "leaving";
    this.#graceUntil = now() + GRACE_MS;
    this.#stopping.abort();
    this.#players.close();
    const call = this.#call;
    if (!call) return;
    if (!wasPlaying) {
      call.cancel();
      return;
    }
    if (leave) this.#say(leave);
    call.end();
    const patience = setTimeout(() => call.cancel(), GRACE_MS);
    call.once("status", () => clearTimeout(patience));
  }

  #say(message: Said): void {
    this.#call?.write(toBinary(PlayRequestSchema, create(PlayRequestSchema, { message })));
  }
}

function now(): number {
  return performance.now();
}
