// Numbers, times and citations as people read them.

import { address, isAlone } from "./documents.js";
import { html } from "./html.js";

/**
 * With commas between thousands. The browser's own way costs 40 ms for the first number of a page.
 * @param {number} value @param {number} [digits]
 */
export function number(value, digits = 0) {
  const [whole, ...rest] = value.toFixed(digits).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** A name of data, such as `auction_won`, as words. @param {string} name */
export const words = (name) => name.replaceAll("_", " ");

/** @param {number} ms */
export function milliseconds(ms) {
  if (ms >= 1000) return `${number(ms / 1000, ms >= 10_000 ? 1 : 2)} s`;
  return ms >= 10 ? `${number(ms)} ms` : ms >= 0.1 ? `${number(ms, 1)} ms` : "< 0.1 ms";
}

/** A time that runs down. @param {number} seconds whole ones */
export const minutes = (seconds) => (seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`);

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 90) return plural(Math.max(1, Math.round(seconds)), "second");
  if (seconds < 5400) return plural(Math.round(seconds / 60), "minute");
  if (seconds < 172_800) return `${number(seconds / 3600, 1)} hours`;
  return plural(Math.round(seconds / 86_400), "day");
}

/** @param {string} iso */
export function time(iso) {
  const date = new Date(iso);
  const shown = date.toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
  return html`<time datetime=${iso} title=${iso}>${shown}</time>`;
}

/**
 * Return a text whose cited rules, such as (B3.5), are links to the rule.
 * @param {string} text @param {{name: string, rules: boolean}} game
 */
export function cite(text, game) {
  if (!game.rules || isAlone) return text;
  return text.split(/(\([A-Z]+\d+(?:\.\d+)*\))/).map((part, index) => (index % 2 ? ruleLink(part.slice(1, -1), game.name) : part));
}

/** @param {string} rule @param {string} game */
export const ruleLink = (rule, game) =>
  html`<a class="rule" href=${address`rules.html?game=${game}#${rule}`} target="_blank" rel="noopener">(${rule})</a>`;
