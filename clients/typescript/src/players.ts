/** The bot objects of a session, what they have been asked, and what they answered. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

import type { BotClass, GameBot } from "./bot.js";
import * as byzanz from "./byzanz.js";
import { Decision } from "./decision.js";
import { BotFailed } from "./errors.js";
import { Match, Outcome } from "./match.js";
import * as schwarzmarkt from "./schwarzmarkt.js";
import {
  AnswerSchema,
  MatchEndedSchema,
  MatchStartedSchema,
  PlayRequestSchema,
  PlayResponseSchema,
  type Answer,
  type MatchEnded,
  type MatchStarted,
} from "./v1/play_pb.js";
import { batchOf, fieldOf, ResponseField, type EncodedDecision } from "./wire.js";

export const FLUSH_MS = 50; // answers that are found wait no longer than this for others

/** What is new with a connection that has been welcomed. */
export interface Link {
  /** Counts the connections of a session. */
  readonly number: number;
  /** Whether an earlier session goes on. If not, all matches are lost. */
  readonly resumed: boolean;
  readonly maxMessageBytes: number;
  readonly maxNoteBytes: number;
}

/** What a session tells the bot objects, wherever they live. */
export interface Players {
  /** Resolved when they can be asked; before that the clock of a first decision must not run. */
  readonly ready: Promise<void>;
  /** A new connection has been welcomed. */
  connected(link: Link): void;
  /** Takes in a PlayResponse: a match has started or ended, or decisions are asked. */
  take(response: Uint8Array): void;
  /** Drops all matches, and tells what still thinks to stop. */
  close(): void;
  /** Waits for the author's ended() to return; the objects are not needed any more. */
  settle(timeoutMs: number): Promise<void>;
}

/** What a session hears of them. */
export interface PlayersListener {
  /** Answers have been found, in a PlayRequest for the connection of this number. */
  answered(link: number, request: Uint8Array): void;
  /** The author's code has failed. */
  failed(failure: BotFailed): void;
  /** There is a line for the author. */
  warned(text: string): void;
}

interface Player {
  readonly bot: GameBot<Match, Decision>;
  readonly match: Match;
  readonly ending: AbortController;
  /** The id of the last decision; ids rise. */
  asked: number;
  /** The answer to it, once there is one. */
  answer: Answer | undefined;
  /** The connection it was asked over last. */
  link: number;
  isThinking: boolean;
  /** What was asked while it was thinking. */
  readonly held: EncodedDecision[];
}

type Classes = readonly [typeof Match, typeof Decision];

const ANY_GAME: Classes = [Match, Decision];
const GAMES: ReadonlyMap<string, Classes> = new Map([
  ["byzanz", [byzanz.Match, byzanz.Decision]],
  ["schwarzmarkt", [schwarzmarkt.Match, schwarzmarkt.Decision]],
]);

