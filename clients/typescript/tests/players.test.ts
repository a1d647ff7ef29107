import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Bot, type BotFailed, type Match } from "arena-bots";
import { PlayRequestSchema, PlayResponseSchema } from "arena-bots/v1";

import { LocalPlayers, type PlayersListener } from "#src/players.js";

import { First } from "./bots.js";
import type { Said } from "./fake_arena.js";
import { decision, ended, started } from "./messages.js";

const LINK = { number: 1, resumed: false, maxMessageBytes: 0, maxNoteBytes: 0 };
const START: Said = { case: "matchStarted", value: started("m") };
const ASK: Said = { case: "decisions", value: { decisions: [decision("m", 1)] } };
const END: Said = { case: "matchEnded", value: ended("m") };

/** Notes what players tell. */
class Heard implements PlayersListener {
  readonly answers: string[] = [];
  readonly failures: BotFailed[] = [];

  answered(link: number, request: Uint8Array): void {
    const { message } = fromBinary(PlayRequestSchema, request);
    assert(message.case === "answers");
    for (const { matchId, decisionId, moveIndex } of message.value.answers) {
      this.answers.push(`${link}: ${matchId}/${decisionId}=${moveIndex}`);
    }
  }

  failed(failure: BotFailed): void {
    this.failures.push(failure);
  }

  warned(text: string): void {
    assert.fail(text);
  }
}

/** Lets players take in messages, and decide; a bot may say what comes while it thinks. */
async function played(...messages: Said[]): Promise<Heard> {
  const heard = new Heard();
  let meanwhile: Said | undefined = messages.pop();
  class Thinking extends First {
    constructor(match: Match) {
      super(match);
      assert.equal(match.signal.aborted, false);
    }

    override decide(): number {
      const message = meanwhile;
      meanwhile = undefined;
      if (message) queueMicrotask(() => players.take(encoded(message)));
      return 1;
    }
  }
  const players = new LocalPlayers(Thinking, heard);
  players.connected(LINK);
  for (const message of messages) players.take(encoded(message));
  for (let count = 0; count < 5; count++) await turn();
  return heard;
}

function encoded(message: Said): Uint8Array {
  return toBinary(PlayResponseSchema, create(PlayResponseSchema, { message }));
}

test("a decision that comes again while it is thought about gets one answer", async () => {
  assert.deepEqual((await played(START, ASK, ASK)).answers, ["1: m/1=1"]);
});

test("a match that ends while the bot thinks gets no answer any more", async () => {
  assert.deepEqual((await played(START, ASK, END)).answers, []);
});

test("decisions of a match that is not known are passed over", async () => {
  assert.deepEqual((await played(ASK, END)).answers, []);
});

test("after a failure nothing more is decided", async () => {
  let asked = 0;
  class Failing extends Bot {
    decide(): number {
      asked++;
      throw new Error("oh");
    }
  }
  const heard = new Heard();
  const players = new LocalPlayers(Failing, heard);
  players.connected(LINK);
  for (const matchId of ["a", "b"]) {
    players.take(encoded({ case: "matchStarted", value: started(matchId) }));
  }
  const decisions = [decision("a", 1), decision("b", 1)];
  players.take(encoded({ case: "decisions", value: { decisions } }));
  for (let count = 0; count < 5; count++) await turn();
  assert.deepEqual([asked, heard.failures.length, heard.answers.length], [1, 1, 0]);
});
