// The viewer of a match: the table, a timeline, who knew what, and why each move was made.

import { draw as drawGeneric } from "./generic.js";
import { cite, milliseconds, plural } from "./format.js";
import { Component, html, render, useMemo } from "./html.js";
import { Positions, legalMoves } from "./position.js";
import { Scrub, Timeline } from "./timeline.js";

/** @typedef {import("./position.js").Replay} Replay */
/** @typedef {import("./position.js").Decision} Decision */
/** @typedef {import("./drawing.js").Drawing} Drawing */
/**
 * @typedef {object} Props
 * @property {Replay} replay
 * @property {Drawing | null} drawing
 * @property {number} [length] steps so far, while a match is followed
 * @property {import("./drawing.js").Play | null} [play]
 * @property {any} [panel] what stands beside the table instead of the decision
 * @property {boolean} [fixed] whether the view cannot be chosen
 */
/** @typedef {{step: number, view: string, isPlaying: boolean, speed: number, field: string, beside: string, said: string}} State */

const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const ARRIVAL_MS = 220; // as long as a new card takes to appear

/** @extends {Component<Props, State>} */
export class Viewer extends Component {
  /** @param {Props} props */
  constructor(props) {
    super(props);
    const { replay, fixed } = props;
    this.positions = new Positions(replay);
    this.marks = marksByStep(replay);
    /** @type {State} */
    this.state = {
      step: props.length === undefined ? 0 : this.positions.last,
      view: replay.views[0],
      isPlaying: false,
      speed: 1,
      field: replay.graphs[0]?.field ?? "",
      beside: "decision",
      said: "",
      ...(fixed ? {} : this.fromHash()),
    };
    this.timer = 0;
    this.hashTimer = 0;
    this.drawnStep = NaN;
    this.drawnAt = 0;
    this.keys = html`<${Keys} fixed=${fixed} />`;
  }

  /** @returns {Partial<State>} */
  fromHash() {
    const { replay } = this.props;
    const hash = new URLSearchParams(location.hash.slice(1));
    const step = Number.parseInt(hash.get("move") ?? "", 10);
    const view = hash.get("seat") ?? "everything";
    /** @type {Partial<State>} */
    const found = {};
    if (step >= 0) found.step = Math.min(step, this.positions.last);
    if (replay.views.includes(view)) found.view = view;
    return found;
  }

  componentDidMount() {
    document.addEventListener("keydown", this.onKey);
    addEventListener("hashchange", this.onHash);
    this.draw();
  }

  componentWillUnmount() {
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("hashchange", this.onHash);
    clearTimeout(this.timer);
    clearTimeout(this.hashTimer);
  }

  /** @param {Props} before @param {State} was */
  componentDidUpdate(before, was) {
    this.draw();
    const { step, view, isPlaying } = this.state;
    if (!this.props.fixed && (was.step !== step || was.view !== view)) {
      clearTimeout(this.hashTimer); // browsers refuse to write it hundreds of times in a row
      this.hashTimer = setTimeout(() => history.replaceState(null, "", this.link()), 200);
    }
    if (isPlaying && (was.step !== step || !was.isPlaying)) this.tick();
    if (was.beside !== this.state.beside || was.step !== step || was.view !== view) this.showCurrent();
  }

  /** @param {Props} next */
  componentWillReceiveProps(next) {
    const wasAtEnd = this.state.step >= this.positions.last;
    if (next.replay !== this.props.replay) {
      this.positions = new Positions(next.replay);
      this.marks = marksByStep(next.replay);
      this.setState({ step: Math.min(this.state.step, this.positions.last) });
    }
    this.positions.extend();
    if (next.length !== undefined && wasAtEnd) this.setState({ step: this.positions.last });
    if (next.replay.marks.length !== this.marks.length) this.marks = marksByStep(next.replay);
  }

