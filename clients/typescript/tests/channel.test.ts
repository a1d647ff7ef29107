import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { Unreachable, UsageError } from "arena-bots";

import { CALMED, OPTIONS } from "#src/channel.js";

import { First } from "./bots.js";
import { freshDirectory, makeSession } from "./fake_arena.js";

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;

test("a file that is no certificate is refused", async () => {
  const certFile = join(freshDirectory(), "nonsense");
  writeFileSync(certFile, "nonsense");
  const settings = { address: "localhost:1", certFile, keyFile: certFile };
  await assert.rejects(makeSession(First, settings).play(), UsageError);
});

test("a stream that is reset for unanswered pings is a lost connection", async () => {
  const server = createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => {}); // its own reset
    stream.close(NGHTTP2_ENHANCE_YOUR_CALM);
  });
  const port = await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const settings = { address: `127.0.0.1:${port}`, connectTimeoutS: 0.2 };
  await assert.rejects(makeSession(First, settings).play(), (error) => {
    assert(error instanceof Unreachable, String(error));
    assert(error.message.includes(CALMED), error.message);
    return true;
  });
  server.close();
});

test("the channel pings, also while nothing is said", () => {
  assert.equal(OPTIONS["grpc.keepalive_time_ms"], 10_000);
  assert.equal(OPTIONS["grpc.keepalive_timeout_ms"], 5_000);
  assert.equal(OPTIONS["grpc.keepalive_permit_without_calls"], 1);
});
