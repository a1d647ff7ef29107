import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { status } from "@grpc/grpc-js";
import { Bot, type Decision, type Match } from "arena-bots";

import { play, type Script } from "./fake_arena.js";

test("async bots think at once, and what they find together goes together", async () => {
  let bothThink = () => {};
  const both = new Promise<void>((resolve) => (bothThink = resolve));
  let thinking = 0;
  class Meeting extends Bot {
    async decide(decision: Decision) {
      if (++thinking === 2) bothThink();
      await both;
      return decision.legalMoves[1]!;
    }
  }
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a", "b");
    link.ask(["a", 1], ["b", 1]);
    assert.deepEqual(await link.answers(), [
      ["a", 1, 1],
      ["b", 1, 1],
    ]);
    await link.goodbye();
  };
  assert.equal((await play(Meeting, [script])).error, undefined);
});

test("a slow one holds nobody back, and the end of its match stops it", async () => {
  const told: string[] = [];
  class Stuck extends Bot {
    async decide() {
      if (this.match.id === "b") return 0;
      await once(this.match.signal, "abort");
      told.push("stopped");
      throw this.match.signal.reason;
    }

    override async ended() {
      await null;
      told.push(`ended ${this.match.id}`);
    }
  }
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a", "b");
    link.ask(["a", 1], ["b", 1]);
    assert.deepEqual(await link.answers(), [["b", 1, 0]]);
    link.end("a");
    link.ask(["b", 2]);
    assert.deepEqual(await link.answers(), [["b", 2, 0]]);
    assert.deepEqual(told.sort(), ["ended a", "stopped"]);
    await link.goodbye();
  };
  assert.equal((await play(Stuck, [script])).error, undefined);
});

test("thinking outlives a cut: decided once, sent once, after it was asked again", async () => {
  let isBack = () => {};
  const back = new Promise<void>((resolve) => (isBack = resolve));
  const asked: number[] = [];
  class Patient extends Bot {
    constructor(match: Match) {
      super(match);
      if (match.id === "b") isBack(); // only now has the bot read the second welcome
    }

    async decide(decision: Decision) {
      asked.push(decision.id);
      await back;
      return 2;
    }
  }
  const before: Script = async (link) => {
    await link.welcome();
    link.start("a");
    link.ask(["a", 1]);
    link.abort(status.UNAVAILABLE);
  };
  const after: Script = async (link) => {
    await link.welcome({ resumed: true });
    link.start("b");
    link.ask(["b", 1]);
    assert.deepEqual(await link.answers(), [["b", 1, 2]]); // what "a" has found by now stays here
    link.ask(["a", 1]);
    assert.deepEqual(await link.answers(), [["a", 1, 2]]);
    await link.goodbye();
  };
  assert.equal((await play(Patient, [before, after])).error, undefined);
  assert.deepEqual(asked, [1, 1]);
});

test("one match is never thought about twice at once", async () => {
  let isLate = () => {};
  const late = new Promise<void>((resolve) => (isLate = resolve));
  class Slow extends Bot {
    isThinking = false;

    async decide(decision: Decision) {
      assert(!this.isThinking);
      this.isThinking = true;
      if (this.match.id === "b") isLate();
      else if (decision.id === 1) await late;
      this.isThinking = false;
      return 0;
    }
  }
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a", "b");
    link.ask(["a", 1]);
    link.ask(["a", 2]); // the time of the first was up
    link.ask(["b", 1]);
    const seen: string[] = [];
    while (seen.length < 3) {
      seen.push(...(await link.answers()).map(([matchId, id]) => `${matchId}${id}`));
    }
    assert(seen.indexOf("a1") < seen.indexOf("a2"), String(seen));
    await link.goodbye();
  };
  assert.equal((await play(Slow, [script])).error, undefined);
});
