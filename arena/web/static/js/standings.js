// Parts of tournament and bot pages: matches, trends, faults.

import { address, matchPage } from "./documents.js";
import { milliseconds, number, plural, words } from "./format.js";
import { html } from "./html.js";

/** @typedef {{name: string, version: string, group: string}} Bot */
/**
 * @typedef {object} Match
 * @property {string} match
 * @property {number} deal
 * @property {(number | null)[]} seats
 * @property {number[]} scores
 * @property {number[]} ranks
 * @property {string[]} [ended]
 * @property {number} [moves]
 * @property {{seat: number, move: number, fault: string, detail: string, forfeited?: boolean}[]} [faults]
 * @property {boolean} [open]
 * @property {boolean} [no_replay]
 */
/** @typedef {{bot?: number, fault: string, detail?: string, count: number, forfeits: number, match?: string, move?: number}} FaultGroup */

/** @param {{tournament: string, bot: Bot | undefined}} props */
export const BotLink = ({ tournament, bot }) =>
  bot ? html`<a href=${address`bot.html?t=${tournament}&b=${bot.name}`}><bdi>${bot.name}</bdi></a>` : html`<span class="none">hidden</span>`;

/**
 * Matches, each a link to its replay where there is one.
 * @param {{tournament: string, bots: Bot[], matches: Match[], caption?: string, own?: number}} props
 */
export function Matches({ tournament, bots, matches, caption, own }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption ?? "Matches"}><table class="list"><caption class="unseen">${caption ?? "Matches"}</caption>
    <thead><tr><th scope="col">match</th><th scope="col">seats, with points</th><th scope="col" class="n">moves</th></tr></thead>
    <tbody>${matches.map((match) => html`<tr key=${match.match}>
      <th scope="row">${match.open || match.no_replay ? html`<span title=${match.open ? "Its deal is still being played." : "The replay was not kept."}>${match.match}</span>` : html`<a href=${matchPage(tournament, match.match)}>${match.match}</a>`}</th>
      <td><${Seats} bots=${bots} match=${match} own=${own} />${match.faults?.map((fault, index) => html`<div key=${index} class="fault"><small>${
        match.open || match.no_replay ? `move ${fault.move}` : html`<a href=${matchPage(tournament, match.match, fault.move)}>move ${fault.move}</a>`
      }: seat ${fault.seat}, ${words(fault.fault)}${fault.detail && html`, <bdi>${fault.detail}</bdi>`}</small></div>`)}</td>
      <td class="n">${match.moves ?? ""}</td></tr>`)}</tbody></table></div>`;
}

/** @param {{bots: Bot[], match: Match, own?: number}} props */
function Seats({ bots, match, own }) {
  return html`<span class="seats-line">${match.seats.map((bot, seat) => html`<span key=${seat} class=${match.ranks[seat] === 1 ? "first" : ""}>
    <span class="badge s${seat}" aria-label=${`seat ${seat}`}>${seat}</span> ${bot !== null && bot === own ? html`<u><bdi>${bots[bot]?.name}</bdi></u>` : html`<bdi>${bot === null ? "hidden" : bots[bot]?.name}</bdi>`}
    ${" "}${match.scores[seat]}${match.ranks[seat] === 1 ? html`<span class="unseen"> (first)</span>` : ""}</span>`)}</span>`;
}

/**
 * The mean rank by part of the tournament, first rank on top.
 * @param {{blocks: number[], ranks: (number | null)[], players: number, label: string}} props
 */
export function Trend({ blocks, ranks, players, label }) {
  const [width, height] = [240, 64];
  const x = (/** @type {number} */ at) => 4 + (at / Math.max(1, blocks.length - 1)) * (width - 8);
  const y = (/** @type {number} */ rank) => 6 + ((rank - 1) / Math.max(1, players - 1)) * (height - 12);
  const points = ranks.map((rank, at) => (rank === null ? null : `${x(at).toFixed(1)},${y(rank).toFixed(1)}`)).filter((point) => point !== null);
  const known = ranks.filter((rank) => rank !== null);
  const said = `${label}: mean rank by part of the tournament, from ${known.at(0)?.toFixed(2) ?? "none"} to ${known.at(-1)?.toFixed(2) ?? "none"}`;
  return html`<svg class="trend" viewBox="0 0 ${width} ${height}" role="img" aria-label=${said}>
    ${Array.from({ length: players }, (_, rank) => html`<line key=${rank} class="grid" x1="4" x2=${width - 4} y1=${y(rank + 1)} y2=${y(rank + 1)} />`)}
    <polyline class="series" points=${points.join(" ")} />
    ${points.length === 1 && html`<circle cx=${points[0]?.split(",")[0]} cy=${points[0]?.split(",")[1]} r="3" fill="var(--accent)" />`}
  </svg>`;
}

/** @param {{faults: FaultGroup[], bots: Bot[], tournament: string}} props */
export function Faults({ faults, bots, tournament }) {
  if (!faults.length) return html`<p class="none">No faults.</p>`;
  const isShared = faults.some(({ bot }) => bot !== undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Faults"><table class="list"><caption class="unseen">Faults</caption>
    <thead><tr>${isShared && html`<th scope="col">bot</th>`}<th scope="col">fault</th><th scope="col" class="n">how often</th><th scope="col" class="n">forfeits</th><th scope="col">first</th></tr></thead>
    <tbody>${faults.map((fault, index) => html`<tr key=${index}>${isShared && html`<th scope="row"><${BotLink} tournament=${tournament} bot=${bots[fault.bot ?? -1]} /></th>`}
      <td>${words(fault.fault)}${fault.detail && html`<br /><small class="aside"><bdi>${fault.detail}</bdi></small>`}</td><td class="n">${number(fault.count)}</td><td class="n">${number(fault.forfeits)}</td>
      <td>${fault.match && html`<a href=${matchPage(tournament, fault.match, fault.move)}>match ${fault.match}, move ${fault.move}</a>`}</td></tr>`)}</tbody></table></div>`;
}

/** @param {{rules: {move_time_s?: number | null, bank_s?: number, max_faults?: number}}} props */
export function Clock({ rules }) {
  if (rules.bank_s === undefined) return null;
  return html`<div><dt>time</dt><dd>${rules.move_time_s ? `${milliseconds(rules.move_time_s * 1000)} a move` : "no limit a move"} <small>bank ${milliseconds(rules.bank_s * 1000)}, ${plural(rules.max_faults ?? 0, "fault")} allowed</small></dd></div>`;
}
