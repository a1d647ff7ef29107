// Live events: one stream for each tab, closed while the tab is hidden.

/** @typedef {(data: any) => void} Handler */

/**
 * Follow topics. After every connection the first event of a topic is complete, so a stream can be closed and opened
 * again at any time.
 * @param {string[]} topics @param {Record<string, Handler>} handlers by event
 */
export function follow(topics, handlers) {
  /** @type {EventSource | null} */
  let source = null;
  let isGone = false;
  const open = () => {
    if (source || isGone || document.hidden) return;
    source = new EventSource(`api/live?${topics.map((topic) => `follow=${encodeURIComponent(topic)}`).join("&")}`);
    for (const [event, handle] of Object.entries(handlers))
      source.addEventListener(event, (message) => {
        if (event === "gone") {
          isGone = true;
          close();
        }
        handle(JSON.parse(/** @type {MessageEvent} */ (message).data));
      });
    source.addEventListener("error", () => {
      handlers.offline?.({ reason: "" });
      if (source?.readyState === EventSource.CLOSED) {
        // The server refused, or is starting again: the browser has given up, we have not.
        close();
        setTimeout(open, 3000);
      }
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
}
