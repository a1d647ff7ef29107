// Asks for the replay of a match page while the modules of the viewer are still on their way.

import { embedded, load, parameters, replayAddress } from "./documents.js";

/** @type {Promise<import("./position.js").Replay> | null} null on the page of a running match */
export const asked = parameters.get("live")
  ? null
  : embedded().then((inside) => inside ?? load(replayAddress(parameters.get("t"), parameters.get("m") ?? "")));
asked?.catch(() => {}); // the page says why, once it is there
