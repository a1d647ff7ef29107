// A bot in a tournament: its matches with filters, places, best and worst deals, times, faults, notes and log.

import { address, load, matchPage, parameters } from "./documents.js";
import { milliseconds, number, plural, words } from "./format.js";
import { html, render, useMemo, useState } from "./html.js";
import { Page, root, run } from "./shell.js";
import { BotLink, Faults, Matches, Trend } from "./standings.js";

/** @typedef {import("./standings.js").Match} Match */

run(async () => {
  const [name, bot] = [parameters.get("t") ?? "", parameters.get("b") ?? ""];
  const [tournament, document_, first] = await Promise.all([
    load(address`data/t/${name}/tournament.json`),
    load(address`data/t/${name}/bots/${bot}/bot.json`),
    load(address`data/t/${name}/bots/${bot}/matches/0.json`).catch(() => ({ matches: [], page: 0, pages: 0 })),
  ]);
  document.title = `${document_.name} · ${tournament.title}`;
  render(html`<${Whole} tournament=${tournament} bot=${document_} first=${first} />`, root());
});

/** @param {{tournament: any, bot: any, first: {matches: Match[], pages: number}}} props */
function Whole({ tournament, bot, first }) {
  const { standing, times } = bot;
  const total = Math.max(1, ...bot.places);
  return html`<${Page} crumbs=${[{ text: tournament.title, href: address`tournament.html?t=${tournament.name}` }]} title=${html`<bdi>${bot.name}</bdi>`}
    kicker=${html`version <bdi>${bot.version}</bdi>${bot.group && html`, group <bdi>${bot.group}</bdi>`}`}>
    <dl class="facts">
      ${standing && html`<div><dt>rank</dt><dd>${standing.rank} <small>of ${tournament.bots.length}</small></dd></div>
        <div><dt>rating</dt><dd>${standing.rating.toFixed(1)}</dd></div>
        <div><dt>mean rank</dt><dd>${standing.mean_rank.toFixed(2)} ${standing.mean_rank_ci95 && html`<small>${standing.mean_rank_ci95[0].toFixed(2)} to ${standing.mean_rank_ci95[1].toFixed(2)}</small>`}</dd></div>
        <div><dt>mean points</dt><dd>${standing.mean_score.toFixed(1)}</dd></div><div><dt>matches</dt><dd>${number(standing.matches)}</dd></div>`}
      ${times && html`<div><dt>time for a decision</dt><dd>${milliseconds(times.mean_ms)} <small>slowest ${milliseconds(times.slowest_ms)}, ${number(times.decisions)} decisions</small></dd></div>`}
    </dl>
    <div class="pair">
      <section aria-labelledby="places"><h2 id="places">Places</h2><ul class="bars">${bot.places.map((/** @type {number} */ count, /** @type {number} */ index) => html`<li key=${index}><span>rank ${index + 1}</span><span class="track"><span class="fill" style=${{ width: `${(100 * count) / total}%` }}></span></span><span>${number(count)}</span></li>`)}</ul></section>
      ${bot.trend.blocks.length > 1 && html`<section aria-labelledby="trend"><h2 id="trend">Trend</h2><p class="hint">Mean rank in each part of the tournament. The top line is rank 1.</p><${Trend} blocks=${bot.trend.blocks} ranks=${bot.trend.mean_rank} players=${tournament.players} label=${bot.name} /></section>`}
      <section aria-labelledby="others"><h2 id="others">Against others</h2><div class="scroll" tabindex="0" role="region" aria-label="Against others"><table class="list"><caption class="unseen">Against others</caption><thead><tr><th scope="col">bot</th><th scope="col" class="n">above</th><th scope="col" class="n">equal</th><th scope="col" class="n">below</th></tr></thead>
        <tbody>${bot.others.map((/** @type {any} */ other) => html`<tr key=${other.bot}><th scope="row"><${BotLink} tournament=${tournament.name} bot=${tournament.bots[other.bot]} /></th><td class="n">${other.above}</td><td class="n">${other.equal}</td><td class="n">${other.below}</td></tr>`)}</tbody></table></div></section>
      <section aria-labelledby="seats"><h2 id="seats">By seat</h2><div class="scroll" tabindex="0" role="region" aria-label="By seat"><table class="list"><caption class="unseen">By seat</caption><thead><tr><th scope="col">seat</th><th scope="col" class="n">matches</th><th scope="col" class="n">mean rank</th><th scope="col" class="n">mean points</th></tr></thead>
        <tbody>${bot.seats.map((/** @type {any} */ seat, /** @type {number} */ index) => html`<tr key=${index}><th scope="row"><span class="badge s${index}">${index}</span></th><td class="n">${seat.matches}</td><td class="n">${seat.mean_rank?.toFixed(2)}</td><td class="n">${seat.mean_score?.toFixed(1)}</td></tr>`)}</tbody></table></div></section>
      ${["best", "worst"].map((which) => html`<section key=${which} aria-labelledby=${which}><h2 id=${which}>${which === "best" ? "Best deals" : "Worst deals"}</h2><div class="scroll" tabindex="0" role="region" aria-label=${`${which} deals`}><table class="list"><caption class="unseen">${which} deals</caption><thead><tr><th scope="col">deal</th><th scope="col" class="n">matches</th><th scope="col" class="n">mean rank</th><th scope="col" class="n">lead</th></tr></thead>
        <tbody>${bot.deals[which].map((/** @type {any} */ deal) => html`<tr key=${deal.deal}><th scope="row">${deal.deal}</th><td class="n">${deal.matches}</td><td class="n">${deal.mean_rank.toFixed(2)}</td><td class="n" title="points above the mean of the table">${deal.mean_lead.toFixed(1)}</td></tr>`)}</tbody></table></div></section>`)}
    </div>
    <section aria-labelledby="matches"><h2 id="matches">Matches</h2><${Filtered} tournament=${tournament} bot=${bot} first=${first} /></section>
    <section aria-labelledby="faults"><h2 id="faults">Faults</h2><${Faults} faults=${bot.faults} bots=${tournament.bots} tournament=${tournament.name} /></section>
    ${bot.notes.length > 0 && html`<section aria-labelledby="notes"><h2 id="notes">Last notes</h2><ul>${bot.notes.map((/** @type {any} */ note, /** @type {number} */ index) => html`<li key=${index}><a href=${matchPage(tournament.name, note.match, note.move)}>match ${note.match}, move ${note.move}</a>: <bdi>${note.text}</bdi></li>`)}</ul></section>`}
    ${bot.log !== null && html`<section aria-labelledby="log"><h2 id="log">Log</h2><p class="hint">The end of what the bot printed.</p><pre class="log" tabindex="0">${bot.log}</pre></section>`}
  <//>`;
}

