// A person at the table: choose bots, then play by clicking cards or moves.

import { attempt, complete, possible } from "./choosing.js";
import { address, load, loadDrawing } from "./documents.js";
import { cite, minutes, plural, ruleLink } from "./format.js";
import { Component, html, render, useEffect, useState } from "./html.js";
import { Seat } from "./seat.js";
import { Page, root, run, sentence } from "./shell.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./choosing.js").Pick} Pick */
/** @typedef {import("./position.js").Move} Move */
/** @typedef {{picks: Pick[], chosen: [Move, string] | null, drawing: any, isResigning: boolean, sent: number}} State */

run(async () => {
  const home = await load("data/home.json");
  if (!home.play) throw new Error("People cannot play here. To play on this machine: arena play --web");
  render(html`<${Play} home=${home} />`, root());
});

/** @extends {Component<{home: any}, State>} */
class Play extends Component {
  /** @param {{home: any}} props */
  constructor(props) {
    super(props);
    /** @type {State} */
    this.state = { picks: [], chosen: null, drawing: null, isResigning: false, sent: -1 };
    this.seat = new Seat(() => this.onChange());
    this.asked = -1;
    this.drawn = "";
    this.shown = ""; // what the focus was last led to
  }

  componentDidMount() {
    document.addEventListener("keydown", this.onKey);
    if (Seat.canResume) this.seat.resume();
  }

  /** @param {{home: any}} _ @param {State} was */
  componentDidUpdate(_, was) {
    if (was.isResigning !== this.state.isResigning) find(".resign")?.focus();
    const { question, end } = this.seat;
    const now = end ? "end" : question ? `question ${question.decision}` : ""; // asked again: led again
    if (now === this.shown) return;
    this.shown = now;
    if (now) this.lead();
  }

