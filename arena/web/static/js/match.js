// A replay, or a running match.

import { address, load, loadDrawing, parameters } from "./documents.js";
import { asked } from "./early.js";
import { html, render } from "./html.js";
import { follow } from "./live.js";
import { Page, root, run } from "./shell.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./position.js").Replay} Replay */

run(async () => {
  if (!asked) return followMatch(parameters.get("live") ?? "");
  await show(await asked);
});

/** @param {Replay} replay @param {{length?: number, status?: string}} [live] */
async function show(replay, live = {}) {
  if (!replay.steps.length) return render(html`<${Page} title=${replay.match}><p role="status" class="notice">The match is about to begin.</p><//>`, root());
  const drawing = await drawingOf(replay);
  const { game, match, tournament, seats, outcome } = replay;
  document.title = `${match} · ${tournament ?? game.title}`;
  const crumbs = tournament
    ? [{ text: tournament, href: address`tournament.html?t=${tournament}` }]
    : [];
  const order = seats.map((_, seat) => seat).sort((a, b) => (outcome ? outcome.ranks[a] - outcome.ranks[b] : a - b));
  const facts = html`<ol class="result" aria-label="Result">${order.map(
    (seat) => html`<li key=${seat}><span class="badge s${seat}" aria-hidden="true">${seat}</span><bdi>${seats[seat].bot}</bdi>${outcome && html` <b>${outcome.scores[seat]}</b>`}${
      outcome && outcome.ended[seat] !== "normal" && html` <span class="tag fault">${outcome.ended[seat].replace(":", ": ")}</span>`
    }</li>`,
  )}</ol>`;
  render(
    html`<${Page} wide crumbs=${crumbs} title=${html`${game.title}, match <bdi>${match}</bdi>`} kicker=${live.status && html`<span class="tag act">${live.status}</span>`} facts=${facts}>
      <${Viewer} replay=${replay} drawing=${drawing} length=${live.length} />
    <//>`,
    root(),
  );
  root().removeAttribute("aria-busy"); // that of a running match is shown for as long as it runs
}

/** @type {{name: string, drawing: import("./drawing.js").Drawing | null} | null} */
let loaded = null;

/** @param {Replay} replay */
async function drawingOf({ game }) {
  loaded = loaded?.name === game.name ? loaded : { name: game.name, drawing: await loadDrawing(game) };
  return loaded.drawing;
}

/** @param {string} id */
function followMatch(id) {
  /** @type {Replay | null} */
  let replay = null;
  const status = () => (replay?.views.includes("everything") ? "live, for organisers only" : "live");
  return new Promise((_, fail) =>
    follow([`match/${id}`], {
      match: ({ match }) => {
        replay = match;
        show(match, { length: match.steps.length, status: status() }).catch(fail);
      },
      step: ({ number, step, moves, marks, lines }) => {
        if (!replay || number !== replay.steps.length) return;
        replay.moves.push(...(moves ?? []));
        replay.lines.push(...(lines ?? []));
        replay.marks.push(...(marks ?? []));
        replay.steps.push(step);
        void show(replay, { length: replay.steps.length, status: status() });
      },
      ended: ({ outcome, void: reason, replay: address_ }) => {
        if (!replay) return;
        replay.outcome = outcome;
        void show(replay, { length: replay.steps.length, status: reason ? `void: ${reason}` : "ended" });
        if (address_) void load(address_).then((whole) => show(whole, { length: whole.steps.length, status: "ended" }), () => {});
      },
      offline: ({ reason }) => replay && void show(replay, { length: replay.steps.length, status: reason || "connection lost" }),
      gone: ({ reason }) => fail(new Error(reason || "There is no such match, or you may not see it.")),
    }),
  );
}

