// The score graph that is also the timeline, and the scrub bar with its marks.

import { words } from "./format.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "./html.js";

/** @typedef {import("./position.js").Positions} Positions */
/** @typedef {import("./position.js").Mark} Mark */

const EDGE = 9; // half of the thumb of the scrub bar: graph, marks and thumb stand above each other
const HEIGHT = 60;
// Lines are told apart by their dashes, too.
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 2", "1 4"];

/** The picture of a kind of mark; a cross is always a fault. @param {{shape: number, x?: number, y?: number}} props */
export function MarkShape({ shape, x = 0, y = 0 }) {
  const path = [
    "M0 -4.500L4.300 3.500H-4.300Z",
    "M-3.800 0a3.800 3.800 0 1 0 7.600 0a3.800 3.800 0 1 0 -7.600 0",
    "M-3.400 -3.400H3.400V3.400H-3.400Z",
    "M0 -4.700L4.700 0L0 4.700L-4.700 0Z",
    "M-4.300 -3.500H4.300L0 4.500Z",
    "M-1.400 -4.500H1.400V4.500H-1.400Z",
  ][Math.max(0, shape) % 6];
  if (shape < 0) return html`<path class="mark fault" transform="translate(${x} ${y})" d="M-3.500 -3.500L3.500 3.500M3.500 -3.500L-3.500 3.500" />`;
  return html`<path class="mark" transform="translate(${x} ${y})" d=${path} />`;
}

/**
 * Return the number of a shape for each kind of mark.
 * @param {Mark[]} marks @returns {Map<string, number>}
 */
export function shapes(marks) {
  const found = new Map();
  for (const { type } of marks)
    if (!found.has(type)) found.set(type, type === "fault" ? -1 : [...found.keys()].filter((key) => key !== "fault").length);
  return found;
}

/**
 * @param {{positions: Positions, length: number, step: number, field: string, fields: {field: string, title: string}[],
 *   onField: (field: string) => void, onSeek: (step: number) => void, marks: Mark[]}} props
 */
export function Timeline({ positions, length, step, field, fields, onField, onSeek, marks }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (box.current);
    // In the next frame: the table is shown before the graph is drawn.
    const observer = new ResizeObserver(() => requestAnimationFrame(() => setWidth(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const last = Math.max(1, length - 1);
  const x = (/** @type {number} */ at) => EDGE + (at / last) * (width - 2 * EDGE);
  const kinds = useMemo(() => shapes(marks), [marks, marks.length]);
  const series = useMemo(() => positions.series(field), [positions, field, length]);
  const highest = useMemo(() => Math.max(1, ...series.flat()), [series]);
  const lines = useMemo(
    () => series.map((values) => (width ? path(values, x, (value) => HEIGHT - 6 - (value / highest) * (HEIGHT - 14)) : "")),
    [series, width, length],
  );
  const ticks = useMemo(
    () => marks.map((mark, index) => html`<g key=${index} class="s${mark.seat ?? "none"}"><${MarkShape} shape=${kinds.get(mark.type) ?? 0} x=${x(mark.step)} y=${9} /></g>`),
    [marks, marks.length, width, length],
  );
  const seek = (/** @type {PointerEvent} */ event) => {
    const left = /** @type {HTMLElement} */ (box.current).getBoundingClientRect().left;
    onSeek(Math.max(0, Math.min(last, Math.round(((event.clientX - left - EDGE) / (width - 2 * EDGE)) * last))));
  };
  const title = fields.find((graph) => graph.field === field)?.title ?? field;
  return html`<div class="timeline">
    <div class="legend">
      ${fields.length > 1 && html`<div class="segmented" role="group" aria-label="Graph">${fields.map(
        (graph) => html`<button type="button" key=${graph.field} aria-pressed=${String(graph.field === field)} onClick=${() => onField(graph.field)}>${graph.title}</button>`,
      )}</div>`}
      <ul class="values ${series.length > 4 ? "many" : ""}" aria-label=${`${title} now`}>
        ${series.map((values, seat) => html`<li key=${seat} class="s${seat}"><svg viewBox="0 0 22 8" width="22" height="8" aria-hidden="true"><path class="series" d="M0 4H22" stroke-dasharray=${DASHES[seat % 6]} /></svg>
          <span class="badge s${seat}" aria-hidden="true">${seat}</span><bdi>${positions.replay.seats[seat].bot}</bdi> <b>${values[step]}</b></li>`)}
      </ul>
      ${kinds.size > 0 && html`<ul class="kinds" aria-label="Marks">${[...kinds].map(([type, shape]) => html`<li key=${type}><svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true"><${MarkShape} shape=${shape} /></svg>${words(type)}</li>`)}</ul>`}
    </div>
    <div class="graph" ref=${box} onPointerDown=${(/** @type {PointerEvent} */ event) => {
      /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
      seek(event);
    }} onPointerMove=${(/** @type {PointerEvent} */ event) => event.buttons && seek(event)}>
      ${width > 0 && html`<svg width=${width} height=${HEIGHT} role="img" aria-label=${`Graph of ${title}: ${series.map((values, seat) => `seat ${seat} ${values[step]}`).join(", ")}`}>
        <line class="grid" x1=${EDGE} x2=${width - EDGE} y1=${HEIGHT - 6} y2=${HEIGHT - 6} />
        <line class="grid" x1=${EDGE} x2=${width - EDGE} y1="8" y2="8" /><text class="scale" x=${EDGE + 2} y="19">${highest}</text>
        ${lines.map((d, seat) => html`<path key=${seat} class="series s${seat}" d=${d} stroke-dasharray=${DASHES[seat % 6]} />`)}
        <line class="playhead" x1=${x(step)} x2=${x(step)} y1="0" y2=${HEIGHT} />
        ${series.map((values, seat) => html`<circle key=${seat} class="dot s${seat}" cx=${x(step)} cy=${HEIGHT - 6 - (values[step] / highest) * (HEIGHT - 14)} r="3.500" />`)}
      </svg>
      <svg class="ticks" width=${width} height="18" aria-hidden="true">${ticks}</svg>`}
    </div>
  </div>`;
}

/** @param {{step: number, last: number, onSeek: (step: number) => void, said: string}} props */
export function Scrub({ step, last, onSeek, said }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  // The property, not the attribute: it must follow while it is dragged.
  useLayoutEffect(() => {
    if (input.current) input.current.value = String(step);
  }, [step, last]);
  return html`<input ref=${input} class="scrub" type="range" min="0" max=${last} step="1" aria-label="Move" aria-valuetext=${`${step} of ${last}. ${said}`}
    onInput=${(/** @type {any} */ event) => onSeek(Number(event.currentTarget.value))} />`;
}

/** @param {number[]} values @param {(at: number) => number} x @param {(value: number) => number} y */
function path(values, x, y) {
  let drawn = `M${x(0).toFixed(1)} ${y(values[0]).toFixed(1)}`;
  for (let at = 1; at < values.length; at++)
    if (values[at] !== values[at - 1] || at === values.length - 1) drawn += `H${x(at).toFixed(1)}V${y(values[at]).toFixed(1)}`;
  return drawn;
}