  tick() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.state.isPlaying) return;
      if (this.state.step >= this.positions.last) this.setState({ isPlaying: false });
      else this.seek(this.state.step + 1, true);
    }, 1000 / this.state.speed);
  }

  /** @param {number} step @param {boolean} [isPlaying] */
  seek(step, isPlaying = false) {
    const bounded = Math.max(0, Math.min(this.positions.last, step));
    this.setState({ step: bounded, isPlaying: isPlaying && bounded < this.positions.last });
  }

  /** @param {-1 | 1} way */
  seekMark(way) {
    const found = way > 0 ? this.marks.find((mark) => mark > this.state.step) : this.marks.findLast((mark) => mark < this.state.step);
    this.seek(found ?? (way > 0 ? this.positions.last : 0));
  }

  toggle() {
    const isAtEnd = this.state.step >= this.positions.last;
    this.setState({ isPlaying: !this.state.isPlaying, step: isAtEnd && !this.state.isPlaying ? 0 : this.state.step });
  }

  /** @param {1 | -1} way */
  changeSpeed(way) {
    this.setState({ speed: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.state.speed) + way))] });
  }

  /** @param {string} view */
  look(view) {
    if (this.props.replay.views.includes(view)) this.setState({ view });
  }

  link() {
    const { step, view } = this.state;
    return `${location.pathname}${location.search}#move=${step}${view === "everything" ? "" : `&seat=${view}`}`;
  }

  /** @param {string} text @param {string} done */
  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.setState({ said: done });
    } catch {
      this.setState({ said: "The browser does not allow copying here." });
    }
    setTimeout(() => this.setState({ said: "" }), 2500);
  }

  copyPosition() {
    const { step, view } = this.state;
    const { replay } = this.props;
    const { table, own, events } = this.positions.at(step, view);
    const position = { game: replay.game.name, match: replay.match, move: step, view, table, own, events };
    return this.copy(JSON.stringify(position, null, 1), "Position copied as JSON");
  }

  onHash = () => {
    if (!this.props.fixed) this.setState({ ...this.fromHash(), isPlaying: false });
  };

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("textarea, select, input:not([type=range])") || target.closest("dialog");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (event.key.startsWith("Arrow") && target.closest("[role=listbox], .scrolls") && !event.shiftKey && /Up|Down/.test(event.key)) return;
    const view = /^[0-9]$/.test(event.key) ? event.key : { e: "everything", p: "public" }[event.key];
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => (event.shiftKey ? this.seekMark(1) : this.seek(this.state.step + 1)),
      ArrowLeft: () => (event.shiftKey ? this.seekMark(-1) : this.seek(this.state.step - 1)),
      n: () => this.seekMark(1),
      b: () => this.seekMark(-1),
      Home: () => this.seek(0),
      End: () => this.seek(this.positions.last),
      " ": () => this.toggle(),
      "+": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
      c: () => this.copy(new URL(this.link(), location.href).href, "Link copied"),
      j: () => this.copyPosition(),
      "?": () => this.openHelp(),
    };
    const action = view && !this.props.fixed ? () => this.look(view) : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  openHelp() {
    /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.keys"))?.showModal();
  }

  /** Draw the table. A drawing that fails is replaced by the generic one. */
  draw() {
    const element = /** @type {HTMLElement | null} */ (this.base?.querySelector?.(".drawn"));
    if (!element) return;
    const { replay, drawing, play = null } = this.props;
    const { step, view } = this.state;
    // New cards arrive while a person looks on, not when the page opens, in jumps, or while a key is held.
    if (step !== this.drawnStep) {
      element.classList.toggle("arriving", step === this.drawnStep + 1 && performance.now() - this.drawnAt > ARRIVAL_MS);
      [this.drawnStep, this.drawnAt] = [step, performance.now()];
    }
    const position = this.positions.at(step, view);
    const isLast = step === this.positions.last;
    if (play && isLast) position.legal = play.legal;
    const context = { game: replay.game, seats: replay.seats, view, outcome: isLast ? replay.outcome : null, play: isLast ? play : null };
    if (drawing && !this.hasFailed)
      try {
        return drawing.draw(element, position, context);
      } catch (error) {
        console.error("The drawing of this game failed; the generic one is used.", error);
        this.hasFailed = true;
        render(null, element);
        element.replaceChildren();
      }
    drawGeneric(element, position, context);
  }

  /** Scroll lists, not the page, to what belongs to this step. */
  showCurrent() {
    for (const current of this.base?.querySelectorAll?.(".scrolls [aria-current=true]") ?? []) {
      const list = /** @type {HTMLElement} */ (current.closest(".scrolls"));
      const { offsetTop, offsetHeight } = /** @type {HTMLElement} */ (current);
      if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight)
        list.scrollTop = offsetTop - list.clientHeight / 2 + offsetHeight / 2;
    }
  }

  /** @param {Props} props @param {State} state */
  render(props, state) {
    const { replay, panel, fixed } = props;
    const { step, view, field, beside, said } = state;
    const { last } = this.positions;
    const position = this.positions.at(step, view);
    const sentence = position.events.map(({ text }) => text).join(" ");
    const tools = html`<span class="more">
      ${!fixed && html`<button type="button" class="quiet" title="Copy a link to this move (C)" onClick=${() => this.copy(new URL(this.link(), location.href).href, "Link copied")}>Copy link</button>`}
      <button type="button" class="quiet" title="Copy the position as JSON (J)" onClick=${() => this.copyPosition()}>Copy position</button>
      <${Download} replay=${replay} />
      <button type="button" class="quiet keys-button" title="Keys (?)" onClick=${() => this.openHelp()}>Keys</button>
    </span>`;
    return html`<div class="viewer ${panel ? "playing" : ""}">
      ${!fixed && html`<div class="choices"><${Views} replay=${replay} view=${view} onView=${(/** @type {string} */ chosen) => this.look(chosen)} />${tools}</div>`}
      <div class="stage">
        <div><div class="drawn" role="region" aria-label="Table"></div><p class="hint">${hint(view)}</p></div>
        <aside class="beside" aria-label="Move">
          <div class="segmented" role="group" aria-label="Beside the table">
            <button type="button" aria-pressed=${String(beside === "decision")} onClick=${() => this.setState({ beside: "decision" })}>${panel ? "Your move" : "This move"}</button>
            <button type="button" aria-pressed=${String(beside === "story")} onClick=${() => this.setState({ beside: "story" })}>All moves</button>
          </div>
          ${beside === "story"
            ? html`<${Story} positions=${this.positions} length=${last + 1} step=${step} view=${view} onSeek=${(/** @type {number} */ to) => this.seek(to)} />`
            : panel && step === last
              ? panel
              : html`<${Happened} replay=${replay} step=${step} events=${position.events} />
                <${Reasons} replay=${replay} step=${step} decision=${this.positions.decision(step, view)} />`}
        </aside>
      </div>
      <div class="transport">
        <${Timeline} positions=${this.positions} length=${last + 1} step=${step} field=${field} fields=${replay.graphs} marks=${replay.marks}
          onField=${(/** @type {string} */ chosen) => this.setState({ field: chosen })} onSeek=${(/** @type {number} */ to) => this.seek(to)} />
        <div class="controls"><p class="caption" aria-hidden="true">${sentence}</p>
        <${Scrub} step=${step} last=${last} said=${sentence} onSeek=${(/** @type {number} */ to) => this.seek(to)} />
        <div class="buttons" role="toolbar" aria-label="Playback">
          <button type="button" class="edge" aria-label="First move" title="First move (Home)" onClick=${() => this.seek(0)}><${Icon} name="first" /></button>
          <button type="button" aria-label="Previous event" title="Previous event (Shift + ←)" onClick=${() => this.seekMark(-1)}><${Icon} name="back" /></button>
          <button type="button" aria-label="One move back" title="One move back (←)" onClick=${() => this.seek(step - 1)}><${Icon} name="left" /></button>
          <button type="button" class="main" aria-label=${state.isPlaying ? "Pause" : "Play"} title="Play or pause (Space)" onClick=${() => this.toggle()}><${Icon} name=${state.isPlaying ? "pause" : "play"} /></button>
          <button type="button" aria-label="One move on" title="One move on (→)" onClick=${() => this.seek(step + 1)}><${Icon} name="right" /></button>
          <button type="button" aria-label="Next event" title="Next event (Shift + →)" onClick=${() => this.seekMark(1)}><${Icon} name="next" /></button>
          <button type="button" class="edge" aria-label="Last move" title="Last move (End)" onClick=${() => this.seek(last)}><${Icon} name="last" /></button>
          <label class="speed"><span class="unseen">Speed</span><select value=${String(state.speed)} onChange=${(/** @type {any} */ event) => this.setState({ speed: Number(event.currentTarget.value) })}>
            ${SPEEDS.map((speed) => html`<option key=${speed} value=${String(speed)} selected=${speed === state.speed}>${speed}×</option>`)}</select></label>
          <output class="count">move <b>${step}</b> of ${last}</output>${fixed && tools}
        </div></div>
        <p class="said" role="status">${said}</p>
      </div>
      ${this.keys}
    </div>`;
  }
}

