// High Card on web pages: the trick in the middle, and each seat with its hand.

import { Hand, Place, html, render } from "../js/drawing.js";

export function draw(element, position, context) {
  const { table, own } = position;
  const seats = context.seats.map((_, seat) => {
    const play = context.play?.seat === seat ? context.play : null;
    const tags = [table.leader === seat && html`<span class="tag">leads</span>`];
    return html`<${Place} key=${seat} seat=${seat} context=${context} position=${position}
        score=${table.points[seat]} unit="tricks" tags=${tags}>
      <${Hand} cards=${own[seat]?.hand ?? []} backs=${own[seat] ? 0 : table.hand_sizes[seat]}
        title="Hand" empty="empty" play=${play} fields=${["card"]} />
    <//>`;
  });
  const trick = html`<section aria-label="Trick">
    <header><h3>Trick</h3><p>${table.stock_size} cards in the stock</p></header>
    <${Hand} cards=${table.trick} title="Trick" empty="no card yet" />
  </section>`;
  const gone = html`<section aria-label="Played before">
    <header><h3>Played before</h3></header>
    <${Hand} cards=${table.gone} title="Played before" empty="nothing" small />
  </section>`;
  render(html`<div class="table"><div class="middle">${trick}${gone}</div><div class="places">${seats}</div></div>`, element);
}
