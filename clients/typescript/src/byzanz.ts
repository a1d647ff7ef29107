/**
 * Byzanz for bots: cards, moves and what a seat sees. Rules cited are those of the rules page.
 *
 * Everything is computed when it is first looked at. There is one object per card: compare with
 * `===`. Groups of cards are lists in rising order, equal cards repeated; counts() makes them
 * Counts, which add and subtract.
 */

import { create } from "@bufbuild/protobuf";

import { GameBot } from "./bot.js";
import * as any from "./decision.js";
import { Match as AnyMatch } from "./match.js";
import {
  ByzanzDecisionSchema,
  ByzanzMaterialSchema,
  ByzanzObservationSchema,
  type ByzanzDecision,
  type ByzanzEvent,
  type ByzanzKnown,
  type ByzanzMaterial,
  type ByzanzMove,
  type ByzanzObservation,
  type ByzanzSeat,
} from "./v1/byzanz_pb.js";

/** A kind of cards. Traders are a kind on the market (B4.1). */
export const Kind = {
  CLOTH: "cloth",
  SPICE: "spice",
  WINE: "wine",
  WOOD: "wood",
  GRAIN: "grain",
  OLIVES: "olives",
  TRADER: "trader",
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** What the seat to act decides about. */
export const Phase = {
  UNKNOWN: "unknown",
  AUCTION: "auction",
  GIVE: "give",
  TAKE: "take",
  LIMIT: "limit",
  FINAL: "final",
  OVER: "over",
} as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

/** What a move does. */
export const MoveType = {
  UNKNOWN: "unknown",
  PASS: "pass",
  BID: "bid",
  GIVE: "give",
  TAKE: "take",
  SELL: "sell",
  DISCARD: "discard",
  DONE: "done",
} as const;
export type MoveType = (typeof MoveType)[keyof typeof MoveType];

// By their numbers in the protocol.
const KINDS = [undefined, ...Object.values(Kind)];
const PHASES = Object.values(Phase);
const MOVE_TYPES = Object.values(MoveType);

/** A card. */
export class Card {
  /** Its number in the protocol; the order of cards. */
  readonly number: number;
  /** Its kind; undefined for a card the seat may not see. */
  readonly kind: Kind | undefined;
  /** 1 to 4; 0 for a trader. */
  readonly value: number;
  /** Such as "cloth-1" or "trader". */
  readonly name: string;

  constructor(number: number) {
    this.number = number;
    this.kind = number > 0 ? KINDS[Math.floor((number - 1) / 4) + 1] : undefined;
    this.value = this.kind && this.kind !== Kind.TRADER ? ((number - 1) % 4) + 1 : 0;
    this.name = this.value ? `${this.kind}-${this.value}` : (this.kind ?? "unknown");
  }

  toString(): string {
    return this.name;
  }
}

/** A card that the seat may not see, or that this version does not know. */
export const UNKNOWN = new Card(0);
/** All cards, in the order of their numbers. */
export const CARDS: readonly Card[] = Array.from({ length: 25 }, (_, index) => new Card(index + 1));
/** The trader. */
export const TRADER = CARDS[24] as Card;
/** The cards by their names. */
export const CARD_NAMES: ReadonlyMap<string, Card> = new Map(
  CARDS.map((card) => [card.name, card]),
);

/**
 * Returns cards by their names in one text, such as "wine-1 spice-2", or by their numbers.
 *
 * @throws RangeError if there is no card of that name.
 */
export function cards(source: string | readonly number[]): readonly Card[] {
  if (typeof source !== "string") return source.map((number) => CARDS[number - 1] ?? UNKNOWN);
  const names = source.split(/\s+/).filter(Boolean);
  return names.map((name) => {
    const card = CARD_NAMES.get(name);
    if (!card) throw new RangeError(`there is no card ${name}: names are such as wine-1 or trader`);
    return card;
  });
}

/** Returns the sum of the values of cards: what they make as a bid (B3.5). */
export function value(group: Iterable<Card>): number {
  let sum = 0;
  for (const card of group) sum += card.value;
  return sum;
}

/** Returns what a sale of these cards scores: its best card, 5 for three traders (B5.2). */
export function salePoints(group: Iterable<Card>): number {
  let best = 0;
  for (const card of group) best = Math.max(best, card.value);
  return best || 5;
}

/** Returns how often each card is in groups of cards together. */
export function counts(...groups: Iterable<Card>[]): Counts {
  const total = new Counts();
  for (const group of groups) for (const card of group) total.set(card, total.of(card) + 1);
  return total;
}

/** How often each card is in a group of cards, in the order in which they first came. */
export class Counts extends Map<Card, number> {
  /** Returns how often a card is there; 0 if it is not. */
  of(card: Card): number {
    return this.get(card) ?? 0;
  }

  /** Returns these without others; never fewer than none. */
  minus(others: Counts): Counts {
    const left = new Counts();
    for (const [card, number] of this) {
      if (number > others.of(card)) left.set(card, number - others.of(card));
    }
    return left;
  }

  /** How many cards there are in all. */
  get total(): number {
    let sum = 0;
    for (const number of this.values()) sum += number;
    return sum;
  }

  /** The cards, each as often as it is there. */
  get elements(): readonly Card[] {
    return [...this].flatMap(([card, number]) => Array<Card>(number).fill(card));
  }
}

/** Returns the cards of one kind. */
export function ofKind(group: Iterable<Card>, kind: Kind | undefined): readonly Card[] {
  return [...group].filter((card) => card.kind === kind);
}

/** Returns cards by their kinds; kinds without cards are missing. */
export function byKind(group: Iterable<Card>): Map<Kind, Card[]> {
  const found = new Map<Kind, Card[]>();
  for (const card of group) {
    if (!card.kind) continue;
    const same = found.get(card.kind);
    if (same) same.push(card);
    else found.set(card.kind, [card]);
  }
  return found;
}

/** A legal move. As a string it is its text, such as "bid spice-2 wine-1". */
export class Move extends any.Move {
  readonly message: ByzanzMove;
  #cards: readonly Card[] | undefined;

  constructor(index: number, message: ByzanzMove) {
    super(index);
    this.message = message;
  }

  /** What the move does. */
  get type(): MoveType {
    return MOVE_TYPES[this.message.type] ?? MoveType.UNKNOWN;
  }

  /** Those added by a bid, the three of a sale, the one given or discarded. */
  get cards(): readonly Card[] {
    return (this.#cards ??= cards(this.message.cards));
  }

  /** The kind taken from the market. undefined for all other moves. */
  get kind(): Kind | undefined {
    return KINDS[this.message.kind];
  }

  /** The sum of the values of the cards: what a bid adds. */
  get value(): number {
    return value(this.cards);
  }

  override get text(): string {
    const words: string[] = [this.type, ...this.cards.map((card) => card.name)];
    if (this.message.kind) words.push(this.kind ?? "unknown");
    return words.join(" ");
  }
}

/** Cards publicly known to have come into a hand at about the same time. */
export class Known {
  readonly message: ByzanzKnown;
  readonly cards: readonly Card[];

  constructor(message: ByzanzKnown) {
    this.message = message;
    this.cards = cards(message.cards);
  }

  /** Up to so many of them may be gone; 0: all are there. */
  get unseen(): number {
    return this.message.unseen;
  }
}

/** What everybody knows about a seat. */
export class Seat {
  /** Which seat, from 0. */
  readonly number: number;
  readonly message: ByzanzSeat;
  #laid: readonly Card[] | undefined;
  #kept: readonly Card[] | undefined;
  #known: readonly Known[] | undefined;

  constructor(number: number, message: ByzanzSeat) {
    this.number = number;
    this.message = message;
  }

  /** How many cards it holds. */
  get handSize(): number {
    return this.message.handSize;
  }

  /** Its points so far. */
  get points(): number {
    return this.message.points;
  }

  /** It is out of this auction by passing. */
  get passed(): boolean {
    return this.message.passed;
  }

  /** The offer card it holds; 0 for none. Whoever holds one is out of the auctions. */
  get offer(): number {
    return this.message.offer;
  }

  /** How many cards it has discarded face down. */
  get faceDown(): number {
    return this.message.faceDown;
  }

  /** The cards of its bid in this auction; they are not in its hand. */
  get laid(): readonly Card[] {
    return (this.#laid ??= cards(this.message.laid));
  }

  /** Its profit cards. */
  get kept(): readonly Card[] {
    return (this.#kept ??= cards(this.message.kept));
  }

  /** What is publicly known of its hand, the oldest knowledge first. */
  get known(): readonly Known[] {
    return (this.#known ??= this.message.known.map((known) => new Known(known)));
  }
}

/** All the seat may know now. Complete: no memory is needed. */
export class Observation {
  readonly message: ByzanzObservation;
  #hand: readonly Card[] | undefined;
  #ownDiscards: readonly Card[] | undefined;
  #lot: readonly Card[] | undefined;
  #market: readonly Card[] | undefined;
  #out: readonly Card[] | undefined;
  #seats: readonly Seat[] | undefined;

  constructor(message: ByzanzObservation) {
    this.message = message;
  }

  /** The own seat. */
  get seat(): number {
    return this.message.seat ?? 0;
  }

  /** What is decided. */
  get phase(): Phase {
    return PHASES[this.message.phase] ?? Phase.UNKNOWN;
  }

  /** The number of the round, from 1. */
  get round(): number {
    return this.message.round;
  }

  /** How many cards are left in the deck. */
  get deckSize(): number {
    return this.message.deckSize;
  }

  /** The offer card of the running auction; 0 when none runs. */
  get offer(): number {
    return this.message.offer;
  }

  /** The seat that spoke first in this auction, or will in the next. */
  get speaker(): number {
    return this.message.speaker;
  }

  /** The highest bid so far in this auction; 0 when there is none. */
  get high(): number {
    return this.message.high;
  }

  /** The seat of the highest bid. undefined when there is none. */
  get leader(): number | undefined {
    return this.message.leader;
  }

  /** The seat that passed first in this auction. undefined when none has. */
  get firstPasser(): number | undefined {
    return this.message.firstPasser;
  }

  /** How many seats have had their turn at the market this round. */
  get takes(): number {
    return this.message.takes;
  }

  /** The own hand. */
  get hand(): readonly Card[] {
    return (this.#hand ??= cards(this.message.hand));
  }

  /** The cards the seat itself discarded face down. */
  get ownDiscards(): readonly Card[] {
    return (this.#ownDiscards ??= cards(this.message.ownDiscards));
  }

  /** What is up for auction, or won and still to be given from. */
  get lot(): readonly Card[] {
    return (this.#lot ??= cards(this.message.lot));
  }

  /** What lies on the market. */
  get market(): readonly Card[] {
    return (this.#market ??= cards(this.message.market));
  }

  /** The cards publicly out of the game, profit cards not counted. */
  get out(): readonly Card[] {
    return (this.#out ??= cards(this.message.out));
  }

  /** What everybody knows about each seat, by seat. */
  get seats(): readonly Seat[] {
    return (this.#seats ??= this.message.seats.map((seat, number) => new Seat(number, seat)));
  }

  /** The own seat. */
  get own(): Seat {
    return this.seats[this.seat] as Seat;
  }

  /** The other seats, clockwise from the own one. */
  get others(): readonly Seat[] {
    return [...this.seats.slice(this.seat + 1), ...this.seats.slice(0, this.seat)];
  }
}

/** A match of Byzanz. */
export class Match extends AnyMatch {
  /** The offers (highest first), rounds and number of cards removed unseen. */
  override get material(): ByzanzMaterial {
    const { material } = this.message;
    return material.case === "byzanz" ? material.value : create(ByzanzMaterialSchema);
  }
}

/** A decision of Byzanz. */
export class Decision extends any.Decision {
  declare readonly match: Match;
  #legalMoves: readonly Move[] | undefined;
  #observation: Observation | undefined;

  /** All legal moves: those of the decision first, bids rising in value, then sales. */
  override get legalMoves(): readonly Move[] {
    return (this.#legalMoves ??= this.#game.legalMoves.map((move, index) => new Move(index, move)));
  }

  /** All the seat may know now. */
  override get observation(): Observation {
    return (this.#observation ??= new Observation(
      this.#game.observation ?? create(ByzanzObservationSchema),
    ));
  }

  /** What happened since the seat's last decision, oldest first. */
  override get events(): readonly ByzanzEvent[] {
    return this.#game.events;
  }

  /** How many rounds follow after this one; 0 in the last. */
  get roundsLeft(): number {
    return this.match.material.rounds - this.observation.round;
  }

  /** Returns the legal moves of some types, in their order. */
  movesOf(...types: MoveType[]): readonly Move[] {
    return this.legalMoves.filter((move) => types.includes(move.type));
  }

  get #game(): ByzanzDecision {
    const { game } = this.message;
    return game.case === "byzanz" ? game.value : create(ByzanzDecisionSchema);
  }
}

/** A bot that plays Byzanz. */
export abstract class ByzanzBot extends GameBot<Match, Decision> {
  static override readonly games: readonly string[] = ["byzanz"];
}