  /** Lead the focus to what is to be done, if the element that had it is gone. */
  lead() {
    const at = document.activeElement;
    if (at && at !== document.body && !at.closest(".confirm")) return;
    find(this.seat.end ? ".ended .button" : this.state.chosen ? ".confirm .main" : POSSIBLE)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.seat.question || event.altKey || target.matches("textarea, select, input:not([type=range])") || target.closest("dialog")) return;
    const isHeld = event.ctrlKey || event.metaKey;
    /** @type {Record<string, () => void>} */
    const keys = isHeld
      ? { Enter: () => this.confirm() }
      : { m: () => find(POSSIBLE)?.focus(), t: () => (find(".drawn button:not(.impossible)") ?? find(".drawn button"))?.focus(), u: () => this.undo() };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };

  onChange() {
    const { replay, question } = this.seat;
    if (replay && this.drawn !== replay.game.name) {
      this.drawn = replay.game.name;
      void loadDrawing(replay.game).then((drawing) => this.setState({ drawing }));
    }
    if ((question?.decision ?? -1) !== this.asked) {
      this.asked = question?.decision ?? -1;
      this.setState({ picks: [], chosen: question?.legal.length === 1 ? question.legal[0] : null, sent: -1 });
      document.title = question ? "Your move · arena" : "Play · arena";
    }
    this.setState(this.seat.said ? { sent: -1 } : {}); // what was refused can be sent again
  }

  /** @param {Pick} pick */
  pick(pick) {
    const legal = this.seat.question?.legal ?? [];
    const picks = [...this.state.picks, pick];
    if (possible(legal, picks).length) {
      this.seat.said = "";
      return this.setState({ picks, chosen: complete(legal, picks) });
    }
    const near = possible(legal, this.state.picks).map(([move]) => move);
    const patterns = [...near, ...legal.map(([move]) => move), ...this.seat.patterns];
    const wanted = attempt(patterns, this.state.picks, pick);
    if (wanted) this.seat.why(wanted);
    else this.seat.said = "No legal move has a place for that now.";
    this.setState({});
  }

  /** @param {Pick} pick */
  unpick(pick) {
    const at = this.state.picks.findLastIndex(({ value, fields }) => value === pick.value && fields.join() === pick.fields.join());
    const picks = this.state.picks.filter((_, index) => index !== at);
    this.setState({ picks, chosen: complete(this.seat.question?.legal ?? [], picks) });
  }

  /** @param {[Move, string]} chosen @param {MouseEvent} event */
  choose(chosen, event) {
    const isByKey = event.detail === 0;
    this.setState({ chosen }, () => isByKey && find(".confirm .main")?.focus());
  }

  undo() {
    this.setState({ picks: [], chosen: null }, () => this.lead());
  }

  confirm() {
    if (!this.state.chosen || !this.seat.question || this.state.sent === this.seat.question.decision) return;
    this.seat.move(this.state.chosen[0]);
    this.setState({ sent: this.seat.question.decision });
  }

  /** @returns {import("./drawing.js").Play | null} */
  get picking() {
    const { question, seat } = this.seat;
    if (!question) return null;
    const { picks } = this.state;
    const { legal } = question;
    return {
      seat,
      legal: legal.map(([move]) => move),
      possible: (fields, value) => possible(legal, [...picks, { fields, value }]).length,
      picked: (fields, value) => picks.filter((pick) => pick.value === value && pick.fields.join() === fields.join()).length,
      pick: (fields, value) => this.pick({ fields, value }),
      unpick: (fields, value) => this.unpick({ fields, value }),
    };
  }

  /** @param {{home: any}} props @param {State} state */
  render({ home }, state) {
    const { replay, said, state: where } = this.seat;
    if (!replay?.steps.length)
      return html`<${Page} crumbs=${[{ text: "play" }]} title="Play">
        ${where
          ? html`<p role="status" class="notice">${said || (where === "lost" ? "The connection is lost. Trying again." : "Getting a seat.")}</p>`
          : html`${said && html`<p role="alert" class="notice bad">${sentence(said)}</p>`}<${Sit} home=${home} onSit=${(/** @type {object} */ wish) => this.seat.sit(wish)} />`}
      <//>`;
    const name = replay.seats[this.seat.seat].bot;
    const resign = () => {
      this.seat.resign();
      this.setState({ isResigning: false });
    };
    const actions = html`<span class="more">
      ${replay.game.rules && html`<a class="quiet" href=${address`rules.html?game=${replay.game.name}`} target="_blank" rel="noopener">Rules</a>`}
      ${where === "ended" ? "" : state.isResigning
        ? html`<span key="sure">Resign?${" "}<button type="button" class="quiet" onClick=${resign}>Yes, resign</button>${" "}<button type="button" class="quiet resign" onClick=${() => this.setState({ isResigning: false })}>No</button></span>`
        : html`<button type="button" key="resign" class="quiet resign" onClick=${() => this.setState({ isResigning: true })}>Resign</button>`}</span>`;
    return html`<${Page} wide crumbs=${[{ text: "play" }]} title=${html`${replay.game.title}, <bdi>${name}</bdi> in seat ${this.seat.seat}`} facts=${actions}>
      <${Viewer} fixed key=${replay.match} replay=${replay} drawing=${state.drawing} length=${replay.steps.length} play=${this.picking} panel=${this.panel()} />
    <//>`;
  }

  panel() {
    const { replay, question, state: where, said, rule, end, seat } = this.seat;
    if (!replay) return null;
    const { picks, chosen, sent } = this.state;
    const left = question ? possible(question.legal, picks) : [];
    const hint = picks.length ? "Pick more, or choose from the list." : "Click cards on the table, or choose from the list.";
    return html`<div class="your-move">
      ${where === "lost" ? html`<p role="alert" class="notice bad">The connection is lost. Trying again; your seat is kept.</p>` : ""}
      <${Since} replay=${replay} seat=${seat} />
      ${end && html`<${Ended} replay=${replay} end=${end} seat=${seat} />`}
      ${!end && !question && where !== "lost" && html`<p class="none" role="status">The others are to move.</p>`}
      ${question && html`<h3>Your move</h3><p role="status">${cite(question.text, replay.game)}</p>
        <${Countdown} question=${question} />
        <div class="confirm" aria-live="polite">
          ${chosen ? html`<p class="chosen">${chosen[1]}</p>` : html`<p class="none">${hint}</p>`}
          <button type="button" class="button main" disabled=${!chosen || sent === question.decision} onClick=${() => this.confirm()}>Confirm</button>
          <button type="button" class="button" disabled=${!chosen && !picks.length} onClick=${() => this.undo()}>Undo</button>
        </div>
        ${said && html`<p class="notice bad" role="alert">${sentence(said)}${rule && !said.includes(`(${rule})`) ? html` ${ruleLink(rule, replay.game.name)}` : ""}</p>`}
        <h3>${plural(left.length, "possible move")}</h3>
        <${Possible} moves=${left.slice(0, 200)} chosen=${chosen?.[0]} onChoose=${(/** @type {[Move, string]} */ move, /** @type {MouseEvent} */ event) => this.choose(move, event)} />
        ${left.length > 200 && html`<p class="hint">200 are shown. Click cards to narrow them down.</p>`}`}
    </div>`;
  }
}

const POSSIBLE = ".your-move .legal [tabindex='0']";

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector));

/**
 * The moves that are possible with what has been picked. One stop for the Tab key: arrows lead from move to move.
 * @param {{moves: [Move, string][], chosen: Move | undefined, onChoose: (move: [Move, string], event: MouseEvent) => void}} props
 */
