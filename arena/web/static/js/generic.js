// The table of any game, from the game's own words.

import { Hand, Place, html, keyed, parts, render } from "./drawing.js";
import { words } from "./format.js";

/** @param {Element} element @param {import("./drawing.js").Position} position @param {import("./drawing.js").Context} context */
export function draw(element, position, context) {
  const { table, text, own } = position;
  const names = new Set(Object.values(context.game.material.names ?? {}).flat());
  const isCards = (/** @type {any} */ value) => Array.isArray(value) && value.every((item) => names.has(item));
  const score = Array.isArray(table.points) ? table.points : undefined;
  const pieces = Object.entries(table).filter(([, value]) => isCards(value) && value.length);
  render(
    html`<div class="table generic" data-seats=${context.seats.length}>
      <div class="middle">
        <section aria-label="Table"><header><h3>Table</h3></header>
          <div class="rows">${pieces.map(([field, cards]) => html`<div class="row" key=${field}><h4>${words(field)}</h4><${Things} names=${cards} title=${words(field)} /></div>`)}</div>
          <pre class="words">${text.table.join("\n")}</pre>
        </section>
      </div>
      <div class="places">
        ${context.seats.map((_, seat) => {
          const play = context.play?.seat === seat ? context.play : null;
          const held = Object.entries(own[seat] ?? {}).filter(([, value]) => isCards(value));
          return html`<${Place} key=${seat} seat=${seat} context=${context} position=${position} score=${score?.[seat]} unit="points">
            ${held.map(([field, cards]) => html`<div class="held" key=${field}><h4>${words(field)} <b>${cards.length}</b></h4>
              <${Things} names=${cards} title=${`${words(field)} of seat ${seat}`} play=${play} /></div>`)}
            ${!held.length && (text.hand[seat] ?? []).map((line) => html`<p class="line">${line}</p>`)}
            ${!own[seat] && table.hand_sizes && html`<div class="held"><h4>hand <b>${table.hand_sizes[seat]}</b></h4><${Hand} cards=${[]} backs=${table.hand_sizes[seat]} title=${`Hand of seat ${seat}`} empty="empty" /></div>`}
          <//>`;
        })}
      </div>
    </div>`,
    element,
  );
}

/**
 * Things as cards, if their names are short enough for a card.
 * @param {{names: string[], title: string, play?: import("./drawing.js").Play | null}} props
 */
function Things({ names, title, play = null }) {
  if (names.every((name) => parts(name)[0].length <= 8))
    return html`<${Hand} cards=${names} title=${title} empty="none" play=${play} fields=${["cards", "card"]} />`;
  return html`<ul class="chips" aria-label=${title}>${keyed(names).map(({ item, key }) => html`<li key=${key}>${words(item)}</li>`)}</ul>`;
}
