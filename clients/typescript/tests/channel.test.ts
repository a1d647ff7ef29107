import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";

import { ServerCredentials } from "@grpc/grpc-js";
import { Unreachable, UsageError, type Settings } from "arena-bots";

import { CALMED, OPTIONS } from "#src/channel.js";

import { First } from "./bots.js";
import { FakeArena, freshDirectory, makeSession, type Script } from "./fake_arena.js";

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;

interface Certificate {
  readonly path: string;
  readonly keyPath: string;
  readonly pair: { cert_chain: Buffer; private_key: Buffer };
}

/** Makes a certificate that vouches for itself. */
function certify(name: string): Certificate {
  const path = join(freshDirectory(), `${name}.pem`);
  const keyPath = path.replace(".pem", ".key");
  const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const files = ["-keyout", keyPath, "-out", path];
  const options = ["req", "-x509", ...algorithm, "-nodes", "-days", "2", ...names, ...files];
  execFileSync("openssl", options, { stdio: "ignore", timeout: 30_000 });
  const pair = { cert_chain: readFileSync(path), private_key: readFileSync(keyPath) };
  return { path, keyPath, pair };
}

/** Plays one empty session over TLS. */
async function playOverTls(
  credentials: ServerCredentials,
  settings: Partial<Settings>,
): Promise<void> {
  const script: Script = async (link) => {
    await link.welcome();
    await link.goodbye();
  };
  const arena = new FakeArena("localhost:0", [script], credentials);
  await arena.listen();
  try {
    await makeSession(First, { address: arena.address, tls: true, ...settings }).play();
  } finally {
    arena.stop();
  }
}

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe("TLS", { skip: hasOpenssl ? false : "needs openssl" }, () => {
  const arena = hasOpenssl ? certify("arena") : ({} as Certificate);
  const own = hasOpenssl ? certify("bot") : ({} as Certificate);

  test("the authority of the arena is trusted", async () => {
    const server = ServerCredentials.createSsl(null, [arena.pair]);
    await playOverTls(server, { caFile: arena.path });
  });

  test("a client certificate is shown, and without one nobody gets in", async () => {
    const server = ServerCredentials.createSsl(own.pair.cert_chain, [arena.pair], true);
    const caFile = arena.path;
    await playOverTls(server, { caFile, certFile: own.path, keyFile: own.keyPath });
    await assert.rejects(playOverTls(server, { caFile, connectTimeoutS: 0.2 }), Unreachable);
  });

  test("another authority is not trusted", async () => {
    const server = ServerCredentials.createSsl(null, [arena.pair]);
    await assert.rejects(
      playOverTls(server, { caFile: own.path, connectTimeoutS: 0.2 }),
      (error) =>
        error instanceof Unreachable && /no arena answers at localhost:/.test(error.message),
    );
  });
});

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
