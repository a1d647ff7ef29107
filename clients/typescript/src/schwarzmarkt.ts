/**
 * Schwarzmarkt for bots: goods, cards, moves and what a seat sees.
 *
 * Rules cited are those of the rules page. Everything is computed when it is first looked at. Groups
 * of goods are lists in rising order, equal ones repeated.
 */

import { create } from "@bufbuild/protobuf";

import { GameBot } from "./bot.js";
import * as any from "./decision.js";
import { Match as AnyMatch } from "./match.js";
import {
  SchwarzmarktCardSchema,
  SchwarzmarktDecisionSchema,
  SchwarzmarktMaterialSchema,
  SchwarzmarktObservationSchema,
  type SchwarzmarktCard,
  type SchwarzmarktDecision,
  type SchwarzmarktEvent,
  type SchwarzmarktKnown,
  type SchwarzmarktMaterial,
  type SchwarzmarktMove,
  type SchwarzmarktObservation,
  type SchwarzmarktSeat,
} from "./v1/schwarzmarkt_pb.js";

/** A good. UNKNOWN is one that the seat may not see. */
export const Good = {
  UNKNOWN: "unknown",
  POTATOES: "potatoes",
  BUTTER: "butter",
  SUGAR: "sugar",
  COFFEE: "coffee",
  FLOUR: "flour",
} as const;
export type Good = (typeof Good)[keyof typeof Good];

/** What a text card does (S5). */
export const Effect = {
  OLD_DEBT: "old_debt",
  NEW_GOODS: "new_goods",
  SCARCE_GOODS: "scarce_goods",
  FORAGING: "foraging",
  PROTECTION: "protection",
  RAID: "raid",
  SLOW_TRADE: "slow_trade",
} as const;
export type Effect = (typeof Effect)[keyof typeof Effect];

/** What the seat to act decides about. */
export const Phase = {
  UNKNOWN: "unknown",
  PLAY: "play",
  FIND: "find",
  EXCHANGE: "exchange",
  RETURN: "return",
  OVER: "over",
} as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

/** What a move does. */
export const MoveType = {
  UNKNOWN: "unknown",
  PLAY: "play",
  FIND: "find",
  BURY: "bury",
  TRADE: "trade",
  STEP: "step",
  HOLD: "hold",
  RETURN: "return",
} as const;
export type MoveType = (typeof MoveType)[keyof typeof MoveType];

// By their numbers in the protocol.
const GOODS = Object.values(Good);
const EFFECTS = [undefined, ...Object.values(Effect)];
const PHASES = Object.values(Phase);
const MOVE_TYPES = Object.values(MoveType);

/** Returns goods by their numbers. */
export function goods(numbers: readonly number[]): readonly Good[] {
  return numbers.map((number) => GOODS[number] ?? Good.UNKNOWN);
}

/** Returns how many of the goods held a demand wants. */
export function wanted(held: readonly Good[], demand: readonly Good[]): number {
  const left = [...held];
  let found = 0;
  for (const good of demand) {
    const place = left.indexOf(good);
    if (place < 0) continue;
    left.splice(place, 1);
    found++;
  }
  return found;
}

/** A type of black-market card. */
export class Card {
  /** Its place in the material. */
  readonly number: number;
  readonly message: SchwarzmarktCard;
  /** The goods an offer wants. Empty for text cards. */
  readonly demand: readonly Good[];

  constructor(number: number, message: SchwarzmarktCard) {
    this.number = number;
    this.message = message;
    this.demand = goods(message.demand);
  }

  /** Such as "offer:potatoes-2,butter-2" or "raid". */
  get name(): string {
    return this.message.name;
  }

  /** How many of it there are. */
  get copies(): number {
    return this.message.copies;
  }

  /** What a text card does. undefined for offers. */
  get effect(): Effect | undefined {
    return EFFECTS[this.message.effect];
  }

  /** Whether it opens an exchange round. */
  get isOffer(): boolean {
    return this.demand.length > 0;
  }

  toString(): string {
    return this.name;
  }
}

/** What is printed: track, black-market cards and goods of this match. */
export class Material {
  readonly message: SchwarzmarktMaterial;
  /** What a good is paid, by space of the track. */
  readonly prices: readonly number[];
  /** How far the marker may go, by space. */
  readonly steps: readonly number[];
  /** The types of black-market cards. */
  readonly cards: readonly Card[];
  /** All goods of the deck. */
  readonly goods: readonly Good[];