function Possible({ moves, chosen, onChoose }) {
  const current = Math.max(0, moves.findIndex(([move]) => move === chosen));
  const go = (/** @type {KeyboardEvent} */ event) => {
    const buttons = /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (to === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation(); // the viewer has another meaning for some of them
    buttons[Math.max(0, Math.min(buttons.length - 1, to))].focus();
  };
  return html`<ol class="legal scrolls" aria-label="Possible moves" onKeyDown=${go}>${moves.map(
    (move, index) => html`<li key=${index} aria-current=${move[0] === chosen ? "true" : undefined}>
      <button type="button" tabindex=${index === current ? "0" : "-1"} onClick=${(/** @type {MouseEvent} */ event) => onChoose(move, event)}>${move[1]}</button></li>`,
  )}</ol>`;
}

/** What happened since the own last move. @param {{replay: import("./position.js").Replay, seat: number}} props */
function Since({ replay, seat }) {
  const own = replay.steps.findLastIndex((step) => step.seat === seat);
  const told = replay.steps.slice(Math.max(0, own)).flatMap((step) => step.seen?.[String(seat)] ?? step.events);
  return html`<div class="happened since"><h2>${own < 0 ? "The start" : "Since your last move"}</h2>
    <ul class="scrolls" tabindex="0" aria-label="What happened" aria-live="polite">${told.map((event, index) => html`<li key=${index} aria-current=${index === told.length - 1 ? "true" : undefined}>${cite(event.text, replay.game)}</li>`)}</ul></div>`;
}

/** @param {{question: import("./seat.js").Question}} props */
function Countdown({ question }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [question]);
  if (question.move_ms === null) return null;
  const used = Math.max(0, now - question.since);
  const move = Math.max(0, question.move_ms - used);
  const bank = Math.max(0, (question.bank_ms ?? 0) - Math.max(0, used - question.move_ms));
  const seconds = (/** @type {number} */ ms) => (ms > 0 ? minutes(Math.ceil(ms / 1000)) : "none");
  return html`<dl class="clock" aria-label="Time left"><div><dt>time</dt><dd>${seconds(move)}<meter min="0" max=${question.move_ms} value=${move} aria-label="time left"></meter></dd></div>
    <div><dt>bank</dt><dd>${seconds(bank)}${question.bank_ms ? html`<meter min="0" max=${question.bank_ms} value=${bank} aria-label="bank left"></meter>` : ""}</dd></div></dl>`;
}

/** @param {{replay: import("./position.js").Replay, end: import("./seat.js").End, seat: number}} props */
function Ended({ replay, end, seat }) {
  const { outcome } = end;
  const rank = outcome?.ranks[seat];
  const order = outcome ? replay.seats.map((_, index) => index).sort((a, b) => outcome.ranks[a] - outcome.ranks[b]) : [];
  const title = end.void ? `The match is void: ${end.void}` : rank === 1 ? "You win" : rank ? `You are ranked ${rank}` : "The match is over";
  const page = end.replay?.match(/^data\/replays\/(.+)\.json\.gz$/)?.[1];
  return html`<div class="ended" role="status"><h2>${title}</h2>
    ${outcome && html`<ol>${order.map((index) => html`<li key=${index} value=${outcome.ranks[index]}><span class="badge s${index}">${index}</span> <bdi>${replay.seats[index].bot}</bdi> ${outcome.scores[index]}</li>`)}</ol>`}
    ${page && html`<a class="button" href=${`match.html?m=${page}`}>Look at the replay</a> `}<button type="button" class="button main" onClick=${() => location.reload()}>Play again</button></div>`;
}

/** @param {{home: any, onSit: (wish: object) => void}} props */
function Sit({ home, onSit }) {
  const { play, games } = home;
  const [game, setGame] = useState(play.games[0]);
  const about = (/** @type {string} */ name) => games.find((/** @type {any} */ entry) => entry.name === name);
  const rules = about(game);
  const [players, setPlayers] = useState(rules.players[0]);
  const size = rules.players.includes(players) ? players : rules.players[0];
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const seat = form.get("seat");
    onSit({ game, players: size, name: form.get("name") || undefined, seat: seat === "" ? null : Number(seat), bots: form.getAll("bot").map((bot) => bot || null) });
  };
  return html`<form class="sit" onSubmit=${send}>
    <label>Game <select onChange=${(/** @type {any} */ event) => setGame(event.currentTarget.value)}>${play.games.map((/** @type {string} */ name) => html`<option key=${name} value=${name} selected=${name === game}>${about(name)?.title ?? name}</option>`)}</select></label>
    <label>Players <select name="players" onChange=${(/** @type {any} */ event) => setPlayers(Number(event.currentTarget.value))}>${rules.players.map((/** @type {number} */ number) => html`<option key=${number} value=${String(number)} selected=${number === size}>${number}</option>`)}</select></label>
    ${play.name && html`<label>Your name <input name="name" maxlength="40" value="guest" required /></label>`}
    <label>Your seat <select name="seat"><option value="">by chance</option>${Array.from({ length: size }, (_, seat) => html`<option key=${seat} value=${String(seat)}>${seat}</option>`)}</select></label>
    <fieldset><legend>The others</legend>${Array.from({ length: size - 1 }, (_, index) => html`<label key=${index}><span class="unseen">Bot ${index + 1}</span><select name="bot">
      ${(play.bots[game] ?? []).map((/** @type {string} */ bot) => html`<option key=${bot} value=${bot}>${bot}</option>`)}<option value="">any bot in the lobby</option></select></label>`)}</fieldset>
    <button class="button main">Sit down</button>
    ${rules.rules && html`<a href=${address`rules.html?game=${game}`} target="_blank" rel="noopener">Rules of ${rules.title}</a>`}
  </form>`;
}