/** @param {string} view */
function hint(view) {
  if (view === "everything") return "All hands are open. An eye marks a card that everybody knows of.";
  const who = view === "public" ? "everybody at the table saw" : "this seat knew";
  return `Only what ${who}. A dashed card with an eye is inferred from what was seen.`;
}

/** @param {Replay} replay */
const marksByStep = (replay) => [...new Set(replay.marks.map(({ step }) => step))].sort((a, b) => a - b);

/** @param {{replay: Replay, view: string, onView: (view: string) => void}} props */
function Views({ replay, view, onView }) {
  if (replay.views.length < 2) return null;
  const label = { everything: "Everything", public: "Public" };
  return html`<fieldset class="views"><legend>What is shown</legend>
    ${replay.views.map((name) => {
      const seat = replay.seats[Number(name)];
      const text = label[/** @type {"public"} */ (name)] ?? seat?.bot;
      return html`<label key=${name}><input type="radio" name="view" value=${name} checked=${name === view} onChange=${() => onView(name)} />
        <span>${seat && html`<span class="badge s${name}" aria-hidden="true">${name}</span>`}<bdi>${text}</bdi>${seat && html`<span class="unseen">, seat ${name}</span>`}</span></label>`;
    })}
  </fieldset>`;
}

/** What happened. @param {{replay: Replay, step: number, events: import("./position.js").Event[]}} props */
function Happened({ replay, step, events }) {
  const { fault, seat } = replay.steps[step];
  return html`<div class="happened">
    <h2>${step === 0 ? "The start" : html`Move ${step}${seat !== undefined && html` <span class="badge s${seat}" aria-hidden="true">${seat}</span> <bdi>${replay.seats[seat].bot}</bdi>`}`}</h2>
    ${fault && html`<p class="fault">${fault}: the default move was made.</p>`}
    <ul>${events.map((event, index) => html`<li key=${index}>${cite(event.text, replay.game)}</li>`)}</ul>
    ${!events.length && html`<p class="none">Nothing that this view sees.</p>`}
  </div>`;
}