  constructor(message: SchwarzmarktMaterial) {
    this.message = message;
    this.prices = message.track.map((space) => space.price);
    this.steps = message.track.map((space) => space.steps);
    this.cards = message.cards.map((card, number) => new Card(number, card));
    this.goods = goods(message.goods);
  }

  /** The last space of the track. */
  get lastSpace(): number {
    return this.prices.length - 1;
  }

  /** Returns a card by its number; one of the name "unknown" if there is no such card. */
  card(number: number): Card {
    const unknown = () => new Card(number, create(SchwarzmarktCardSchema, { name: "unknown" }));
    return this.cards[number] ?? unknown();
  }
}

/** A legal move. As a string it is its text, such as "trade potatoes butter". */
export class Move extends any.Move {
  readonly message: SchwarzmarktMove;
  readonly #material: Material;
  #goods: readonly Good[] | undefined;

  constructor(index: number, message: SchwarzmarktMove, material: Material) {
    super(index);
    this.message = message;
    this.#material = material;
  }

  /** What the move does. */
  get type(): MoveType {
    return MOVE_TYPES[this.message.type] ?? MoveType.UNKNOWN;
  }

  /** The black-market card played or buried. undefined for all other moves. */
  get card(): Card | undefined {
    const { card } = this.message;
    return card === undefined ? undefined : this.#material.card(card);
  }

  /** The seat a card is played at. undefined if the card has no target. */
  get target(): number | undefined {
    return this.message.target;
  }

  /** Those traded, those laid aside for foraging, the one found or returned. */
  get goods(): readonly Good[] {
    return (this.#goods ??= goods(this.message.goods));
  }

  /** How far the marker goes. 0 unless it is a step. */
  get spaces(): number {
    return this.message.spaces;
  }

  override get text(): string {
    const { card, target, spaces } = this;
    const words: string[] = [this.type];
    if (card) words.push(card.name);
    if (target !== undefined) words.push(String(target));
    words.push(...this.goods);
    if (spaces) words.push(String(spaces));
    return words.join(" ");
  }
}

/** Goods the seat knows to have come to a hidden place. */
export class Known {
  readonly message: SchwarzmarktKnown;
  readonly goods: readonly Good[];

  constructor(message: SchwarzmarktKnown) {
    this.message = message;
    this.goods = goods(message.goods);
  }

  /** Up to so many of them may be gone; 0: all are there. */
  get unseen(): number {
    return this.message.unseen;
  }
}

/** What is known about a seat. */
export class Seat {
  /** Which seat, from 0. */
  readonly number: number;
  readonly message: SchwarzmarktSeat;
  #known: readonly Known[] | undefined;

  constructor(number: number, message: SchwarzmarktSeat) {
    this.number = number;
    this.message = message;
  }

  /** How many goods it holds. */
  get handSize(): number {
    return this.message.handSize;
  }

  /** Its wealth: the score. */
  get luxury(): number {
    return this.message.luxury;
  }

  /** It has traded in this exchange round. */
  get hasTraded(): boolean {
    return this.message.hasTraded;
  }

  /** What the observing seat knows of its goods, the oldest knowledge first. */
  get known(): readonly Known[] {
    return (this.#known ??= this.message.known.map((known) => new Known(known)));
  }
}

/** A text card about the next or the running exchange round. */
export interface OpenCard {
  readonly card: Card;
  /** The seat it was played at. undefined if it has no target. */
  readonly target: number | undefined;
}

/** All the seat may know now. Complete: no memory is needed. */
export class Observation {
  readonly message: SchwarzmarktObservation;
  readonly material: Material;
  #goods: readonly Good[] | undefined;
  #cards: readonly Card[] | undefined;
  #demand: readonly Good[] | undefined;
  #seats: readonly Seat[] | undefined;

  constructor(message: SchwarzmarktObservation, material: Material) {
    this.message = message;
    this.material = material;
  }

  /** The own seat. */
  get seat(): number {
    return this.message.seat ?? 0;
  }

  /** What is decided. */
  get phase(): Phase {
    return PHASES[this.message.phase] ?? Phase.UNKNOWN;
  }

  /** 1 or 2. */
  get gameRound(): number {
    return this.message.gameRound;
  }

