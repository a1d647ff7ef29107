/** What a bot is told about a match: how it starts and how it ended. */

import type { Duration } from "@bufbuild/protobuf/wkt";

import { Rng } from "./rng.js";
import type { MatchEnded, MatchStarted, SeatInfo } from "./v1/play_pb.js";

/** One way for a seat to misbehave. A default move was made for it. */
export const Fault = {
  TIMEOUT: "timeout",
  ILLEGAL_MOVE: "illegal_move",
  PROTOCOL_ERROR: "protocol_error",
  FLOOD: "flood",
  CRASH: "crash",
  OUT_OF_MEMORY: "out_of_memory",
  DISCONNECT: "disconnect",
  NO_START: "no_start",
  OUT_OF_PROCESSES: "out_of_processes",
  OUT_OF_DISK: "out_of_disk",
} as const;
export type Fault = (typeof Fault)[keyof typeof Fault];

const FAULTS = [undefined, ...Object.values(Fault)]; // by their numbers in the protocol

/** One match, as one seat of it knows it from the start. Computed when first looked at. */
export class Match {
  /** The message it came in; what it holds beyond these fields can be read there. */
  readonly message: MatchStarted;
  /** Aborted when the match ends: an async decide() need not think any longer. */
  readonly signal: AbortSignal;
  #options: Readonly<Record<string, unknown>> | undefined;
  #rng: Rng | undefined;

  constructor(message: MatchStarted, signal: AbortSignal = new AbortController().signal) {
    this.message = message;
    this.signal = signal;
  }

  /** Names the match. */
  get id(): string {
    return this.message.matchId;
  }

  /** The name of the game, such as "byzanz". */
  get game(): string {
    return this.message.game;
  }

  /** The bot's own seat, from 0, clockwise. */
  get seat(): number {
    return this.message.seat;
  }

  /** All who play, by seat: their bot and version, empty where names are hidden. */
  get seats(): readonly SeatInfo[] {
    return this.message.seats;
  }

  /** The game options that differ from the default. */
  get options(): Readonly<Record<string, unknown>> {
    return (this.#options ??= JSON.parse(this.message.optionsJson || "{}"));
  }

  /** Seconds free for every decision. undefined: no limit. */
  get moveTimeS(): number | undefined {
    return seconds(this.message.timeControl?.moveTime);
  }

  /** Seconds in reserve for the whole match, for decisions that take longer. */
  get bankS(): number | undefined {
    return seconds(this.message.timeControl?.bank);
  }

  /** With how many faults a seat forfeits. */
  get maxFaults(): number {
    return this.message.timeControl?.maxFaults ?? 0;
  }

  /** Randomness of this seat: a bot that draws from nothing else plays a match the same way again. */
  get rng(): Rng {
    return (this.#rng ??= new Rng(this.message.botSeed));
  }

  /** What is settled about the game before the first move. undefined: nothing, or unknown game. */
  get material(): unknown {
    return undefined;
  }

  toString(): string {
    return `<${this.game} match ${this.id}, seat ${this.seat} of ${this.seats.length}>`;
  }
}

/** How a match ended. */
export class Outcome {
  readonly match: Match;
  /** The message it came in, with the last faults and events. */
  readonly message: MatchEnded;

  constructor(match: Match, message: MatchEnded) {
    this.match = match;
    this.message = message;
  }

  /** The points by seat. Empty if the match is void. */
  get scores(): readonly number[] {
    return this.message.scores;
  }

  /** The ranks by seat, 1 is best, equal seats share one. Empty if the match is void. */
  get ranks(): readonly number[] {
    return this.message.ranks;
  }

  /** Why the match does not count. Empty if it does. */
  get voidReason(): string {
    return this.message.voidReason;
  }

  /** Whether the match does not count, because the arena could not finish it. */
  get isVoid(): boolean {
    return this.voidReason !== "";
  }

  /** The bot's own points. undefined if the match is void. */
  get score(): number | undefined {
    return this.scores[this.match.seat];
  }

  /** The bot's own rank. undefined if the match is void. */
  get rank(): number | undefined {
    return this.ranks[this.match.seat];
  }

  /** The fault by which each seat forfeited; undefined for one that played to the end. */
  get forfeits(): readonly (Fault | undefined)[] {
    return this.message.forfeits.map((fault) => FAULTS[fault]);
  }

  toString(): string {
    if (this.isVoid) return `<match ${this.match.id} is void: ${this.voidReason}>`;
    return `<match ${this.match.id}: scores ${this.scores}, ranks ${this.ranks}>`;
  }
}

/** Returns a duration in seconds; undefined if there is none. */
export function seconds(duration: Duration | undefined): number | undefined {
  return duration && Number(duration.seconds) + duration.nanos / 1e9;
}