const SHOWN = 100;

/** @param {{tournament: any, bot: any, first: {matches: Match[], pages: number}}} props */
function Filtered({ tournament, bot, first }) {
  const [matches, setMatches] = useState(first.matches);
  const [next, setNext] = useState(1);
  const [shown, setShown] = useState(SHOWN);
  const [filter, setFilter] = useState({ other: "", seat: "", rank: "", fault: "" });
  const choose = (/** @type {any} */ event) => {
    setFilter({ ...filter, [event.currentTarget.name]: event.currentTarget.value });
    setShown(SHOWN);
  };
  const found = useMemo(() => matches.filter((match) => isWanted(match, bot.index, filter)), [matches, filter]);
  const faults = [...new Set(matches.flatMap((match) => (match.faults ?? []).filter(({ seat }) => match.seats[seat] === bot.index).map(({ fault }) => fault)))];
  const more = async () => {
    if (shown < found.length || next >= first.pages) return setShown(shown + SHOWN);
    const page = await load(address`data/t/${tournament.name}/bots/${bot.name}/matches/${next}.json`);
    setNext(next + 1);
    setMatches([...matches, ...page.matches]);
    setShown(shown + SHOWN);
  };
  const options = (/** @type {[any, any][]} */ list) => list.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`);
  return html`<div class="filters" role="group" aria-label="Filters">
      <label>with <select name="other" onChange=${choose}>${options([["", "anybody"], ...tournament.bots.map((/** @type {any} */ { name }, /** @type {number} */ index) => [index, name]).filter((/** @type {any[]} */ [index]) => index !== bot.index)])}</select></label>
      <label>seat <select name="seat" onChange=${choose}>${options([["", "any"], ...bot.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => [seat, seat])])}</select></label>
      <label>rank <select name="rank" onChange=${choose}>${options([["", "any"], ...bot.places.map((/** @type {any} */ _, /** @type {number} */ rank) => [rank + 1, rank + 1])])}</select></label>
      <label>fault <select name="fault" onChange=${choose}>${options([["", "with or without"], ["any", "with a fault"], ...faults.map((fault) => /** @type {[string, string]} */ ([fault, words(fault)]))])}</select></label>
      <span role="status">${plural(found.length, "match", "matches")}${next < first.pages && ` of the first ${number(matches.length)}`}</span>
    </div>
    <${Matches} tournament=${tournament.name} bots=${tournament.bots} matches=${found.slice(0, shown)} own=${bot.index} />
    ${(shown < found.length || next < first.pages) && html`<div class="pager"><button type="button" class="quiet" onClick=${more}>Show more</button></div>`}`;
}

/** @param {Match} match @param {number} bot @param {{other: string, seat: string, rank: string, fault: string}} filter */
function isWanted(match, bot, { other, seat, rank, fault }) {
  const own = match.seats.flatMap((sitting, index) => (sitting === bot ? [index] : []));
  const faults = (match.faults ?? []).filter((entry) => own.includes(entry.seat));
  return (
    (!other || match.seats.includes(Number(other))) &&
    (!seat || own.includes(Number(seat))) &&
    (!rank || own.some((index) => match.ranks[index] === Number(rank))) &&
    (!fault || faults.some((entry) => fault === "any" || entry.fault === fault))
  );
}