  /** The seat that plays, or played last, a black-market card. */
  get start(): number {
    return this.message.start;
  }

  /** The space of the track where the marker stands, from 0. */
  get marker(): number {
    return this.message.marker;
  }

  /** What a good is paid there. */
  get price(): number {
    return this.material.prices[this.marker] ?? 0;
  }

  /** How many goods are in the pile. */
  get goodsPileSize(): number {
    return this.message.goodsPileSize;
  }

  /** How many black-market cards are in the pile. */
  get blackMarketPileSize(): number {
    return this.message.blackMarketPileSize;
  }

  /** How many black-market cards were played or buried in this game round. */
  get cardsDealtWith(): number {
    return this.message.cardsDealtWith;
  }

  /** How many exchange rounds in a row went without a trade (S6.4). */
  get idleRounds(): number {
    return this.message.idleRounds;
  }

  /** The card being exchanged. undefined when no exchange round runs. */
  get offer(): Card | undefined {
    const { offer } = this.message;
    return offer === undefined ? undefined : this.material.card(offer);
  }

  /** The text card that is taking effect. undefined when there is none. */
  get resolving(): Card | undefined {
    const { resolving } = this.message;
    return resolving === undefined ? undefined : this.material.card(resolving);
  }

  /** The own goods. */
  get goods(): readonly Good[] {
    return (this.#goods ??= goods(this.message.goods));
  }

  /** The own black-market cards. */
  get cards(): readonly Card[] {
    return (this.#cards ??= this.message.cards.map((card) => this.material.card(card)));
  }

  /** The goods still wanted. */
  get demand(): readonly Good[] {
    return (this.#demand ??= goods(this.message.demand));
  }

  /** The goods traded in this exchange round, in the order of trading. */
  get traded(): readonly Good[] {
    return goods(this.message.traded);
  }

  /** The text cards about the next or the running exchange round, in order of play. */
  get openCards(): readonly OpenCard[] {
    return this.message.openCards.map(({ card, target }) => ({
      card: this.material.card(card),
      target,
    }));
  }

  /** What is known about each seat, by seat. */
  get seats(): readonly Seat[] {
    return (this.#seats ??= this.message.seats.map((seat, number) => new Seat(number, seat)));
  }

  /** Goods known to be in the goods pile, the oldest knowledge first. */
  get pileKnown(): readonly Known[] {
    return this.message.pileKnown.map((known) => new Known(known));
  }

  /** The black-market cards shown so far in the match, each type once. */
  get seenCards(): readonly Card[] {
    return this.message.seenCards.map((card) => this.material.card(card));
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

/** A match of Schwarzmarkt. */
export class Match extends AnyMatch {
  #material: Material | undefined;

  /** Track, black-market cards and goods. */
  override get material(): Material {
    const { material } = this.message;
    return (this.#material ??= new Material(
      material.case === "schwarzmarkt" ? material.value : create(SchwarzmarktMaterialSchema),
    ));
  }
}

/** A decision of Schwarzmarkt. */
export class Decision extends any.Decision {
  declare readonly match: Match;
  #legalMoves: readonly Move[] | undefined;
  #observation: Observation | undefined;

  /** All legal moves: cards as in the material; trades, then steps or hold. */
  override get legalMoves(): readonly Move[] {
    const { material } = this.match;
    return (this.#legalMoves ??= this.#game.legalMoves.map(
      (move, index) => new Move(index, move, material),
    ));
  }

  /** All the seat may know now. */
  override get observation(): Observation {
    return (this.#observation ??= new Observation(
      this.#game.observation ?? create(SchwarzmarktObservationSchema),
      this.match.material,
    ));
  }

  /** What happened since the seat's last decision, oldest first. */
  override get events(): readonly SchwarzmarktEvent[] {
    return this.#game.events;
  }

  /** Returns the legal moves of some types, in their order. */
  movesOf(...types: MoveType[]): readonly Move[] {
    return this.legalMoves.filter((move) => types.includes(move.type));
  }

  get #game(): SchwarzmarktDecision {
    const { game } = this.message;
    return game.case === "schwarzmarkt" ? game.value : create(SchwarzmarktDecisionSchema);
  }
}

/** A bot that plays Schwarzmarkt. */
export abstract class SchwarzmarktBot extends GameBot<Match, Decision> {
  static override readonly games: readonly string[] = ["schwarzmarkt"];
}
