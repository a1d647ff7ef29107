// A tournament: live standings, progress, who beats whom, trends, faults, and how to check it.

import { address, load, parameters } from "./documents.js";
import { duration, number, plural, time } from "./format.js";
import { html, render, useState } from "./html.js";
import { follow } from "./live.js";
import { Page, root, run } from "./shell.js";
import { BotLink, Clock, Faults, Matches, Trend } from "./standings.js";

/** @typedef {import("./standings.js").Bot} Bot */
/** @typedef {{rank: number, name: string, version: string, rating: number, sigma: number, matches: number, wins: number, mean_rank: number, mean_rank_ci95: [number, number] | null,
 *   mean_score: number, faults: Record<string, number>, forfeits: number, rank_set?: [number, number]}} Standing */
/** @typedef {Record<string, any> & {name: string, title: string, bots: Bot[], players: number, crosstable: ([number, number, number] | null)[][]}} Tournament */

const name = parameters.get("t") ?? "";

run(async () => {
  const home = await load("data/home.json");
  show(await load(address`data/t/${name}/tournament.json`), home.live === true ? "live" : "");
  if (home.live)
    follow([`tournament/${name}`], {
      tournament: ({ tournament }) => show(tournament, "live"),
      offline: () => show(latest, "offline"),
      gone: ({ reason }) => show(latest, reason || "gone"),
    });
});

/** @type {Tournament} */
let latest;

/** @param {Tournament} tournament @param {string} state */
function show(tournament, state) {
  latest = tournament;
  document.title = `${tournament.title} · arena`;
  render(html`<${Whole} tournament=${tournament} state=${state} />`, root());
}

/** @param {{tournament: Tournament, state: string}} props */
function Whole({ tournament, state }) {
  const { bots, leaderboard, players, phase, running, newest, trend } = tournament;
  const isOver = !["preparing", "running", "stopping"].includes(phase);
  return html`<${Page} crumbs=${[{ text: tournament.title }]} title=${html`<bdi>${tournament.title}</bdi>`}
    kicker=${html`${tournament.game}, ${players} players <span class="tag ${phase === "running" ? "act" : ""}">${phase}</span> ${state === "offline" && html`<span class="tag fault">connection lost, trying again</span>`}`}>
    ${tournament.reason && html`<p class="notice">${tournament.reason}</p>`}
    <dl class="facts">
      <div><dt>matches</dt><dd>${number(tournament.played)} <small>of ${number(tournament.scheduled)}</small></dd></div>
      ${leaderboard && html`<div><dt>blocks</dt><dd>${number(leaderboard.blocks)}</dd></div>`}
      ${tournament.rate_per_min !== null && html`<div><dt>rate</dt><dd>${number(tournament.rate_per_min)} <small>matches a minute</small></dd></div>`}
      ${tournament.left_s !== null && html`<div><dt>time left</dt><dd>about ${duration(tournament.left_s)}</dd></div>`}
      ${tournament.parked > 0 && html`<div><dt>given up</dt><dd>${number(tournament.parked)}</dd></div>`}
      <${Clock} rules=${tournament.rules} />
      ${tournament.created && html`<div><dt>started</dt><dd>${time(tournament.created)}</dd></div>`}
    </dl>
    ${!isOver && html`<progress max=${tournament.scheduled} value=${tournament.played} aria-label="Matches played"></progress>`}
    <section aria-labelledby="standings"><h2 id="standings">Standings</h2>
      ${tournament.page && html`<p class="hint"><a href=${tournament.page}>The leaderboard as one page</a>, with rank sets and how sure they are.</p>`}
      ${leaderboard?.bots.length ? html`<${Standings} tournament=${tournament} />` : html`<p class="none">No match has ended yet.</p>`}</section>
    ${running.length > 0 && html`<section aria-labelledby="running"><h2 id="running">Running now</h2><ul class="cards">${running.map(
      (/** @type {any} */ match) => html`<li key=${match.id}><${Running} match=${match} /></li>`,
    )}</ul></section>`}
    ${leaderboard && trend.blocks.length > 1 && html`<section aria-labelledby="trends"><h2 id="trends">Trends</h2>
      <p class="hint">Mean rank in each part of the tournament, over whole blocks. The top line is rank 1.</p>
      <ul class="trends">${leaderboard.bots.map((/** @type {Standing} */ standing) => {
        const index = bots.findIndex((bot) => bot.name === standing.name);
        return html`<li key=${standing.name}><h3><bdi>${standing.name}</bdi> <span>${standing.mean_rank.toFixed(2)}</span></h3><${Trend} blocks=${trend.blocks} ranks=${trend.mean_rank[index] ?? []} players=${players} label=${standing.name} /></li>`;
      })}</ul></section>`}
    <div class="pair">
    ${leaderboard?.bots.length > 1 && html`<section aria-labelledby="cross"><h2 id="cross">Who finishes above whom</h2><${Crosstable} tournament=${tournament} /></section>`}
    <section aria-labelledby="faults"><h2 id="faults">Faults</h2><${Faults} faults=${tournament.faults} bots=${bots} tournament=${tournament.name} /></section>
    </div>
    <section aria-labelledby="newest"><h2 id="newest">Matches</h2><${AllMatches} tournament=${tournament} newest=${newest} /></section>
    <section aria-labelledby="checking"><h2 id="checking">Check it yourself</h2><${Proof} tournament=${tournament} /></section>
  <//>`;
}

