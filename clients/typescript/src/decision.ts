/** A decision: what decide() gets, and how what it returns becomes the place of a legal move. */

import { inspect } from "node:util";

import { fromBinary } from "@bufbuild/protobuf";

import { IllegalChoice } from "./errors.js";
import { seconds, type Match } from "./match.js";
import { DecisionSchema, type Decision as DecisionMessage, type SeatFault } from "./v1/play_pb.js";
import type { EncodedDecision } from "./wire.js";

const LISTED = 40; // legal moves named in a refusal; a reader wants no more

/** One legal move of one decision. As a string it is its text, as in the rules. */
export class Move {
  /** Its place among the legal moves. */
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  /** The move as the rules write it; for an unknown game its index. */
  get text(): string {
    return String(this.index);
  }

  /** Returns whether another move does the same, perhaps in another decision. */
  equals(other: Move): boolean {
    return this === other || this.text === other.text;
  }

  toString(): string {
    return this.text;
  }

  [inspect.custom](): string {
    return `<${this.index}: ${this.text}>`;
  }
}

/** What decide() returns: one of the legal moves, or its index. */
export type Choice = Move | number;

/** A question to a seat. Everything but the note is read only, and computed when looked at. */
export class Decision {
  /** The match it belongs to. */
  readonly match: Match;
  /** Set it to keep a text beside the move in the replay. */
  note = "";
  readonly #asked: EncodedDecision | DecisionMessage;
  #message: DecisionMessage | undefined;
  #moves: readonly Move[] | undefined;

  constructor(match: Match, asked: EncodedDecision | DecisionMessage) {
    this.match = match;
    this.#asked = asked;
  }

  /** The message it came in. */
  get message(): DecisionMessage {
    const asked = this.#asked;
    return (this.#message ??= "bytes" in asked ? fromBinary(DecisionSchema, asked.bytes) : asked);
  }

  /** The number of the question within the match, from 1, rising. */
  get id(): number {
    return this.#asked.decisionId;
  }

  /** How many legal moves there are, at least 2. Costs less than legalMoves.length. */
  get legalCount(): number {
    return this.#asked.legalCount;
  }

  /** All moves the seat may make, each once, in the game's fixed order. */
  get legalMoves(): readonly Move[] {
    return (this.#moves ??= Array.from({ length: this.legalCount }, (_, index) => new Move(index)));
  }

  /** All the seat may know now, by game; for an unknown game the bare Any message. */
  get observation(): unknown {
    return this.message.game.value;
  }

  /** What happened since the seat's last decision, oldest first, as messages of the game. */
  get events(): readonly unknown[] {
    return [];
  }

  /** The misbehaviours of seats since this seat's last decision, its own among them. */
  get faults(): readonly SeatFault[] {
    return this.message.faults;
  }

  /** Seconds this decision may take before the bank is touched. undefined: no limit. */
  get moveTimeS(): number | undefined {
    return seconds(this.message.moveTime);
  }

  /** Seconds left in the bank. undefined: no limit. */
  get bankS(): number | undefined {
    return seconds(this.message.bank);
  }

  /**
   * Returns the place of a chosen move: itself, if it is one.
   *
   * @throws IllegalChoice if it is neither a legal move nor the place of one.
   */
  indexOf(choice: unknown): number {
    if (typeof choice === "number") {
      if (Number.isInteger(choice) && choice >= 0 && choice < this.legalCount) return choice;
    } else if (choice instanceof Move) {
      const moves = this.legalMoves;
      if (moves[choice.index] === choice) return choice.index;
      const same = moves.find((move) => move.equals(choice)); // one kept from an earlier decision
      if (same) return same.index;
    }
    throw new IllegalChoice(this.#refusal(choice));
  }

  #refusal(choice: unknown): string {
    const count = this.legalCount;
    const moves = this.legalMoves.slice(0, LISTED);
    return [
      `decide() returned ${inspect(choice)}, which is not one of the ${count} legal moves:`,
      ...moves.map((move) => `  ${move.index}: ${move}`),
      ...(count > LISTED ? [`  ... and ${count - LISTED} more`] : []),
      `(decision ${this.id} of ${this.match}; return a legal move or its index)`,
    ].join("\n");
  }
}
