// From a replay document to positions: what a view shows after each step.

/** @typedef {Record<string, any>} Fields */
/** @typedef {{type: string, text: string, seat?: number, [field: string]: any}} Event */
/** @typedef {{type: string, [field: string]: any}} Move */
/**
 * @typedef {object} Decision
 * @property {string} text
 * @property {(number | [number, number])[]} legal numbers of moves; `[first, last]` is a run of them
 * @property {number} [count] how many legal moves there were, if `legal` has not all of them
 * @property {number} chosen
 * @property {number | null} ms
 * @property {number} [bank_ms]
 * @property {string} [note]
 */
/**
 * @typedef {object} Step
 * @property {number} [seat]
 * @property {Move} [move]
 * @property {string} [fault]
 * @property {Event[]} events
 * @property {Record<string, Event[]>} [seen]
 * @property {Fields} [table] the fields that changed
 * @property {Record<string, Record<string, any>>} [items] of fields that are lists, the items that changed
 * @property {Record<string, Fields>} [own]
 * @property {Record<string, number[]>} [text]
 * @property {Record<string, number[]>} [hand]
 * @property {Decision} [decision]
 */
/** @typedef {{step: number, type: string, seat: number | null}} Mark */
/** @typedef {{bot: string, version: string}} Seat */
/** @typedef {{name: string, title: string, options: Fields, drawing: string | null, rules: boolean, material: Fields}} Game */
/**
 * @typedef {object} Replay
 * @property {string[]} views
 * @property {Game} game
 * @property {string} match
 * @property {string | null} tournament
 * @property {string | null} [deal]
 * @property {Seat[]} seats
 * @property {{move_ms: number | null, bank_ms: number} | null} clock
 * @property {string[]} moves
 * @property {string[]} lines
 * @property {{field: string, title: string}[]} graphs
 * @property {Mark[]} marks
 * @property {Step[]} steps
 * @property {{scores: number[], ranks: number[], ended: string[]} | null} outcome
 * @property {string | null} download
 * @property {string} [file] the replay file, if it is not served
 */
/**
 * What a drawing draws.
 * @typedef {object} Position
 * @property {number} step
 * @property {Fields} table what everybody sees
 * @property {Record<string, Fields>} own what differs by who looks, by seat (`public` in the public view)
 * @property {{table: string[], hand: Record<string, string[]>}} text the game's own words
 * @property {Event[]} events what happened in this step, as the view sees it
 * @property {Move[]} [legal] what can be played now; only while playing
 */

/** @typedef {{table: Fields, own: Record<string, Fields>, text: Record<string, number[]>, hand: Record<string, number[]>}} Folded */

/** The positions of a replay. Folds every step once; a view then only selects. */
export class Positions {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    /** @type {Folded[]} */
    this.folded = [];
    this.extend();
  }

  /** Fold the steps that have been added to the replay. */
  extend() {
    const { steps } = this.replay;
    let before = this.folded.at(-1) ?? { table: {}, own: {}, text: {}, hand: {} };
    for (let index = this.folded.length; index < steps.length; index++) {
      const step = steps[index];
      const own = { ...before.own };
      for (const [view, fields] of Object.entries(step.own ?? {})) own[view] = { ...own[view], ...fields };
      before = {
        table: { ...before.table, ...step.table, ...mended(before.table, step.items) },
        own,
        text: { ...before.text, ...step.text },
        hand: { ...before.hand, ...step.hand },
      };
      this.folded.push(before);
    }
  }

  get last() {
    return this.folded.length - 1;
  }

  /**
   * Return the position after `step` as `view` sees it.
   * @param {number} step @param {string} view @returns {Position}
   */
  at(step, view) {
    const { table, own, text, hand } = this.folded[step];
    const happened = this.replay.steps[step];
    const isSeen = (/** @type {string} */ seat) => seat === view || (view === "everything" && seat !== "public");
    const lines = (/** @type {number[] | undefined} */ said) => (said ?? []).map((line) => this.replay.lines[line]);
    return {
      step,
      table,
      own: Object.fromEntries(Object.entries(own).filter(([seat]) => isSeen(seat))),
      text: {
        table: lines(text[view] ?? text.public),
        hand: Object.fromEntries(Object.entries(hand).filter(([seat]) => isSeen(seat)).map(([seat, said]) => [seat, lines(said)])),
      },
      events: happened.seen?.[view] ?? happened.events,
    };
  }

  /**
   * Return the decision that led to `step`, if `view` may see it.
   * @param {number} step @param {string} view @returns {Decision | undefined}
   */
  decision(step, view) {
    const { decision, seat } = this.replay.steps[step];
    return decision && (view === "everything" || view === String(seat)) ? decision : undefined;
  }

  /**
   * Return the values of a field of the table after each step, by seat.
   * @param {string} field @returns {number[][]}
   */
  series(field) {
    return this.replay.seats.map((_, seat) => this.folded.map(({ table }) => table[field]?.[seat] ?? 0));
  }
}

/** Return lists with some items replaced. @param {Fields} before @param {Record<string, Record<string, any>>} [items] @returns {Fields} */
const mended = (before, items = {}) =>
  Object.fromEntries(Object.entries(items).map(([field, changed]) => [field, Object.assign([...before[field]], changed)]));

/** Return the numbers of the legal moves, runs written out. @param {Decision} decision */
export const legalMoves = ({ legal }) =>
  legal.flatMap((part) => (typeof part === "number" ? part : Array.from({ length: part[1] - part[0] + 1 }, (_, index) => part[0] + index)));
