import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { fromBinary } from "@bufbuild/protobuf";
import { byzanz } from "arena-bots";
import { PlayResponseSchema } from "arena-bots/v1";

import { MyBot } from "./my_bot.js";

/** Returns the message of a file of samples/. */
function sample(name: string) {
  return fromBinary(PlayResponseSchema, readFileSync(`samples/${name}.binpb`)).message;
}

test("every choice is a legal move", () => {
  const started = sample("match-started");
  const asked = sample("decisions");
  assert(started.case === "matchStarted" && asked.case === "decisions");
  const match = new byzanz.Match(started.value);
  const bot = new MyBot(match);
  for (const message of asked.value.decisions) {
    const decision = new byzanz.Decision(match, message);
    decision.indexOf(bot.decide(decision)); // throws if it is not
  }
});
