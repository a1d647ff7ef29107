// The table of Byzanz: offer cards, the lot, bids laid out, the market, and each seat's hand and profit.

import { Hand, Known, Place, Tokens, certain, html, parts, render } from "../js/drawing.js";

/** @typedef {import("../js/drawing.js").Context} Context */
/** @typedef {import("../js/drawing.js").Position} Position */

/** @param {Element} element @param {Position} position @param {Context} context */
export function draw(element, position, context) {
  render(html`<${Table} position=${position} context=${context} />`, element);
}

/** @param {{position: Position, context: Context}} props */
function Table({ position, context }) {
  const { table } = position;
  return html`<div class="table byzanz" data-seats=${context.seats.length}>
    <div class="middle">
      <${Auction} table=${table} context=${context} />
      <${Market} table=${table} context=${context} />
    </div>
    <div class="places">
      ${context.seats.map((_, seat) => html`<${Seat} key=${seat} seat=${seat} position=${position} context=${context} />`)}
    </div>
  </div>`;
}

/** @param {{table: Record<string, any>, context: Context}} props */
function Auction({ table, context }) {
  const { offers } = context.game.material;
  const leader = table.leader === null || table.leader === undefined ? null : context.seats[table.leader].bot;
  return html`<section class="auction" aria-label="Auction">
    <header><h3>Auction</h3><p>round ${table.round} of ${context.game.material.rounds}</p>
      <p class="deck" title="Cards in the deck"><span class="card back tiny" aria-hidden="true"></span> ${table.deck_size} in the deck</p></header>
    <ol class="offers" aria-label="Offer cards">
      ${offers.map((/** @type {number} */ offer) => {
        const holder = table.offers.indexOf(offer);
        const state = offer === table.offer ? "now" : holder >= 0 ? "held" : "";
        const said = offer === table.offer ? "up for auction" : holder >= 0 ? `held by seat ${holder}` : "to come";
        return html`<li key=${offer} class="offer ${state}" aria-label=${`offer ${offer}, ${said}`} title=${`offer ${offer}, ${said}`}>
          <b>${offer}</b>${holder >= 0 && html`<span class="badge s${holder}" aria-hidden="true">${holder}</span>`}</li>`;
      })}
    </ol>
    <${Hand} cards=${table.lot} title="Lot" empty="no lot" play=${table.phase === "give" ? context.play : null} fields=${["card"]} />
    <p class="bid" aria-live="off">${
      table.high > 0
        ? html`highest bid <b>${table.high}</b> ${leader && html`by <span class="badge s${table.leader}" aria-hidden="true">${table.leader}</span> <bdi>${leader}</bdi>`}`
        : table.offer
          ? "no bid yet"
          : ""
    }</p>
  </section>`;
}

/** @param {{table: Record<string, any>, context: Context}} props */
function Market({ table, context }) {
  /** @type {string[]} */
  const kinds = [...new Set([...context.game.material.kinds, ...table.market.map((/** @type {string} */ card) => parts(card)[0])])];
  const { play } = context;
  const groups = kinds
    .map((kind) => ({ kind, cards: table.market.filter((/** @type {string} */ card) => parts(card)[0] === kind) }))
    .filter(({ cards }) => cards.length);
  return html`<section class="market" aria-label="Market">
    <header><h3>Market</h3><p>${table.market.length} ${table.market.length === 1 ? "card" : "cards"}</p></header>
    <div class="stalls">
      ${groups.map(({ kind, cards }) => {
        const can = play && (play.possible(["kind"], kind) > 0 || play.picked(["kind"], kind) > 0);
        const isPicked = play && play.picked(["kind"], kind) > 0;
        const stall = html`<${Hand} cards=${cards} title=${kind} />`;
        return html`<div class="stall" key=${kind}>${stall}
          ${can && html`<button type="button" class="tag pick" aria-pressed=${String(isPicked)}
            onClick=${() => (isPicked ? play.unpick : play.pick)(["kind"], kind)}>take ${kind}</button>`}</div>`;
      })}
      ${!groups.length && html`<p class="none">empty</p>`}
    </div>
  </section>`;
}

/** @param {{seat: number, position: Position, context: Context}} props */
function Seat({ seat, position, context }) {
  const { table } = position;
  const own = position.own[seat];
  const known = table.known?.[seat];
  const size = table.hand_sizes[seat];
  const { values } = context.game.material;
  const bid = table.laid[seat].reduce((/** @type {number} */ sum, /** @type {string} */ card) => sum + (values[card] ?? 0), 0);
  const play = context.play?.seat === seat ? context.play : null;
  const tags = [
    table.offers[seat] > 0 && html`<span class="offer held" aria-label=${`holds offer ${table.offers[seat]}`} title=${`holds offer ${table.offers[seat]}`}><b>${table.offers[seat]}</b></span>`,
    table.passed[seat] && table.phase === "auction" && !table.offers[seat] && html`<span class="tag">passed</span>`,
  ];
  return html`<${Place} seat=${seat} context=${context} position=${position} score=${table.points[seat]} unit=${table.points[seat] === 1 ? "point" : "points"} tags=${tags}>
    ${table.laid[seat].length > 0 && html`<div class="laid"><h4>bid <b>${bid}</b></h4><${Hand} cards=${table.laid[seat]} title=${`Bid of seat ${seat}`} /></div>`}
    <div class="held">
      <h4>hand <b>${size}</b>${table.face_down[seat] > 0 && html` <small>${table.face_down[seat]} discarded face down</small>`}</h4>
      ${own
        ? html`<${Hand} cards=${own.hand} title=${`Hand of seat ${seat}`} empty="empty" known=${known} play=${table.phase === "give" ? null : play} fields=${["cards", "card"]} />`
        : html`<${Hidden} size=${size} known=${known} seat=${seat} />`}
    </div>
    <div class="kept"><h4>profit</h4>${
      table.kept[seat].length ? html`<${Tokens} cards=${table.kept[seat]} title=${`Profit of seat ${seat}`} />` : html`<span class="none">none yet</span>`
    }</div>
  <//>`;
}

/**
 * A hand whose cards are not shown, but some of which have been seen.
 * @param {{size: number, known: import("../js/drawing.js").Inferred | undefined, seat: number}} props
 */
function Hidden({ size, known, seat }) {
  const seen = certain(known);
  const unsure = (known ?? []).filter(({ unseen }) => unseen);
  return html`<${Hand} cards=${seen} backs=${Math.max(0, size - seen.length)} title=${`Hand of seat ${seat}`} empty="empty" inferred />
    <${Known} known=${unsure} title="seen to arrive" />`;
}
