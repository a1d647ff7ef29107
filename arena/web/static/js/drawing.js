// What a drawing of a game can use: cards, hands, seats, and choosing moves by clicking.
// docs/adding-a-game.md describes the contract of a drawing.

import { html, render } from "./html.js";
import { Glyph } from "./glyphs.js";

export { html, render, Glyph };

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").Game} Game */
/** @typedef {import("./position.js").Seat} Seat */
/**
 * Choosing a move by clicking. Present while a person is to move. A pick is a value of a field of a move, such as a
 * card; the moves that stay possible are those that contain every pick.
 * @typedef {object} Play
 * @property {number} seat who is to move
 * @property {import("./position.js").Move[]} legal every move that can be made now
 * @property {(fields: string[], value: any) => number} possible how many moves stay possible after one more pick
 * @property {(fields: string[], value: any) => number} picked how often this value is picked
 * @property {(fields: string[], value: any) => void} pick pick it; if no move stays possible, the page says why
 * @property {(fields: string[], value: any) => void} unpick
 */
/**
 * @typedef {object} Context
 * @property {Game} game
 * @property {Seat[]} seats
 * @property {string} view `"everything"`, `"public"` or a seat's number as text
 * @property {{scores: number[], ranks: number[], ended: string[]} | null} outcome at the last step of a match that ended
 * @property {Play | null} play
 */
/** @typedef {{draw(element: Element, position: Position, context: Context): void}} Drawing */
/** @typedef {{cards: string[], unseen: number}[]} Inferred cards seen to arrive, at most `unseen` of which have left since */

/**
 * Return the kind and the number of a card's name, such as `wine-2`.
 * @param {string} name @returns {[string, string]}
 */
export function parts(name) {
  const dash = name.lastIndexOf("-");
  return dash < 0 ? [name, ""] : [name.slice(0, dash), name.slice(dash + 1)];
}

/**
 * Give every element of a list a key that is the same while it stays in the list, so that only new ones appear anew.
 * @template T @param {readonly T[]} items @param {(item: T) => string} [name]
 * @returns {{item: T, key: string, nth: number}[]}
 */
export function keyed(items, name = String) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return items.map((item) => {
    const nth = counts.get(name(item)) ?? 0;
    counts.set(name(item), nth + 1);
    return { item, key: `${name(item)}/${nth}`, nth };
  });
}

/**
 * One card, face up: its number in the corner, its kind as a picture and a word.
 * @param {{name: string, label?: string, note?: string, state?: string, play?: Play | null, fields?: string[], nth?: number}} props
 * `note` is read with the name and shown as a hint; `state` is a class (`inferred`, `shown`).
 */
export function Card({ name, label = "", note = "", state = "", play = null, fields = [], nth = 0 }) {
  const [kind, number] = parts(name);
  const said = (label || `${kind} ${number}`.trim()) + (note ? `, ${note}` : "");
  const face = () => html`<span class="corner" aria-hidden="true"><b>${number}</b><${Glyph} kind=${kind} /></span>
    <${Glyph} kind=${kind} /><small aria-hidden="true">${kind}</small>`;
  if (!play || !fields.length)
    return kept(`${name}/${said}/${state}`, () => html`<span class="card ${state}" data-kind=${kind} role="img" aria-label=${said} title=${said}>${face()}</span>`);
  const isPicked = nth < play.picked(fields, name);
  const can = isPicked || play.possible(fields, name) > 0;
  const click = () => (isPicked ? play.unpick : play.pick)(fields, name);
  return html`<button type="button" class="card ${state} ${can ? "" : "impossible"}" data-kind=${kind} aria-label=${said}
    title=${said} aria-pressed=${String(isPicked)} onClick=${click}>${face()}</button>`;
}

/** @type {Map<string, import("./html.js").Node>} */
const pictures = new Map();

/**
 * Return the same elements for the same key: what is the same as before is not compared with what is shown.
 * @param {string} key @param {() => import("./html.js").Node} make
 */
function kept(key, make) {
  const made = pictures.get(key) ?? make();
  pictures.set(key, made);
  return made;
}

/**
 * A row of cards that overlap where there is no room.
 * @param {{cards: readonly string[], backs?: number, title: string, empty?: string, play?: Play | null, fields?: string[],
 *   known?: Inferred | null, inferred?: boolean, small?: boolean}} props
 * `known`: those that others know of are marked; `inferred`: all are marked as inferred.
 */