/** @type {Record<string, (standing: any) => any>} */
const COLUMNS = {
  rank: ({ rank }) => rank,
  bot: (standing) => standing.name,
  rating: ({ rating }) => -rating,
  "mean rank": (standing) => standing.mean_rank,
  "mean points": (standing) => -standing.mean_score,
  "first places": (standing) => -standing.wins / Math.max(1, standing.matches),
  faults: (standing) => -faultsOf(standing),
};

/** @param {Standing} standing */
const faultsOf = (standing) => Object.values(standing.faults).reduce((sum, count) => sum + count, 0);

/** @param {{tournament: Tournament}} props */
function Standings({ tournament }) {
  const [[column, isUp], setOrder] = useState(/** @type {[string, boolean]} */ (["rank", true]));
  const { bots: standings } = tournament.leaderboard;
  const key = COLUMNS[column];
  const sorted = [...standings].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.rank - b.rank) * (isUp ? 1 : -1));
  const known = standings.filter((/** @type {Standing} */ standing) => standing.mean_rank_ci95);
  const low = Math.min(...known.map((/** @type {any} */ standing) => standing.mean_rank_ci95[0]));
  const high = Math.max(...known.map((/** @type {any} */ standing) => standing.mean_rank_ci95[1]));
  const hasSets = standings.some((/** @type {Standing} */ standing) => standing.rank_set);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Standings"><table class="list">
    <caption class="unseen">Standings</caption>
    <thead><tr>${Object.keys(COLUMNS).map((title) => html`<th key=${title} scope="col" class=${title === "bot" ? "" : "n"} aria-sort=${title === column ? (isUp ? "ascending" : "descending") : "none"}>
      <button type="button" onClick=${() => setOrder([title, title === column ? !isUp : true])}>${title}</button></th>${
        title === "rank" && hasSets ? html`<th scope="col" class="n" title="With 95 % confidence, the ranks it may truly have">rank set</th>` : title === "mean rank" ? html`<th scope="col">95 % interval</th>` : ""
      }`)}</tr></thead>
    <tbody>${sorted.map((standing) => html`<tr key=${standing.name}>
      <td class="n">${standing.rank}</td>${hasSets && html`<td class="n">${standing.rank_set ? [...new Set(standing.rank_set)].join("–") : ""}</td>`}
      <th scope="row"><${BotLink} tournament=${tournament.name} bot=${standing} /> <small class="version"><bdi>${standing.version}</bdi></small></th>
      <td class="n">${standing.rating.toFixed(1)} <small class="aside">± ${(2 * standing.sigma).toFixed(1)}</small></td>
      <td class="n">${standing.mean_rank.toFixed(2)}</td>
      <td>${standing.mean_rank_ci95 ? html`<${Interval} low=${low} high=${high} mean=${standing.mean_rank} ends=${standing.mean_rank_ci95} />` : html`<small class="aside">too few deals</small>`}</td>
      <td class="n">${standing.mean_score.toFixed(1)}</td>
      <td class="n">${standing.wins} <small class="aside">of ${standing.matches}</small></td>
      <td class="n">${faultsOf(standing)}${standing.forfeits > 0 && html` <small class="aside">${plural(standing.forfeits, "forfeit")}</small>`}</td>
    </tr>`)}</tbody></table></div>`;
}

/** @param {{low: number, high: number, mean: number, ends: [number, number]}} props */
function Interval({ low, high, mean, ends }) {
  const x = (/** @type {number} */ value) => `${(4 + ((value - low) / Math.max(0.001, high - low)) * 92).toFixed(1)}%`;
  return html`<svg class="interval" role="img" aria-label=${`${ends[0].toFixed(2)} to ${ends[1].toFixed(2)}`}>
    <line x1=${x(ends[0])} x2=${x(ends[1])} y1="9" y2="9" /><circle cx=${x(mean)} cy="9" r="4" /></svg>`;
}

/** @param {{match: any}} props */
function Running({ match }) {
  const inside = html`<h3>${match.id} <span class="tag">move ${match.moves}</span></h3><p class="seats-line">${match.seats.map(
    (/** @type {string} */ bot, /** @type {number} */ seat) => html`<span key=${seat}><span class="badge s${seat}">${seat}</span> <bdi>${bot || "hidden"}</bdi></span>`,
  )}</p>`;
  return match.watch ? html`<a class="tile" href=${address`match.html?live=${match.id}`}>${inside}</a>` : html`<div class="tile">${inside}</div>`;
}

/** @param {{tournament: Tournament}} props */
function Crosstable({ tournament }) {
  const { bots, crosstable } = tournament;
  const order = /** @type {number[]} */ (tournament.leaderboard.bots.map((/** @type {Standing} */ { name: bot }) => bots.findIndex((entry) => entry.name === bot)).filter((/** @type {number} */ index) => index >= 0));
  return html`<p class="hint">Percent of common matches in which the bot of the row finished above the bot of the column; ties count half.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Who finishes above whom"><table class="cross"><caption class="unseen">Who finishes above whom</caption>
    <thead><tr><td></td>${order.map((bot, place) => html`<th key=${bot} scope="col" title=${bots[bot].name}>${place + 1}<span class="unseen"> <bdi>${bots[bot].name}</bdi></span></th>`)}</tr></thead>
    <tbody>${order.map((row, place) => html`<tr key=${row}><th scope="row"><span class="none">${place + 1}</span> <bdi>${bots[row].name}</bdi></th>${order.map((column) => {
      const cell = crosstable[row]?.[column];
      const common = cell ? cell[0] + cell[1] + cell[2] : 0;
      if (!cell || !common) return html`<td key=${column}></td>`;
      const share = (cell[0] + cell[1] / 2) / common;
      return html`<td key=${column} class="h${Math.round(share * 10)}" title=${`above ${cell[0]}, equal ${cell[1]}, below ${cell[2]}`}>${Math.round(share * 100)}</td>`;
    })}</tr>`)}</tbody></table></div>`;
}

/** @param {{tournament: Tournament, newest: any[]}} props */
function AllMatches({ tournament, newest }) {
  const [page, setPage] = useState(/** @type {{page: number, matches: any[]} | null} */ (null));
  const [part, setPart] = useState(0);
  const SHOWN = 50;
  const turn = async (/** @type {number} */ to) => {
    setPage(to < 0 ? null : await load(address`data/t/${tournament.name}/matches/${to}.json`));
    setPart(0);
  };
  const shown = page ? page.matches.slice(part * SHOWN, (part + 1) * SHOWN) : newest;
  const parts = page ? Math.ceil(page.matches.length / SHOWN) : 1;
  if (!newest.length) return html`<p class="none">No match has ended yet.</p>`;
  return html`<${Matches} tournament=${tournament.name} bots=${tournament.bots} matches=${shown} caption=${page ? "Matches" : "The newest matches"} />
    <div class="pager">${page
      ? html`<button type="button" class="quiet" disabled=${part === 0 && page.page === 0} onClick=${() => (part > 0 ? setPart(part - 1) : turn(page.page - 1))}>Earlier</button>
          <span>${page.page * 1000 + part * SHOWN + 1} to ${page.page * 1000 + part * SHOWN + shown.length}</span>
          <button type="button" class="quiet" disabled=${part === parts - 1 && page.page === tournament.pages - 1} onClick=${() => (part < parts - 1 ? setPart(part + 1) : turn(page.page + 1))}>Later</button>
          <button type="button" class="quiet" onClick=${() => turn(-1)}>Newest</button>`
      : tournament.pages > 0 && html`<button type="button" class="quiet" onClick=${() => turn(0)}>All matches</button>`}</div>`;
}

/** @param {{tournament: Tournament}} props */
function Proof({ tournament }) {
  const { commitment, seed, salt, verify } = tournament;
  return html`<p>${seed === null
      ? "The seed of all deals was fixed before the first match. Its commitment is published now; the seed and the salt follow when the last match has ended."
      : "The commitment was published before the first match. It is the SHA-256 of salt and seed, so nobody could choose the deals afterwards."}</p>
    <dl class="facts">
      <div><dt>commitment</dt><dd class="hash">${commitment}</dd></div>
      ${seed !== null && html`<div><dt>seed</dt><dd class="hash">${seed}</dd></div><div><dt>salt</dt><dd class="hash">${salt}</dd></div>`}
    </dl>
    ${verify && html`<p>This command plays every match again and compares:</p><pre tabindex="0"><code>${verify}</code></pre>`}`;
}
