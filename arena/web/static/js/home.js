// The first page: games, tournaments, who is connected, what is running, replays.

import { address, load, matchPage } from "./documents.js";
import { number, plural, time } from "./format.js";
import { html, render, useState } from "./html.js";
import { follow } from "./live.js";
import { Page, root, run } from "./shell.js";

/** @typedef {Record<string, any>} Home */

run(async () => {
  let home = await load("data/home.json");
  show(home, home.online === false);
  if (home.live)
    follow(["home"], {
      home: (data) => show((home = { ...data.home, known: home.known }), false), // events are the same for all but organisers
      offline: () => show(home, true),
    });
});

/** @param {Home} home @param {boolean} isOffline */
function show(home, isOffline) {
  document.title = home.title;
  render(html`<${Whole} home=${home} isOffline=${isOffline} />`, root());
}

/** @param {{home: Home, isOffline: boolean}} props */
function Whole({ home, isOffline }) {
  const { games, bots, running, tournaments, replays, play } = home;
  const title = (/** @type {string} */ name) => games.find((/** @type {any} */ game) => game.name === name)?.title ?? name;
  return html`<${Page} title=${home.title} kicker=${html`arena ${home.arena}${isOffline ? html` <span class="tag fault">the arena does not answer, trying again</span>` : home.live ? html` <span class="tag act">live</span>` : ""}`}
    facts=${play && html`<a class="button main" href="play.html">Play</a>`}>
    ${tournaments.length > 0 && html`<section aria-labelledby="tournaments"><h2 id="tournaments">Tournaments</h2><ul class="cards">${tournaments.map((/** @type {any} */ tournament) => html`<li key=${tournament.name}>
      <a class="tile" href=${address`tournament.html?t=${tournament.name}`}><h3><bdi>${tournament.title}</bdi> <span class="tag ${tournament.phase === "running" ? "act" : ""}">${tournament.phase}</span></h3>
        <p>${title(tournament.game)}, ${tournament.players} players, ${plural(tournament.bots, "bot")}</p>
        ${tournament.phase === "running" && html`<progress max=${tournament.scheduled} value=${tournament.played} aria-label="Matches played"></progress>`}
        <p>${number(tournament.played)} of ${number(tournament.scheduled)} matches${tournament.leader && html`, <bdi>${tournament.leader}</bdi> leads`}</p>
        ${tournament.created && html`<p>${time(tournament.created)}</p>`}</a></li>`)}</ul></section>`}
    ${running.length > 0 && html`<section aria-labelledby="running"><h2 id="running">Running now</h2><ul class="cards">${running.map((/** @type {any} */ match) => {
      const inside = html`<h3>${title(match.game)} <span class="tag">move ${match.moves}</span></h3><p class="seats-line">${match.seats.map((/** @type {string} */ bot, /** @type {number} */ seat) => html`<span key=${seat}><span class="badge s${seat}">${seat}</span> <bdi>${bot || "hidden"}</bdi></span>`)}</p>
        <p>${match.tournament ? html`match ${match.id.slice(match.tournament.length + 1)} in <bdi>${match.tournament}</bdi>` : match.id}${match.watch ? "" : ", not open to you"}</p>`;
      return html`<li key=${match.id}>${match.watch ? html`<a class="tile" href=${address`match.html?live=${match.id}`}>${inside}</a>` : html`<div class="tile">${inside}</div>`}</li>`;
    })}</ul>${home.more && html`<p>And ${plural(home.more, "more match", "more matches")}.</p>`}</section>`}
    ${bots && html`<section aria-labelledby="bots"><h2 id="bots">Connected bots</h2>${bots.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Connected bots"><table class="list"><caption class="unseen">Connected bots</caption>
      <thead><tr><th scope="col">bot</th><th scope="col">language</th><th scope="col">games</th><th scope="col">since</th><th scope="col" class="n">playing</th><th scope="col" class="n">rating</th></tr></thead>
      <tbody>${bots.map((/** @type {any} */ bot) => html`<tr key=${bot.name}><th scope="row"><bdi>${bot.name}</bdi> <small class="version"><bdi>${bot.version}</bdi></small>${bot.present === false ? html` <span class="tag">away</span>` : ""}</th><td><bdi>${bot.language}</bdi></td>
        <td>${bot.games?.map(title).join(", ")}</td><td>${bot.since && time(bot.since)}</td><td class="n">${bot.playing}${bot.free !== undefined && html` <small class="aside">${bot.free} free</small>`}</td>
        <td class="n">${bot.rating !== undefined && html`<a href=${address`bot.html?t=${bot.tournament}&b=${bot.name}`}>${bot.rating.toFixed(1)}</a>`}</td></tr>`)}</tbody></table></div>` : html`<p class="none">None.</p>`}</section>`}
    ${replays.length > 0 && html`<section aria-labelledby="replays"><h2 id="replays">Replays</h2><ul class="cards">${replays.map((/** @type {any} */ replay) => html`<li key=${replay.id}>
      <a class="tile" href=${matchPage(null, replay.id)}><h3><bdi>${replay.id}</bdi></h3><p>${title(replay.game)}, ${plural(replay.moves, "move")}</p>
        <p class="seats-line">${replay.seats.map((/** @type {string} */ bot, /** @type {number} */ seat) => html`<span key=${seat} class=${replay.ranks?.[seat] === 1 ? "first" : ""}><span class="badge s${seat}">${seat}</span> <bdi>${bot}</bdi> ${replay.scores?.[seat]}</span>`)}</p></a></li>`)}</ul></section>`}
    <section aria-labelledby="games"><h2 id="games">Games</h2><ul class="cards">${games.map((/** @type {any} */ game) => html`<li key=${game.name}><div class="tile"><h3>${game.title}</h3>
      <p>${game.players.length > 1 ? `${game.players[0]} to ${game.players.at(-1)} players` : `${game.players[0]} players`}${game.rules && html`, <a href=${address`rules.html?game=${game.name}`}>rules</a>`}</p></div></li>`)}</ul></section>
    ${home.login && html`<section aria-labelledby="token"><h2 id="token">Your token</h2><${Login} isOrganiser=${home.organiser} isKnown=${home.known} /></section>`}
  <//>`;
}

/** @param {{isOrganiser?: boolean, isKnown?: boolean}} props */
function Login({ isOrganiser, isKnown }) {
  const [said, say] = useState("");
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const token = String(new FormData(form).get("token") ?? "");
    form.reset();
    const answer = await fetch("api/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) }).catch(() => null);
    if (answer?.ok) location.reload();
    else say((await answer?.json().catch(() => null))?.error ?? "The server does not answer.");
  };
  const leave = async () => {
    await fetch("api/logout", { method: "POST", headers: { "Content-Type": "application/json" } }).catch(() => null);
    location.reload();
  };
  if (isOrganiser || isKnown)
    return html`<p>You see what ${isOrganiser ? "an organiser" : "the author of a bot"} may see. <button type="button" class="quiet" onClick=${leave}>Log out</button></p>`;
  return html`<p>With a token you see more: an author sees the log of the own bot, an organiser sees open deals.</p>
    <form class="login" onSubmit=${send}><label>Token <br /><input name="token" type="password" autocomplete="off" required /></label><button class="button">Log in</button></form>
    <p role="status" class="fault">${said}</p>`;
}