export function Hand({ cards, backs = 0, title, empty = "", play = null, fields = [], known = null, inferred = false, small = false }) {
  const open = new Map();
  for (const card of certain(known)) open.set(card, (open.get(card) ?? 0) + 1);
  const state = (/** @type {string} */ card, /** @type {number} */ nth) =>
    inferred ? "inferred" : nth < (open.get(card) ?? 0) ? "shown" : "";
  return html`<div class="hand ${small ? "small" : ""} ${cards.length + backs ? "" : "empty"}" role="group" aria-label=${title}>
    ${backs > 0 && html`<span class="unseen">${backs} face down</span>`}
    ${keyed(cards).map(({ item, key, nth }) => {
      const how = state(item, nth);
      const note = how === "inferred" ? "inferred" : how ? "everybody knows of it" : "";
      return html`<span class="slot" key=${key}><${Card} name=${item} state=${how} note=${note} play=${play} fields=${fields} nth=${nth} /></span>`;
    })}
    ${Array.from({ length: backs }, (_, index) => html`<span class="slot" key=${`back/${index}`}><span class="card back" aria-hidden="true"></span></span>`)}
    ${!cards.length && !backs && empty && html`<span class="none">${empty}</span>`}
  </div>`;
}

/**
 * The place of a seat at the table.
 * @param {{seat: number, context: Context, position: Position, score?: any, unit?: string, tags?: any[], children?: any, fields?: string[]}} props
 */
export function Place({ seat, context, position, score, unit = "", tags = [], children, fields = [] }) {
  const isActing = position.table.to_act === seat;
  const rank = context.outcome?.ranks[seat];
  const play = context.play;
  const isPicked = play !== null && play.picked(fields, seat) > 0;
  const isTarget = play !== null && fields.length > 0 && (isPicked || play.possible(fields, seat) > 0);
  const { bot } = context.seats[seat];
  return html`<section class="place ${isActing ? "acting" : ""} ${context.view === String(seat) ? "own" : ""}" data-seat=${seat}
    aria-label=${`Seat ${seat}, ${bot}${isActing ? ", to act" : ""}`}>
    <header>
      <span class="badge s${seat}" aria-hidden="true">${seat}</span>
      <h3><bdi>${bot}</bdi></h3>
      ${rank && html`<span class="tag rank">${rank === 1 ? "winner" : `rank ${rank}`}</span>`}
      ${isActing && html`<span class="tag act">to act</span>`}
      ${tags}
      ${isTarget && html`<button type="button" class="tag pick" aria-pressed=${String(isPicked)} onClick=${() => (isPicked ? play.unpick : play.pick)(fields, seat)}>choose</button>`}
      ${score !== undefined && html`<span class="score" title=${`${score} ${unit}`}><b>${score}</b> <span class="unit">${unit}</span></span>`}
    </header>
    ${children}
  </section>`;
}

/**
 * Return the cards that are certainly there.
 * @param {Inferred | null | undefined} known @returns {string[]}
 */
export const certain = (known) => (known ?? []).flatMap(({ cards, unseen }) => (unseen ? [] : cards));

/**
 * Cards as counted tokens: for many, or for those that lie aside.
 * @param {{cards: readonly string[], title: string, inferred?: boolean}} props
 */
export function Tokens({ cards, title, inferred = false }) {
  return html`<ul class="coins ${inferred ? "inferred" : ""}" aria-label=${title}>${[...new Set(cards)].map((card) => {
    const [kind, number] = parts(card);
    const times = cards.filter((other) => other === card).length;
    const said = `${times > 1 ? `${times} × ` : ""}${kind} ${number}`.trim() + (inferred ? ", inferred" : "");
    return html`<li key=${card} data-kind=${kind} title=${said}><${Glyph} kind=${kind} /><span class="unseen">${said}</span>
      <b aria-hidden="true">${number}${times > 1 && html`<small>×${times}</small>`}</b></li>`;
  })}</ul>`;
}

/**
 * Cards that a viewer can infer to be somewhere, by how sure that is.
 * @param {{known: Inferred | null | undefined, title: string}} props
 */
export function Known({ known, title }) {
  return (known ?? [])
    .filter(({ cards }) => cards.length)
    .map(
      ({ cards, unseen }, index) => html`<div class="known" key=${index}>
        <h4>${title}${unseen > 0 && html` <small>up to ${unseen} of these may have left</small>`}</h4>
        <${Tokens} cards=${cards} title=${title} inferred />
      </div>`,
    );
}
