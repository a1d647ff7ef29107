// A seat at a table of the arena: the WebSocket, coming back after a lost connection, and what the server said.

/** @typedef {import("./position.js").Replay} Replay */
/** @typedef {import("./position.js").Move} Move */
/** @typedef {{decision: number, text: string, legal: [Move, string][], move_ms: number | null, bank_ms: number | null, since: number}} Question */
/** @typedef {{outcome: Replay["outcome"], void: string | null, replay: string | null}} End */

const KEY = "arena-play";

/** What a page shows of a seat. Every change calls `changed`. */
export class Seat {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Replay | null} */
    this.replay = null;
    this.seat = 0;
    /** @type {Question | null} */
    this.question = null;
    /** @type {Move[]} what moves look like: one of each type that was ever legal */
    this.patterns = [];
    /** @type {"" | "connecting" | "waiting" | "seated" | "lost" | "ended"} */
    this.state = "";
    this.said = ""; // what the server said last: waiting, refused, a reason, an error
    this.rule = "";
    /** @type {End | null} */
    this.end = null;
    this.tries = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
  }

  /** Whether there is a seat to come back to. */
  static get canResume() {
    return sessionStorage.getItem(KEY) !== null;
  }

  /** @param {object} wish game, players, bots, name, seat */
  sit(wish) {
    this.open({ type: "sit", ...wish });
  }

  resume() {
    this.open({ type: "resume", key: sessionStorage.getItem(KEY) });
  }

  /** @param {object} first */
  open(first) {
    const where = new URL("api/play", document.baseURI);
    where.protocol = where.protocol.replace("http", "ws");
    this.state = this.replay ? "lost" : "connecting";
    this.said = "";
    const socket = (this.socket = new WebSocket(where, "arena.play.1"));
    socket.onopen = () => socket.send(JSON.stringify(first));
    socket.onmessage = ({ data }) => {
      this.hear(JSON.parse(data));
      this.changed();
    };
    socket.onclose = () => {
      if (this.socket !== socket || this.state === "ended" || this.state === "") return;
      if (!Seat.canResume) {
        this.state = "";
        this.said ||= "The server closed the connection.";
        return this.changed();
      }
      this.state = "lost";
      this.question = null;
      this.changed();
      setTimeout(() => this.state === "lost" && this.resume(), Math.min(5000, 250 * 2 ** this.tries++));
    };
    this.changed();
  }

  /** @param {any} message */
  hear(message) {
    switch (message.type) {
      case "waiting":
        this.state = "waiting";
        this.said = message.text;
        break;
      case "seated":
        sessionStorage.setItem(KEY, message.key);
        this.state = "seated";
        this.said = "";
        this.tries = 0;
        this.seat = message.seat;
        this.replay = message.match;
        this.patterns = message.match.steps.flatMap((/** @type {import("./position.js").Step} */ { move }) => move ?? []);
        this.question = null;
        break;
      case "step":
        if (!this.replay || message.number !== this.replay.steps.length) break;
        this.replay.moves.push(...(message.moves ?? []));
        this.replay.lines.push(...(message.lines ?? []));
        this.replay.marks.push(...(message.marks ?? []));
        this.replay.steps.push(message.step);
        this.question = null;
        break;
      case "decision":
        this.question = { ...message, since: performance.now() };
        for (const [move] of message.legal) if (this.patterns.every(({ type }) => type !== move.type)) this.patterns.push(move);
        this.said = this.rule = "";
        break;
      case "reason":
        this.said = message.text || "That move is legal.";
        this.rule = message.rule;
        break;
      case "refused":
        this.said = message.text;
        this.rule = "";
        break;
      case "ended":
        this.state = "ended";
        this.end = message;
        this.question = null;
        if (this.replay) this.replay.outcome = message.outcome;
        sessionStorage.removeItem(KEY);
        break;
      case "error":
        sessionStorage.removeItem(KEY);
        this.state = "";
        this.said = message.text;
        break;
    }
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {Move} move */
  move(move) {
    if (this.question) this.send({ type: "move", decision: this.question.decision, move });
  }

  /** @param {Move} move */
  why(move) {
    if (this.question) this.send({ type: "why", decision: this.question.decision, move });
  }

  resign() {
    this.send({ type: "resign" });
  }
}