/** Why: the legal moves, the one chosen, time and note. @param {{replay: Replay, step: number, decision: Decision | undefined}} props */
function Reasons({ replay, step, decision }) {
  if (step === 0) return null;
  if (!decision) return html`<p class="none">What the others could choose from is not for this view.</p>`;
  const { clock } = replay;
  const legal = legalMoves(decision);
  const count = decision.count ?? legal.length;
  return html`<div class="reasons">
    <h3>Decision</h3><p>${cite(decision.text, replay.game)}</p>
    <${Clock} ms=${decision.ms} bank=${decision.bank_ms ?? null} clock=${clock} />
    ${decision.note && html`<h3>Note of the bot</h3><p class="note"><bdi>${decision.note}</bdi></p>`}
    <h3>${plural(count, "legal move")}${count === 1 ? ", so the bot was not asked" : ""}${count > legal.length ? ` (${legal.length} shown)` : ""}</h3>
    <ol class="legal scrolls" tabindex="0" aria-label="Legal moves">${legal.map(
      (move) => html`<li key=${move} aria-current=${move === decision.chosen ? "true" : undefined}>${replay.moves[move]}${move === decision.chosen && html`<span class="unseen"> (chosen)</span>`}</li>`,
    )}</ol>
  </div>`;
}

/** @param {{ms: number | null, bank: number | null, clock: Replay["clock"]}} props */
function Clock({ ms, bank, clock }) {
  if (ms === null || ms === undefined) return null;
  return html`<dl class="clock">
    <div><dt>time</dt><dd>${milliseconds(ms)}${clock?.move_ms ? html` <small>of ${milliseconds(clock.move_ms)}</small><${Bar} share=${ms / clock.move_ms} label="time used" />` : ""}</dd></div>
    ${bank !== null && clock && html`<div><dt>bank left</dt><dd>${milliseconds(bank)}${clock.bank_ms ? html`<${Bar} share=${bank / clock.bank_ms} label="bank left" />` : ""}</dd></div>`}
  </dl>`;
}

