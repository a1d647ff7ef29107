// The one place that knows which library builds elements.

import { Component, Fragment, h, render } from "./vendor/preact.js";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";
import htm from "./vendor/htm.js";

/** @typedef {import("./vendor/preact.js").Node} Node */

/**
 * The library writes empty texts and noughts anew each time, and the browser lays out the page again. So nothing stands
 * for an empty text, and a text for a number.
 * @param {any} child
 */
const steady = (child) => (child === "" ? null : typeof child === "number" ? String(child) : child);

/** Elements from a template. Values are text or elements, never markup. */
export const html = htm.bind((/** @type {any} */ type, /** @type {any} */ props, /** @type {any[]} */ ...children) => h(type, props, ...children.map(steady)));
export { Component, Fragment, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };
