import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { status } from "@grpc/grpc-js";
import { Refused, Unreachable } from "arena-bots";

import { First, recording } from "./bots.js";
import { FakeArena, freshAddress, makeSession, play, type Script } from "./fake_arena.js";

test("resuming keeps the objects and answers from memory", async () => {
  const bot = recording();
  const before: Script = async (link) => {
    await link.welcome({ token: "first" });
    link.start("a", "b");
    link.ask(["a", 1], ["b", 4]);
    assert.equal((await link.answers()).length, 2);
    link.abort(status.UNAVAILABLE);
  };
  const after: Script = async (link) => {
    const hello = await link.welcome({ resumed: true, token: "second" });
    assert.equal(Buffer.from(hello.resumeToken).toString(), "first");
    link.start("a", "b");
    link.ask(["a", 1], ["b", 5]);
    assert.deepEqual(await link.answers(), [
      ["a", 1, 1],
      ["b", 5, 1],
    ]);
    link.abort(status.UNAVAILABLE);
  };
  const again: Script = async (link) => {
    const hello = await link.welcome({ resumed: true });
    assert.equal(Buffer.from(hello.resumeToken).toString(), "second");
    await link.goodbye();
  };
  const { error, lines } = await play(bot, [before, after, again]);
  assert.equal(error, undefined);
  assert.deepEqual(bot.asked, [
    ["a", 1],
    ["b", 4],
    ["b", 5],
  ]);
  assert.equal(bot.objects.length, 2);
  assert(lines.includes("the connection was lost (because); trying to resume"));
  assert(lines.includes("the session was resumed"));
});

test("a decision that is asked again is answered again, not decided again", async () => {
  const bot = recording();
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a");
    for (let time = 0; time < 2; time++) {
      link.ask(["a", 1]);
      assert.deepEqual(await link.answers(), [["a", 1, 1]]);
    }
    await link.goodbye();
  };
  assert.equal((await play(bot, [script])).error, undefined);
  assert.deepEqual(bot.asked, [["a", 1]]);
});

test("resuming outlives a restart of the listener", async () => {
  const bot = recording();
  const asked = new EventTarget();
  const before: Script = async (link) => {
    await link.welcome();
    link.start("a");
    link.ask(["a", 1]);
    await link.answers();
    asked.dispatchEvent(new Event("asked"));
    await link.read();
  };
  const after: Script = async (link) => {
    await link.welcome({ resumed: true });
    link.ask(["a", 1]);
    assert.deepEqual(await link.answers(), [["a", 1, 1]]);
    await link.goodbye();
  };
  const arena = new FakeArena(freshAddress(), [before, after]);
  await arena.listen();
  let lost = () => {};
  const isLost = new Promise<void>((resolve) => (lost = resolve));
  const session = makeSession(bot, { address: arena.address }, (line) => {
    if (line.includes("trying to resume")) lost();
  });
  const isAsked = once(asked, "asked");
  const playing = session.play();
  await isAsked;
  arena.cut();
  await isLost;
  assert.equal(session.state, "resuming");
  await arena.listen();
  await playing;
  arena.stop();
  assert.deepEqual(bot.asked, [["a", 1]]);
});

test("an expired session begins anew, without its matches", async () => {
  const bot = recording();
  const before: Script = async (link) => {
    await link.welcome();
    link.start("a");
    link.abort(status.UNAVAILABLE);
  };
  const expired: Script = async (link) => {
    await link.read();
    link.abort(status.NOT_FOUND, "the session has expired");
  };
  const anew: Script = async (link) => {
    assert.equal((await link.welcome()).resumeToken.length, 0);
    link.ask(["a", 1]);
    link.start("b");
    link.ask(["b", 1]);
    assert.deepEqual(await link.answers(), [["b", 1, 1]]);
    await link.goodbye();
  };
  const { error, lines } = await play(bot, [before, expired, anew]);
  assert.equal(error, undefined);
  assert(lines.some((line) => line.includes("expired")));
});

test("a welcome that does not resume drops all matches", async () => {
  const bot = recording();
  const before: Script = async (link) => {
    await link.welcome();
    link.start("a");
    link.abort(status.INTERNAL);
  };
  const after: Script = async (link) => {
    await link.welcome();
    link.ask(["a", 1]);
    link.start("a");
    link.ask(["a", 2]);
    assert.deepEqual(await link.answers(), [["a", 2, 1]]);
    await link.goodbye();
  };
  assert.equal((await play(bot, [before, after])).error, undefined);
  assert.equal(bot.objects.length, 2);
});

test("an arena that has not noticed the loss is asked again", async () => {
  const before: Script = async (link) => {
    await link.welcome();
    link.close();
  };
  const unaware: Script = async (link) => {
    await link.read();
    link.abort(status.ALREADY_EXISTS);
  };
  const after: Script = async (link) => {
    await link.welcome({ resumed: true });
    await link.goodbye();
  };
  assert.equal((await play(First, [before, unaware, after])).error, undefined);
});

test("a lost arena is given up after a while", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    link.abort(status.UNAVAILABLE, "gone");
  };
  const closed: Script = async (link) => link.abort(status.UNAVAILABLE, "still gone");
  const scripts = [script, ...Array<Script>(20).fill(closed)];
  const { error } = await play(First, scripts, { resumeTimeoutS: 0.3 });
  assert(error instanceof Unreachable);
  assert.match(error.message, /went away and did not come back within 0\.3 s \(still gone\)$/);
});

test("without anybody listening the session gives up", async () => {
  const address = freshAddress();
  await assert.rejects(makeSession(First, { address, connectTimeoutS: 0.2 }).play(), (error) => {
    assert(error instanceof Unreachable);
    assert.match(
      error.message,
      /^no arena answers at unix:.*: is it running, and is ARENA_ADDRESS/,
    );
    return true;
  });
});

test("a bot may start before the arena", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    await link.goodbye();
  };
  const arena = new FakeArena(freshAddress(), [script]);
  const playing = makeSession(First, { address: arena.address }).play();
  setTimeout(() => void arena.listen(), 100);
  await playing;
  arena.stop();
});

const REFUSALS: [status, string][] = [
  [status.UNAUTHENTICATED, "rejected the token: because (set ARENA_TOKEN"],
  [status.PERMISSION_DENIED, "rejected the token: because (set ARENA_TOKEN"],
  [status.ALREADY_EXISTS, "the token is in use: because"],
  [status.FAILED_PRECONDITION, "because (this SDK speaks protocol 1:"],
  [status.UNIMPLEMENTED, "is not an arena"],
  [status.INVALID_ARGUMENT, "the arena ended the session: because"],
  [status.NOT_FOUND, "the arena ended the session: because"],
];
for (const [code, expected] of REFUSALS) {
  test(`a refusal is final: ${status[code]}`, async () => {
    const script: Script = async (link) => {
      await link.read();
      link.abort(code);
    };
    const { error, received } = await play(First, [script]);
    assert(error instanceof Refused);
    assert(error.message.includes(expected), error.message);
    assert.equal(received.length, 1);
  });
}

test("stop() ends a session that has not been welcomed yet", async () => {
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const silent: Script = async (link) => {
    await link.read();
    reached();
    await link.read().catch(() => {});
  };
  const arena = new FakeArena(freshAddress(), [silent]);
  await arena.listen();
  const session = makeSession(First, { address: arena.address });
  const playing = session.play();
  await isReached;
  session.stop("enough");
  await playing;
  assert.equal(session.state, "ended");
  arena.stop();
});
