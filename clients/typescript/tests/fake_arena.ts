/** A scripted arena: each connection is served by the next script of a list. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { Server, ServerCredentials, status, type ServerDuplexStream } from "@grpc/grpc-js";
import type { ArenaClientError, BotClass, Settings } from "arena-bots";
import {
  Goodbye_Reason,
  PlayRequestSchema,
  PlayResponseSchema,
  type Hello,
  type Leave,
  type PlayRequest,
} from "arena-bots/v1";

import { METHOD } from "#src/channel.js";
import { LocalPlayers, type PlayersListener } from "#src/players.js";
import { Session } from "#src/session.js";

import { decision, ended, started } from "./messages.js";

const READ_MS = 30_000; // a bot that says nothing for so long fails the test

export type Script = (link: Link) => Promise<void>;
export type Said = NonNullable<MessageInitShape<typeof PlayResponseSchema>["message"]>;
type Stream = ServerDuplexStream<Buffer, Buffer>;
type Found = [match: string, decision: number, index: number];

/** One connection from a bot, as the arena has it. */
export class Link {
  readonly received: PlayRequest[];
  readonly #stream: Stream;

  constructor(stream: Stream, received: PlayRequest[]) {
    this.#stream = stream;
    this.received = received;
  }

  /** Returns the next message of the bot; undefined when it has closed its side. */
  async read(): Promise<PlayRequest | undefined> {
    const stream = this.#stream;
    const signal = AbortSignal.timeout(READ_MS);
    let bytes: Buffer | null;
    while ((bytes = stream.read()) === null) {
      if (stream.readableEnded) return undefined;
      const aborting = new AbortController();
      const options = { signal: AbortSignal.any([signal, aborting.signal]) };
      await Promise.race([once(stream, "readable", options), once(stream, "end", options)]);
      aborting.abort();
    }
    const request = fromBinary(PlayRequestSchema, bytes);
    this.received.push(request);
    return request;
  }

  /** Returns the answers of the next message. */
  async answers(): Promise<Found[]> {
    const message = (await this.read())?.message;
    assert(message?.case === "answers", `answers, not ${message?.case}`);
    return message.value.answers.map(({ matchId, decisionId, moveIndex }) => {
      assert(moveIndex !== undefined, "an answer without an index");
      return [matchId, decisionId, moveIndex];
    });
  }

  /** Returns the leave that must come next, and waits until the bot has closed its side. */
  async leave(): Promise<Leave> {
    const message = (await this.read())?.message;
    assert(message?.case === "leave", `a leave, not ${message?.case}`);
    assert.equal(await this.read(), undefined);
    return message.value;
  }

  send(message: Said): void {
    this.sendBytes(toBinary(PlayResponseSchema, create(PlayResponseSchema, { message })));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#stream.write(Buffer.from(bytes));
  }

  /** Reads the hello, sends a welcome and returns the hello. */
  async welcome({ resumed = false, token = "r1", limits = {} } = {}): Promise<Hello> {
    const message = (await this.read())?.message;
    assert(message?.case === "hello", `a hello, not ${message?.case}`);
    const resumeToken = Buffer.from(token);
    const value = { session: "s1", resumeToken, resumed, arena: "0.1.0", bot: "mine", limits };
    this.send({ case: "welcome", value });
    return message.value;
  }

  /** Gives the bot a seat in some matches. */
  start(...matchIds: string[]): void {
    for (const matchId of matchIds) this.send({ case: "matchStarted", value: started(matchId) });
  }

  /** Asks decisions, given by match and id, in one message. */
  ask(...questions: [match: string, decision: number][]): void {
    const decisions = questions.map(([matchId, id]) => decision(matchId, id));
    this.send({ case: "decisions", value: { decisions } });
  }

  end(matchId: string): void {
    this.send({ case: "matchEnded", value: ended(matchId) });
  }

  /** Says goodbye and waits until the bot has closed its side. */
  async goodbye(reason: Goodbye_Reason = Goodbye_Reason.FINISHED): Promise<void> {
    this.send({ case: "goodbye", value: { reason, message: "that was all" } });
    assert.equal(await this.read(), undefined);
  }

  /** Ends the stream with a status. */
  abort(code: status, details = "because"): void {
    this.#stream.emit("error", { code, details });
  }

  /** Ends the stream in order. */
  close(): void {
    this.#stream.end();
  }
}

/** Serves the scripts, one per connection, in order. */
export class FakeArena {
  readonly received: PlayRequest[][] = [];
  readonly scripts: Script[];
  address: string;
  readonly #failures: unknown[] = [];
  #server: Server | undefined;

  constructor(address: string, scripts: Script[]) {
    this.address = address;
    this.scripts = scripts;
  }

  async listen(): Promise<void> {
    const server = new Server();
    const asIs = (bytes: Buffer): Buffer => bytes;
    const codec = { requestSerialize: asIs, requestDeserialize: asIs };
    const answer = { responseSerialize: asIs, responseDeserialize: asIs };
    const Play = {
      path: METHOD,
      requestStream: true,
      responseStream: true,
      ...codec,
      ...answer,
    };
    server.addService({ Play }, { Play: (stream: Stream) => void this.#play(stream) });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(this.address, ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
    this.address = this.address.replace(/:0$/, `:${port}`);
    this.#server = server;
  }

  /** Cuts all connections and stops listening. */
  cut(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
  }

  /** Stops, and throws what went wrong in a script. */
  stop(): void {
    this.cut();
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #play(stream: Stream): Promise<void> {
    const received: PlayRequest[] = [];
    this.received.push(received);
    stream.on("error", () => {}); // a bot that goes away is for the scripts to judge
    try {
      const script = this.scripts.shift();
      assert(script, "one connection more than scripts");
      const link = new Link(stream, received);
      await script(link);
      link.close();
    } catch (error) {
      this.#failures.push(error);
      stream.emit("error", { code: status.INVALID_ARGUMENT, details: "the test has failed" });
    }
  }
}

/** How a session went. */
export interface Played {
  readonly received: PlayRequest[][];
  readonly lines: string[];
  readonly error: ArenaClientError | undefined;
}

/** Lets a bot play against scripts on this thread, and returns how it went. */
export async function play(
  botClass: BotClass,
  scripts: Script[],
  settings: Partial<Settings> = {},
): Promise<Played> {
  const arena = new FakeArena(freshAddress(), scripts);
  await arena.listen();
  const lines: string[] = [];
  const chosen = { address: arena.address, resumeTimeoutS: 5, ...settings };
  let error: ArenaClientError | undefined;
  try {
    await makeSession(botClass, chosen, (line) => lines.push(line)).play();
  } catch (thrown) {
    error = thrown as ArenaClientError;
  }
  arena.stop();
  assert(arena.scripts.length === 0 || error, "a script was not used");
  return { received: arena.received, lines, error };
}

/** Returns a session whose bot objects live on this thread. */
export function makeSession(
  botClass: BotClass,
  settings: Settings,
  report: (line: string) => void = () => {},
): Session {
  const makePlayers = (listener: PlayersListener) => new LocalPlayers(botClass, listener);
  return new Session(botClass, settings, makePlayers, report);
}

/** Returns an address that nobody else uses. */
export function freshAddress(): string {
  return `unix:${join(freshDirectory(), "arena")}`;
}

/** Returns a new directory, which is removed when the tests of a file have ended. */
export function freshDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "arena-ts-"));
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

process.setMaxListeners(0); // one for each directory
