// Pictures of goods, 24 by 24. Each has an outline of its own, so that colour is never needed to tell them apart.

import { html } from "./html.js";

const cut = { stroke: "var(--face)", fill: "none", "stroke-width": 1.3, "stroke-linecap": "round" };
const line = { stroke: "currentColor", fill: "none", "stroke-width": 1.8, "stroke-linecap": "round" };

/** @type {Record<string, () => import("./html.js").Node>} */
const pictures = {
  cloth: () => html`<path d="M3.5 5.5c0-1.4 1-2.5 2.4-2.5h13c1.4 0 1.9 1.2 1.9 2.5V19l-2.9 2-2.9-2-2.9 2-2.9-2-2.9 2-2.8-2z"/>
    <path ...${cut} d="M4 8.2h16.4M4 11.4h16.4M8.5 14.5v3M12 14.5v4.5M15.5 14.5v3"/>`,
  spice: () => html`<path d="M4.5 12.2C6.3 7.4 9.5 3 12 3s5.7 4.4 7.5 9.2z"/>
    <path d="M2.5 13.4h19c0 3.6-2.6 6-5.5 6.8V22H8v-1.8c-2.9-.8-5.5-3.2-5.5-6.8z"/>
    <path ...${cut} stroke-width="1.7" d="M10.2 9.4v.01M13.6 8v.01M12.4 5.6v.01M8.4 11v.01M15.4 10.8v.01"/>`,
  wine: () => html`<path d="M9.6 2h4.8v2c0 .9-.7 1.5-.7 2.4 0 2 4.1 3.4 4.1 7.4 0 3.4-2.7 5.6-4.2 7V22h-3.2v-1.2c-1.5-1.4-4.2-3.6-4.2-7 0-4 4.1-5.400 4.100-7.400 0-.9-.7-1.500-.7-2.400z"/>
    <path ...${line} d="M9.500 3.800c-4.300 0-5 3.600-3 6.400M14.500 3.800c4.300 0 5 3.600 3 6.400"/>
    <path ...${cut} d="M7.400 13h9.200"/>`,
  wood: () => html`<circle cx="7" cy="16.4" r="4.900"/><circle cx="17" cy="16.400" r="4.900"/><circle cx="12" cy="7.600" r="4.900"/>
    <g ...${cut} stroke-width="1.200"><circle cx="7" cy="16.400" r="2.600"/><circle cx="17" cy="16.400" r="2.600"/><circle cx="12" cy="7.600" r="2.600"/>
    <path d="M7 16.400v.01M17 16.400v.01M12 7.600v.01"/></g>`,
  grain: () => html`<path ...${line} d="M12 22V8"/><path d="M12 1.500c1.900 1.900 1.900 4.300 0 6.200-1.900-1.900-1.900-4.300 0-6.200z"/>
    ${[7, 11, 15].map((y) => html`<path d="M12.300 ${y + 3.600}c0-2.800 1.800-4.500 5-4.500 0 2.900-1.900 4.600-5 4.500zM11.700 ${y + 3.600}c0-2.800-1.800-4.500-5-4.500 0 2.900 1.900 4.600 5 4.500z"/>`)}`,
  olives: () => html`<path ...${line} d="M4 3c5 .5 9 2 12.500 5M9.500 5c-.6 2-.9 3.500-.9 5.400M15.600 7.300c.6 1.600.7 3 .5 4.600"/>
    <path d="M12 3.200c2.600-2.200 6.300-2 9 .2-2.600 2.100-6.300 2.200-9-.2z"/><ellipse cx="8.200" cy="14.800" rx="4.100" ry="5"/><ellipse cx="16.600" cy="16.600" rx="4" ry="4.900"/>
    <path ...${cut} d="M6.200 13.600c.3-1 .8-1.600 1.500-1.900M14.700 15.400c.3-1 .8-1.600 1.500-1.900"/>`,
  trader: () => html`<path d="M6.600 6.800C7 3.600 9 1.800 12 1.800s5 1.800 5.400 5l2.600.8c.5.2.5.9 0 1-5.300 1.500-10.700 1.500-16 0-.500-.1-.500-.8 0-1z"/>
    <path d="M8 10.200c2.700.4 5.300.4 8 0 .1 3.500-1.400 5.600-4 5.600s-4.100-2.100-4-5.600z"/><path d="M3.500 22c.2-4 2.400-5.900 5.700-6.500 1.700 1.600 3.900 1.600 5.600 0 3.300.6 5.500 2.500 5.700 6.500z"/>
    <path ...${cut} d="M12 18v3.500"/>`,
  potatoes: () => html`<path d="M9.500 3.500c3.400-.8 6 1 6 4 0 2.600-1.800 3-2.500 5.200-.800 2.400-2.600 3.900-5.300 3.500C4.500 15.700 2.600 13 3 9.800c.4-3.300 3-5.500 6.500-6.300z"/>
    <path d="M16.500 10.500c2.900.2 4.900 2.400 4.700 5.400-.2 3.200-2.600 5.400-6 5.400-2.400 0-4.200-1-5-2.600 2.500-.4 4.100-2 4.900-4.700.4-1.300.5-2.400 1.400-3.500z"/>
    <path ...${cut} stroke-width="1.800" d="M8 8v.01M11.500 6.800v.01M7 12v.01M17.500 14.500v.01M15.500 18v.01"/>`,
  butter: () => html`<path d="M2.500 11.500l5-5h14l-5 5z"/><path d="M2.500 13h13.600v6.500H2.500z"/><path d="M17.600 12.600l4.400-4.500v6.600l-4.400 4.500z"/>
    <path ...${cut} d="M6.500 13.500v5.600M9.800 13.500v5.600"/>`,
  sugar: () => html`<path d="M12 1.800l4.600 2.300v5L12 11.400 7.400 9.100v-5z"/><path d="M6.800 11.300l4.600 2.300v5l-4.600 2.300-4.600-2.300v-5z"/><path d="M17.200 11.300l4.600 2.300v5l-4.600 2.300-4.600-2.300v-5z"/>
    <path ...${cut} d="M7.800 4.300L12 6.400l4.200-2.100M12 6.400v4.500M2.600 13.800l4.200 2.100 4.200-2.100M6.800 15.900v4.500M13 13.800l4.200 2.100 4.200-2.100M17.200 15.900v4.500"/>`,
  coffee: () => html`<ellipse cx="12" cy="12" rx="6.800" ry="10" transform="rotate(38 12 12)"/>
    <path ...${cut} stroke-width="1.900" d="M17.800 4.600c-1 3.900-3.200 4.800-5.600 7.200s-4.400 3.700-6 7.600"/>`,
  flour: () => html`<path d="M7.500 2.500c1.500 1 2.500-.6 4.500-.6s3 1.600 4.500.6l-1.700 4.200H9.200z"/><path d="M8.800 7.600h6.400c3.400 2.700 5.300 5.500 5.300 9 0 3.600-2 5.400-8.500 5.400S3.500 20.200 3.500 16.600c0-3.500 1.900-6.300 5.300-9z"/>
    <path ...${cut} d="M8.500 13.500h7M7.500 16.800h9"/>`,
};

// For kinds of other games: a shape chosen by the name, which stays the same from page to page.
const SHAPES = [
  "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0z", "M12 2l9 10-9 10-9-10z", "M12 3l10 18H2z", "M4 4h16v16H4z", "M12 2l9 5v10l-9 5-9-5V7z",
  "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z", "M12 2l2.900 6.600 7.100.7-5.400 4.700 1.600 7L12 17.300 5.800 21l1.600-7L2 9.300l7.100-.7z", "M12 2c4.500 5.500 7 8.700 7 12.500A7 7 0 0 1 5 14.500C5 10.700 7.500 7.500 12 2z",
];

/** @param {string} kind */
const shape = (kind) => SHAPES[[...kind].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % SHAPES.length];

/** The kinds that have a picture. */
export const pictured = new Set(Object.keys(pictures));

/**
 * A picture of a kind of goods; a shape if there is no picture.
 * @param {{kind: string}} props
 */
export function Glyph({ kind }) {
  const picture = pictures[kind];
  return html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="currentColor">
    ${picture ? picture() : html`<path d=${shape(kind)} />`}
  </svg>`;
}
