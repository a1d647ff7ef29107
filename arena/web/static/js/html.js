// The one place that knows which library builds elements.

import { Component, Fragment, h, render } from "./vendor/preact.js";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";
import htm from "./vendor/htm.js";

/** @typedef {import("./vendor/preact.js").Node} Node */

/** Elements from a template. Values are text or elements, never markup. */
export const html = htm.bind(h);
export { Component, Fragment, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };
