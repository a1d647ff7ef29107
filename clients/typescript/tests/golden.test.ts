import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { createRegistry, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { file_google_protobuf_duration } from "@bufbuild/protobuf/wkt";
import { byzanz, schwarzmarkt } from "arena-bots";
import {
  DecisionSchema,
  file_arena_v1_play,
  PlayRequestSchema,
  PlayResponseSchema,
} from "arena-bots/v1";

import { batchOf, fieldOf, ResponseField } from "#src/wire.js";

const GOLDEN = "../conformance/golden";
const REQUESTS = ["hello", "answers", "leave"]; // what the bot says; everything else the arena says
const registry = createRegistry(file_arena_v1_play, file_google_protobuf_duration);
const names = readdirSync(GOLDEN)
  .filter((file) => file.endsWith(".binpb"))
  .map((file) => file.replace(".binpb", ""));

assert(names.length > 0, `no messages in ${GOLDEN}`);

for (const name of names) {
  const isRequest = REQUESTS.includes(name.split("-")[0]!);
  const schema = isRequest ? PlayRequestSchema : PlayResponseSchema;
  const bytes = new Uint8Array(readFileSync(join(GOLDEN, `${name}.binpb`)));
  const json = JSON.parse(readFileSync(join(GOLDEN, `${name}.json`), "utf8"));

  test(`${name} is the same in both forms`, () => {
    const message = fromBinary(schema, bytes);
    assert.deepEqual(fromJson(schema, json, { registry }), message);
    assert.deepEqual(toBinary(schema, message), bytes);
    assert.deepEqual(
      fromJson(schema, toJson(schema, message, { registry }), { registry }),
      message,
    );
  });

  if (isRequest || fieldOf(bytes) !== ResponseField.DECISIONS) continue;

  test(`${name} is read in parts as it is as a whole`, () => {
    const { message } = fromBinary(PlayResponseSchema, bytes);
    assert(message.case === "decisions");
    const parts = batchOf(bytes).decisions.map((part) => fromBinary(DecisionSchema, part.bytes));
    assert.deepEqual(parts, message.value.decisions);
    for (const [index, part] of batchOf(bytes).decisions.entries()) {
      const { matchId, decisionId, legalCount } = parts[index]!;
      const read = [part.matchId, part.decisionId, part.legalCount];
      assert.deepEqual(read, [matchId, decisionId, legalCount]);
    }
  });
}

for (const [game, classes] of Object.entries({ byzanz, schwarzmarkt })) {
  test(`everything in the decisions of ${game} can be looked at`, () => {
    const started = fromBinary(
      PlayResponseSchema,
      readFileSync(join(GOLDEN, `${game}-match-started.binpb`)),
    ).message;
    assert(started.case === "matchStarted");
    const match = new classes.Match(started.value);
    const seen = batchOf(readFileSync(join(GOLDEN, `${game}-decisions.binpb`))).decisions;
    for (const asked of seen) {
      const decision = new classes.Decision(match as never, asked);
      assert.equal(decision.legalMoves.length, decision.legalCount);
      assert.equal(new Set(decision.legalMoves.map((move) => move.text)).size, decision.legalCount);
      for (const value of everything(decision.observation)) {
        assert(!String(value).includes("unknown"), String(value));
      }
    }
    assert(seen.length > 0);
  });
}

/** Yields what all getters of an object give. */
function* everything(seen: object): Generator<unknown> {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(seen))) {
    if (name !== "constructor") yield seen[name as never];
  }
}