/** All matches of a session, on this thread. Knows nothing of the network. */
export class LocalPlayers implements Players {
  readonly ready = Promise.resolve();
  readonly #botClass: BotClass;
  readonly #listener: PlayersListener;
  readonly #players = new Map<string, Player>();
  readonly #waiting: [Player, EncodedDecision][] = [];
  readonly #endings = new Set<Promise<void>>();
  #ready: Answer[] = [];
  #thinking = 0;
  #isLate = false; // the last turn took so long that answers should go out
  #link: Link = { number: 0, resumed: false, maxMessageBytes: 0, maxNoteBytes: 0 };
  #next: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(botClass: BotClass, listener: PlayersListener) {
    this.#botClass = botClass;
    this.#listener = listener;
  }

  connected(link: Link): void {
    this.#link = link;
    this.#ready = []; // what is still open will be asked again
    if (!link.resumed) this.close();
  }

  close(): void {
    for (const player of this.#players.values()) player.ending.abort();
    this.#players.clear();
    this.#waiting.length = 0;
    this.#ready = [];
  }

  take(response: Uint8Array): void {
    if (fieldOf(response) === ResponseField.DECISIONS) {
      const { ended, started, decisions } = batchOf(response);
      for (const bytes of ended) this.#end(fromBinary(MatchEndedSchema, bytes));
      for (const bytes of started) this.#start(fromBinary(MatchStartedSchema, bytes));
      this.#ask(decisions);
      return;
    }
    const { message } = fromBinary(PlayResponseSchema, response);
    if (message.case === "matchStarted") this.#start(message.value);
    else if (message.case === "matchEnded") this.#end(message.value);
  }

  async settle(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([Promise.all(this.#endings), timeout]);
    clearTimeout(timer);
  }

  /** Makes the bot object of a match; a match that is known already goes on. */
  #start(message: MatchStarted): void {
    if (this.#players.has(message.matchId)) return;
    const [MatchClass] = GAMES.get(message.game) ?? ANY_GAME;
    const ending = new AbortController();
    const match = new MatchClass(message, ending.signal);
    try {
      const bot = new this.#botClass(match);
      const fresh = { asked: 0, answer: undefined, link: 0, isThinking: false, held: [] };
      this.#players.set(match.id, { bot, match, ending, ...fresh });
    } catch (error) {
      this.#fail("constructor", match, error);
    }
  }

  /** Queues decisions. One that was asked before is never decided twice. */
  #ask(decisions: readonly EncodedDecision[]): void {
    for (const asked of decisions) {
      const player = this.#players.get(asked.matchId);
      if (!player) continue; // its match has ended in the meantime
      player.link = this.#link.number;
      if (asked.decisionId > player.asked) {
        player.asked = asked.decisionId;
        player.answer = undefined;
        this.#waiting.push([player, asked]);
      } else if (asked.decisionId === player.asked && player.answer) {
        // It got lost with the last connection, unless it is about to be sent.
        if (!this.#ready.includes(player.answer)) this.#ready.push(player.answer);
      }
    }
    this.#goOnSoon();
  }

  /** Goes on after all that has arrived by then was taken in. */
  #goOnSoon(): void {
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      this.#goOn();
    });
  }

  /** Decides what waits, until answers should wait no longer; sends them in the next turn. */
  #goOn(): void {
    if (this.#waiting.length === 0 || this.#isLate) this.#announce();
    const until = performance.now() + FLUSH_MS;
    this.#isLate = false;
    while (!this.#isLate) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#decideOne(...next);
      this.#isLate = performance.now() > until;
    }
    if (this.#waiting.length > 0 || (this.#ready.length > 0 && !this.#timer)) this.#goOnSoon();
  }

  #decideOne(player: Player, asked: EncodedDecision): void {
    if (player.ending.signal.aborted) return;
    if (player.isThinking) {
      player.held.push(asked);
      return;
    }
    const [, DecisionClass] = GAMES.get(player.match.game) ?? ANY_GAME;
    const decision = new DecisionClass(player.match, asked);
    try {
      const choice = player.bot.decide(decision);
      if (isPromise(choice)) void this.#think(player, decision, choice);
      else this.#answer(player, decision, choice);
    } catch (error) {
      this.#fail("decide", player.match, error);
    }
  }

  async #think(player: Player, decision: Decision, choice: PromiseLike<unknown>): Promise<void> {
    player.isThinking = true;
    this.#thinking++;
    try {
      const chosen = await choice;
      if (!player.ending.signal.aborted) this.#answer(player, decision, chosen);
    } catch (error) {
      // Whoever stops thinking because the match has ended may say so by throwing.
      if (!player.ending.signal.aborted) this.#fail("decide", player.match, error);
    }
    player.isThinking = false;
    this.#thinking--;
    for (const held of player.held.splice(0)) this.#waiting.push([player, held]);
    this.#goOnSoon();
  }

  #answer(player: Player, decision: Decision, choice: unknown): void {
    const answer = create(AnswerSchema, {
      matchId: player.match.id,
      decisionId: decision.id,
      moveIndex: decision.indexOf(choice),
      note: decision.note ? this.#note(decision.note) : "",
    });
    if (player.asked === decision.id) player.answer = answer;
    // One asked over a lost connection is kept only: it will be asked again over the new one.
    if (player.link === this.#link.number) this.#ready.push(answer);
  }

  /** Returns a note as it may be sent: cut at a character if it is too long. */
  #note(note: unknown): string {
    const content = Buffer.from(String(note));
    let end = this.#link.maxNoteBytes || content.length;
    if (content.length <= end) return content.toString();
    this.#listener.warned(`warning: a note of ${content.length} bytes was cut to ${end}`);
    while (end > 0 && ((content[end] ?? 0) & 0xc0) === 0x80) end--;
    return content.subarray(0, end).toString();
  }

  #end(message: MatchEnded): void {
    const player = this.#players.get(message.matchId);
    if (!player) return;
    this.#players.delete(message.matchId);
    this.#ready = this.#ready.filter((answer) => answer.matchId !== message.matchId);
    player.ending.abort();
    const failed = (error: unknown) => this.#fail("ended", player.match, error);
    try {
      const waited: unknown = player.bot.ended(new Outcome(player.match, message));
      if (!isPromise(waited)) return;
      const ending = Promise.resolve(waited).then(() => undefined, failed);
      this.#endings.add(ending);
      void ending.then(() => this.#endings.delete(ending));
    } catch (error) {
      failed(error);
    }
  }

  /** Sends what is ready: at once if nothing else is open, else soon. */
  #announce(): void {
    if (this.#ready.length === 0) return;
    if (this.#thinking === 0) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ready = this.#ready;
    this.#ready = [];
    if (ready.length === 0) return;
    for (const request of encode(ready, this.#link.maxMessageBytes)) {
      this.#listener.answered(this.#link.number, request);
    }
  }

  #fail(where: string, match: Match, error: unknown): void {
    this.close();
    const place = `${this.#botClass.name}.${where}() in ${match}`;
    this.#listener.failed(error instanceof BotFailed ? error : BotFailed.by(place, error));
  }
}

/** Returns a message with answers, or several if it is too large. */
function encode(answers: Answer[], maxBytes: number): Uint8Array[] {
  const message = { case: "answers" as const, value: { answers } };
  const request = toBinary(PlayRequestSchema, create(PlayRequestSchema, { message }));
  if (!maxBytes || request.length <= maxBytes || answers.length < 2) return [request];
  const half = answers.length >> 1;
  return [...encode(answers.slice(0, half), maxBytes), ...encode(answers.slice(half), maxBytes)];
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === "function";
}
