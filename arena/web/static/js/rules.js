// The rules of a game; every rule has an address.

import { address, load, parameters } from "./documents.js";
import { html, render } from "./html.js";
import { Page, root, run } from "./shell.js";

run(async () => {
  const rules = await load(address`data/rules/${parameters.get("game") ?? ""}.json`);
  document.title = `${rules.title} · arena`;
  render(html`<${Page} crumbs=${[{ text: "rules" }]} title=${rules.title}><div class="rules">${rules.sections.map(
    (/** @type {any} */ section, /** @type {number} */ index) => html`<section key=${index} id=${section.id || undefined}>
      ${index > 0 && html`<h2>${section.id && `${section.id} `}${marked(section.title)}</h2>`}${section.blocks.map((/** @type {any} */ block, /** @type {number} */ at) => html`<${Block} key=${at} block=${block} />`)}</section>`,
  )}</div><//>`, root());
  if (location.hash) location.replace(location.hash); // the rule is only there now
});

/** @param {{block: any}} props */
function Block({ block }) {
  const items = (/** @type {string[]} */ list) => html`<ul>${list.map((item, index) => html`<li key=${index}>${marked(item)}</li>`)}</ul>`;
  switch (block.kind) {
    case "rule":
      return html`<div class="rule-item" id=${block.id || undefined}>${block.id ? html`<a href=${`#${block.id}`}>${block.id}</a>` : html`<span></span>`}<div>${marked(block.text)}${block.items && items(block.items)}</div></div>`;
    case "list":
      return items(block.items);
    case "table":
      return html`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${block.head.map((/** @type {string} */ cell, /** @type {number} */ index) => (cell ? html`<th key=${index} scope="col">${marked(cell)}</th>` : html`<td key=${index}></td>`))}</tr></thead>
        <tbody>${block.rows.map((/** @type {string[]} */ row, /** @type {number} */ index) => html`<tr key=${index}>${row.map((cell, at) => html`<td key=${at}>${marked(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
    case "code":
      return html`<pre tabindex="0">${block.text}</pre>`;
    default:
      return html`<p>${marked(block.text)}</p>`;
  }
}

/** Bold and code inside a text. @param {string} text */
function marked(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part) =>
    part.startsWith("**") ? html`<strong>${part.slice(2, -2)}</strong>` : part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part.length > 2 && part.startsWith("*") ? html`<em>${part.slice(1, -1)}</em>` : part,
  );
}
