// The JSON documents that pages read, and the addresses of pages and documents.

/** @typedef {{error?: string}} Failure */

/** A document is missing, or the server refuses it. `status` is 0 if the server cannot be reached. */
export class DocumentError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Return an address relative to the page, with every name percent-encoded.
 * @param {TemplateStringsArray} parts @param {...(string | number)} names
 */
export function address(parts, ...names) {
  return parts.reduce((whole, part, index) => whole + encodeURIComponent(names[index - 1]) + part);
}

/** Parameters of this page's address. */
export const parameters = new URLSearchParams(location.search);

/**
 * Return the document at an address.
 * @param {string} where @returns {Promise<any>}
 */
export async function load(where) {
  let answer;
  try {
    answer = await fetch(where); // as plain as a preload of it, whose answer it takes
  } catch {
    throw new DocumentError("The server does not answer. Is it still running?", 0);
  }
  if (!answer.ok) {
    const said = /** @type {Failure} */ (await answer.json().catch(() => ({})));
    throw new DocumentError(said.error ?? `${where}: status ${answer.status}`, answer.status);
  }
  return JSON.parse(await text(new Uint8Array(await answer.arrayBuffer())));
}

/**
 * Return the text of bytes, which may be gzip data: some hosts unpack `.gz` on the way, others do not.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function text(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/**
 * Return the document inside this page, or null if it has none.
 * @returns {Promise<any>}
 */
export async function embedded() {
  const element = document.getElementById("arena-document");
  if (!element) return null;
  const inside = element.textContent?.trim() ?? "";
  if (element.dataset.encoding !== "gzip+base64") return JSON.parse(inside);
  return JSON.parse(await text(Uint8Array.from(atob(inside), (letter) => letter.charCodeAt(0))));
}

/**
 * Return the module that draws a game; null if it has none.
 * @param {{drawing: string | null}} game
 * @returns {Promise<import("./drawing.js").Drawing | null>}
 */
export async function loadDrawing(game) {
  const inside = document.getElementById("arena-drawing")?.textContent;
  const where = inside ? JSON.parse(inside) : game.drawing && new URL(`../${game.drawing}`, import.meta.url).href;
  return where ? import(where) : null;
}

/** Whether this page is one file that contains its document. Then there are no other pages to link to. */
export const isAlone = document.getElementById("arena-document") !== null;

/** @param {string | null | undefined} tournament @param {string} match */
export const replayAddress = (tournament, match) =>
  tournament
    ? address`data/t/${tournament}/replays/${match}.json.gz`
    : address`data/replays/${match}.json.gz`;

/** @param {string | null | undefined} tournament @param {string} match @param {number} [move] */
export const matchPage = (tournament, match, move) =>
  (tournament ? address`match.html?t=${tournament}&m=${match}` : address`match.html?m=${match}`) +
  (move === undefined ? "" : `#move=${move}`);
