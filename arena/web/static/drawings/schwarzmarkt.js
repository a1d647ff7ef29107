// The table of Schwarzmarkt: the price track, what is wanted, open cards, and each seat's goods and black-market cards.

import { Glyph, Hand, Known, Place, html, keyed, render } from "../js/drawing.js";

/** @typedef {import("../js/drawing.js").Context} Context */
/** @typedef {import("../js/drawing.js").Position} Position */
/** @typedef {import("../js/drawing.js").Play} Play */

/** @param {Element} element @param {Position} position @param {Context} context */
export function draw(element, position, context) {
  render(html`<${Table} position=${position} context=${context} />`, element);
}

/** @param {{position: Position, context: Context}} props */
function Table({ position, context }) {
  const { table } = position;
  return html`<div class="table schwarzmarkt" data-seats=${context.seats.length}>
    <div class="middle">
      <${Track} table=${table} context=${context} />
      <${Wanted} table=${table} context=${context} />
    </div>
    <div class="places">
      ${context.seats.map((_, seat) => html`<${Seat} key=${seat} seat=${seat} position=${position} context=${context} />`)}
    </div>
  </div>`;
}

/** @param {{table: Record<string, any>, context: Context}} props */
function Track({ table, context }) {
  /** @type {number[]} */
  const prices = context.game.material.prices;
  const { play } = context;
  const highest = prices[prices.length - 1];
  return html`<section class="track" aria-label="Price track">
    <header><h3>Price</h3><p>game round ${table.game_round}</p><p class="deck">${table.goods_pile_size} goods and ${table.black_market_pile_size} cards in the piles</p></header>
    <ol>
      ${prices.map((price, space) => {
        const steps = space - table.marker;
        const can = play && steps > 0 && (play.possible(["spaces"], steps) > 0 || play.picked(["spaces"], steps) > 0);
        const isPicked = play && steps > 0 && play.picked(["spaces"], steps) > 0;
        const isHere = space === table.marker;
        const bar = html`<span class="bar" style=${{ height: `${8 + (50 * price) / highest}%` }} aria-hidden="true"></span><b>${price}</b>`;
        const state = isHere ? "here" : space < table.marker ? "past" : "";
        return html`<li key=${space} class=${state} aria-current=${isHere ? "true" : undefined}>${
          can ? html`<button type="button" class="pick" aria-pressed=${String(isPicked)} aria-label=${`move the marker to ${price}`}
            onClick=${() => (isPicked ? play.unpick : play.pick)(["spaces"], steps)}>${bar}</button>` : bar
        }</li>`;
      })}
    </ol>
  </section>`;
}

/** @param {{table: Record<string, any>, context: Context}} props */
function Wanted({ table, context }) {
  return html`<section class="wanted" aria-label="Wanted">
    <header><h3>Wanted</h3>${table.traded.length > 0 && html`<p>${table.traded.length} traded</p>`}</header>
    <div class="offering">
      ${table.offer
        ? html`<div class="row"><h4>offer</h4><${Slip} name=${table.offer} context=${context} /></div>
            <div class="row"><h4>still wanted</h4><${Hand} cards=${table.demand} title="Still wanted" empty="nothing" /></div>
            ${table.traded.length > 0 && html`<div class="row"><h4>traded</h4><${Hand} cards=${table.traded} title="Traded" small /></div>`}`
        : html`<p class="none">no offer is open</p>`}
      ${table.resolving && html`<div class="row"><h4>takes effect</h4><${Slip} name=${table.resolving} context=${context} /></div>`}
      ${table.open_cards.length > 0 && html`<div class="row"><h4>open</h4><div class="slips">${keyed(table.open_cards, (card) => /** @type {any} */ (card).card).map(
        ({ item, key }) => html`<${Slip} key=${key} name=${/** @type {any} */ (item).card} target=${/** @type {any} */ (item).target} context=${context} />`,
      )}</div></div>`}
    </div>
  </section>`;
}

/**
 * A black-market card: what it wants, or its name and what it does.
 * @param {{name: string, context: Context, target?: number | null, play?: Play | null, nth?: number}} props
 */
function Slip({ name, context, target = null, play = null, nth = 0 }) {
  const card = context.game.material.cards?.[name] ?? {};
  const title = card.title ?? name.replaceAll("_", " ");
  const wants = Object.entries(card.demand ?? {});
  const said = wants.length ? `offer: ${wants.map(([good, number]) => `${number} ${good}`).join(", ")}` : `${title}: ${card.text ?? ""}`;
  const face = wants.length
    ? html`<span class="wants" aria-hidden="true">${wants.map(([good, number]) =>
        Array.from({ length: Number(number) }, (_, index) => html`<span key=${good + index} data-kind=${good}><${Glyph} kind=${good} /></span>`),
      )}</span>`
    : html`<b aria-hidden="true">${title}</b>`;
  const at = target === null || target === undefined ? "" : html`<span class="badge s${target}" aria-label=${`against seat ${target}`}>${target}</span>`;
  if (!play) return html`<span class="slip ${wants.length ? "" : "text"}" role="img" aria-label=${said} title=${said}>${face}${at}</span>`;
  const isPicked = nth < play.picked(["card"], name);
  const can = isPicked || play.possible(["card"], name) > 0;
  return html`<button type="button" class="slip ${wants.length ? "" : "text"} ${can ? "" : "impossible"}" aria-label=${said} title=${said}
    aria-pressed=${String(isPicked)} onClick=${() => (isPicked ? play.unpick : play.pick)(["card"], name)}>${face}${at}</button>`;
}

/** @param {{seat: number, position: Position, context: Context}} props */
function Seat({ seat, position, context }) {
  const { table } = position;
  const own = position.own[seat];
  const viewer = position.own[context.view];
  const known = viewer?.hands_known?.[seat];
  const play = context.play?.seat === seat ? context.play : null;
  const tags = [
    table.start === seat && html`<span class="tag" title="start player">start</span>`,
    table.traders[seat] && html`<span class="tag" title="has traded in this exchange round">traded</span>`,
  ];
  return html`<${Place} seat=${seat} context=${context} position=${position} score=${table.luxury[seat]} unit="luxury" tags=${tags} fields=${["target"]}>
    <div class="held">
      <h4>goods <b>${table.hand_sizes[seat]}</b></h4>
      ${own
        ? html`<${Hand} cards=${own.goods} title=${`Goods of seat ${seat}`} empty="none" play=${play} fields=${["goods", "good", "cards"]} />`
        : html`<${Hand} cards=${[]} backs=${table.hand_sizes[seat]} title=${`Goods of seat ${seat}`} empty="none" />`}
      ${!own && html`<${Known} known=${known} title="known to be here" />`}
    </div>
    ${own && html`<div class="contracts"><h4>black market</h4><div class="slips">${keyed(own.cards).map(
      ({ item, key, nth }) => html`<${Slip} key=${key} nth=${nth} name=${item} context=${context} play=${play && table.phase === "play" ? play : null} />`,
    )}</div></div>`}
    ${context.view === String(seat) && html`<${Known} known=${own?.pile_known} title="known to be in the goods pile" />`}
  <//>`;
}
