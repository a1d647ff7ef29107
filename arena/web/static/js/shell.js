// What every page has: where you are, the way back, and an error that says what to do.

import { isAlone } from "./documents.js";
import { html, render } from "./html.js";

/** @typedef {{text: string, href?: string}} Crumb */

/**
 * `wide`: a page for one screen, whose title stands in the first line.
 * @param {{crumbs?: Crumb[], title: any, kicker?: any, facts?: any, wide?: boolean, children?: any}} props
 */
export function Page({ crumbs = [], title, kicker, facts, wide = false, children }) {
  return html`<a class="skip" href="#content">Skip to the content</a>
    <header class="top ${wide ? "wide" : ""}">
      <nav aria-label="You are here">
        ${isAlone ? html`<span class="brand">arena</span>` : html`<a class="brand" href="index.html">arena</a>`}
        ${crumbs.map(({ text, href }) => html`<span class="crumb"><span aria-hidden="true">/</span> ${href && !isAlone ? html`<a href=${href}><bdi>${text}</bdi></a>` : html`<bdi>${text}</bdi>`}</span>`)}
      </nav>
      ${wide && html`<div class="here"><h1>${title}</h1>${kicker && html`<p class="kicker">${kicker}</p>`}</div>${facts}`}
    </header>
    <main id="content" class=${wide ? "wide" : ""} tabindex="-1">
      ${!wide && html`<div class="heading"><div>${kicker && html`<p class="kicker">${kicker}</p>`}<h1>${title}</h1></div>${facts}</div>`}
      ${children}
    </main>`;
}

/**
 * Show a page, or why it cannot be shown.
 * @param {() => Promise<void>} start
 */
export async function run(start) {
  const root = /** @type {Element} */ (document.getElementById("app"));
  try {
    await start();
    root.removeAttribute("aria-busy");
  } catch (error) {
    const said = sentence(error instanceof Error ? error.message : String(error));
    render(html`<${Page} title="This page cannot be shown"><p role="alert" class="notice">${said}</p><p><a href="index.html">Back to the first page</a></p><//>`, root);
    root.removeAttribute("aria-busy");
    if (!(error instanceof Error && error.name === "Error")) throw error;
  }
}

/** Messages of the server begin in lower case, as on a command line. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/** The element that a page fills. */
export const root = () => /** @type {Element} */ (document.getElementById("app"));