/** @param {{share: number, label: string}} props */
export function Bar({ share, label }) {
  return html`<meter min="0" max="1" value=${Math.min(1, share)} aria-label=${label}></meter>`;
}

/**
 * Every move in words. A long list: it is built again only when steps are added or the view changes.
 * @typedef {{positions: Positions, length: number, step: number, view: string, onSeek: (step: number) => void}} StoryProps
 * @extends {Component<StoryProps, {}>}
 */
class Story extends Component {
  /** @param {StoryProps} next */
  shouldComponentUpdate(next) {
    const { length, view, positions } = this.props;
    if (next.step !== this.props.step) this.mark(next.step);
    return next.length !== length || next.view !== view || next.positions !== positions;
  }

  /** @param {number} step */
  mark(step) {
    this.base.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.base.querySelector(`[data-step="${step}"]`)?.setAttribute("aria-current", "true");
  }

  componentDidMount() {
    this.mark(this.props.step);
  }

  componentDidUpdate() {
    this.mark(this.props.step);
  }

  /** @param {StoryProps} props */
  render({ positions, view, onSeek }) {
    const { steps, seats } = positions.replay;
    return html`<ol class="story scrolls" tabindex="0" aria-label="All moves">${steps.map((step, index) => {
      const events = step.seen?.[view] ?? step.events;
      return html`<li key=${index} data-step=${index}><button type="button" onClick=${() => onSeek(index)}>
        <span class="count">${index}</span>${step.seat === undefined ? html`<span></span>` : html`<span class="badge s${step.seat}" title=${seats[step.seat].bot}>${step.seat}</span>`}
        <span>${step.fault && html`<b class="fault">${step.fault}. </b>`}${events.map(({ text }) => text).join(" ") || "…"}</span></button></li>`;
    })}</ol>`;
  }
}

/** The replay file: from the server, or out of the document. @param {{replay: Replay}} props */
function Download({ replay }) {
  const { download, file, match } = replay;
  const where = useMemo(() => download ?? (file === undefined ? null : URL.createObjectURL(new Blob([file], { type: "application/x-ndjson" }))), [download, file]);
  return where && html`<a class="quiet" href=${where} download=${download ? true : `${match}.jsonl`}>Download</a>`;
}

/** @param {{fixed?: boolean}} props */
function Keys({ fixed }) {
  const keys = [
    ["← →", "one move back, one move on"],
    ["Shift + ← →", "previous, next event"],
    ["Home, End", "first, last move"],
    ["Space", "play or pause"],
    ["+ −", "faster, slower"],
    ...(fixed
      ? [["M", "to the possible moves"], ["↑ ↓", "from one possible move to the next"], ["T", "to the table"], ["Enter", "choose, then confirm"], ["Ctrl + Enter", "confirm"], ["U", "undo"]]
      : [["E", "view: everything"], ["P", "view: public"], ["0 to 5", "view: one seat"], ["C", "copy a link to this move"]]),
    ["J", "copy the position as JSON"],
    ["?", "this list"],
  ];
  return html`<dialog class="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
    <dl>${keys.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <form method="dialog"><button class="button">Close</button></form></dialog>`;
}

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z", last: "M18 5v14M5 5l9 7-9 7z", left: "M15 5l-8 7 8 7", right: "M9 5l8 7-8 7",
  back: "M12 5l-7 7 7 7M20 5l-7 7 7 7", next: "M12 5l7 7-7 7M4 5l7 7-7 7", play: "M7 4l13 8-13 8z", pause: "M7 5h3v14H7zM14 5h3v14h-3z",
};

/** @param {{name: keyof typeof ICONS}} props */
function Icon({ name }) {
  const isFilled = name === "play" || name === "pause";
  return html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" fill=${isFilled ? "currentColor" : "none"} stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"><path d=${ICONS[name]} /></svg>`;
}
