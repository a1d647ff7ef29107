import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { create, toBinary } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { Bot, BotFailed, ByzanzBot, IllegalChoice, Move, Refused, type Decision } from "arena-bots";
import { Goodbye_Reason, HelloSchema, PlayRequestSchema, Rejected_Reason } from "arena-bots/v1";

import { FLUSH_MS } from "#src/players.js";
import { SDK } from "#src/session.js";

import { block, First, recording } from "./bots.js";
import { play, type Script } from "./fake_arena.js";

test("the hello introduces the bot", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    await link.goodbye();
  };
  const { received, lines, error } = await play(First, [script], { token: "secret" });
  assert.equal(error, undefined);
  assert.deepEqual(
    received[0]?.[0]?.message.value,
    create(HelloSchema, {
      ...{ protocol: 1, token: "secret", bot: "first", version: "3", language: "typescript" },
      ...{ sdk: SDK, games: ["byzanz", "schwarzmarkt"], maxMatches: 64, batchesMatches: true },
    }),
  );
  assert(!lines.join().includes("secret"));
  assert.match(lines[0] ?? "", /^playing as mine at unix:.* \(arena 0\.1\.0\)$/);
});

test("the version in the hello is that of the package", () => {
  for (const path of ["package.json", "template/common/sdk/package.json"]) {
    assert.equal(`arena-typescript ${JSON.parse(readFileSync(path, "utf8")).version}`, SDK);
  }
});

test("a batch is answered in one message, in its order", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a", "b", "c");
    link.ask(["a", 1], ["b", 1], ["c", 1]);
    assert.deepEqual(await link.answers(), [
      ["a", 1, 0],
      ["b", 1, 0],
      ["c", 1, 0],
    ]);
    link.ask(["b", 2]);
    assert.deepEqual(await link.answers(), [["b", 2, 0]]);
    await link.goodbye();
  };
  assert.equal((await play(First, [script])).error, undefined);
});

test("one object plays one match, and is told the outcome once", async () => {
  const bot = recording();
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a", "b", "a");
    link.ask(["a", 1], ["b", 1]);
    await link.answers();
    link.end("b");
    link.end("b");
    link.end("never-heard-of");
    await link.goodbye();
  };
  await play(bot, [script]);
  assert.deepEqual(
    bot.objects.map((made) => made.match.id),
    ["a", "b"],
  );
  assert.equal(bot.outcomes.length, 1);
  const [outcome] = bot.outcomes;
  assert.deepEqual([outcome?.match.id, outcome?.score, outcome?.rank], ["b", 9, 1]);
  assert.deepEqual(outcome?.forfeits, ["timeout", undefined]);
});

test("a slow bot sends what it has", async () => {
  class Slow extends Bot {
    decide(): number {
      if (this.match.id === "b") block(FLUSH_MS * 1.5);
      return 2;
    }
  }
  const script: Script = async (link) => {
    await link.welcome();
    link.start("a", "b", "c");
    link.ask(["a", 1], ["b", 1], ["c", 1]);
    assert.deepEqual(await link.answers(), [
      ["a", 1, 2],
      ["b", 1, 2],
    ]);
    assert.deepEqual(await link.answers(), [["c", 1, 2]]);
    await link.goodbye();
  };
  assert.equal((await play(Slow, [script])).error, undefined);
});

test("a waiting decision is dropped when its match ends", async () => {
  const bot = recording(FLUSH_MS * 1.1);
  const script: Script = async (link) => {
    await link.welcome();
    link.start(..."abcdef");
    link.ask(...[..."abcdef"].map((matchId): [string, number] => [matchId, 1]));
    link.end("f");
    let seen = 0;
    while (seen < 5) seen += (await link.answers()).length;
    await link.goodbye();
  };
  assert.equal((await play(bot, [script])).error, undefined);
  assert.equal(bot.asked.map(([matchId]) => matchId).join(""), "abcde");
});

test("what is unknown is ignored, before and after the welcome", async () => {
  const unknown = Buffer.from("9a0603616263", "hex"); // field 99, of type bytes
  const script: Script = async (link) => {
    await link.read();
    link.sendBytes(unknown);
    const welcome = Buffer.concat([Buffer.from("2a046d696e65", "hex"), unknown]);
    link.sendBytes(Buffer.concat([Buffer.from([0x0a, welcome.length]), welcome]));
    link.sendBytes(unknown);
    link.sendBytes(Buffer.alloc(0));
    link.send({ case: "matchStarted", value: { matchId: "a", game: "chess" } });
    link.send({
      case: "rejected",
      value: { matchId: "a", decisionId: 1, reason: 77 as never },
    });
    link.ask(["a", 1]);
    assert.deepEqual(await link.answers(), [["a", 1, 0]]);
    await link.goodbye(55 as Goodbye_Reason);
  };
  const { error, lines } = await play(First, [script]);
  assert.equal(error, undefined);
  assert(lines.some((line) => line.includes("of match a (77): see arena's documentation")));
});

test("a rejection is a warning", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    const rejected = { matchId: "a\x1b[2J", decisionId: 7, reason: Rejected_Reason.LATE };
    link.send({ case: "rejected", value: rejected });
    await link.goodbye();
  };
  const { error, lines } = await play(First, [script]);
  const line = lines.find((each) => each.includes("rejected"));
  assert.match(
    line ?? "",
    /^warning: the arena rejected the answer to decision 7 of match a\uFFFD/,
  );
  assert.match(line ?? "", /\(late\): decide faster/);
  assert.equal(error, undefined);
});

test("a goodbye for misbehaviour is a refusal", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    await link.goodbye(Goodbye_Reason.MISBEHAVED);
  };
  assert((await play(First, [script])).error instanceof Refused);
});

test("a goodbye ends the session, whatever the status of the stream", async () => {
  const script: Script = async (link) => {
    await link.welcome();
    await link.goodbye(Goodbye_Reason.STOPPING);
    link.abort(status.UNAVAILABLE, "stopping");
  };
  const { error, lines } = await play(First, [script]);
  assert.equal(error, undefined);
  assert(lines.includes("the arena says goodbye: that was all"));
});

for (const choice of [3, -1, 0.5, NaN, true, null, undefined, "pass", new Move(7), [0], 0n]) {
  test(`an illegal choice is never sent: ${String(choice)}`, async () => {
    class Wrong extends ByzanzBot {
      decide(): number {
        return choice as number;
      }
    }
    let reason = "";
    const script: Script = async (link) => {
      await link.welcome();
      link.start("a");
      link.ask(["a", 1]);
      const leave = await link.leave();
      assert(leave.failed);
      reason = leave.reason;
    };
    const { error } = await play(Wrong, [script]);
    assert(error instanceof IllegalChoice);
    assert.match(
      error.message,
      /\n {2}2: bid spice-2 wine-1\n\(decision 1 of <byzanz match a, seat/,
    );
    assert.match(reason, /^decide\(\) returned .* not one of the 3 legal moves:$/);
  });
}

const FAILURES: Record<string, new (match: never) => Bot> = {
  constructor: class Failing extends First {
    constructor(match: never) {
      super(match);
      fail();
    }
  },
  decide: class Failing extends First {
    override decide(): number {
      return fail();
    }
  },
  "async decide": class Failing extends First {
    override async decide(): Promise<number> {
      await null;
      return fail();
    }
  },
  ended: class Failing extends First {
    override ended(): void {
      fail();
    }
  },
  "async ended": class Failing extends First {
    override async ended(): Promise<void> {
      await null;
      fail();
    }
  },
};

function fail(): never {
  throw new RangeError("so \ud800 it is\nand more");
}

for (const [where, Failing] of Object.entries(FAILURES)) {
  test(`a failure in ${where} leaves the session`, async () => {
    const script: Script = async (link) => {
      await link.welcome();
      link.start("a");
      link.ask(["a", 1]);
      if (where.includes("ended")) {
        await link.answers();
        link.end("a");
      }
      const leave = await link.leave();
      assert(leave.failed);
      assert.equal(leave.reason, "RangeError: so \uFFFD it is");
    };
    const { error } = await play(Failing as typeof First, [script]);
    assert(error instanceof BotFailed);
    assert(
      error.message.startsWith(`Failing.${where.replace("async ", "")}() in <byzanz match a,`),
    );
    assert.match(error.trace, /session\.test/);
    assert.doesNotMatch(error.trace, /players/);
  });
}

test("notes are sent, and cut at a character", async () => {
  class Noting extends Bot {
    decide(decision: Decision): number {
      decision.note = "ab€";
      return 0;
    }
  }
  const script: Script = async (link) => {
    await link.welcome({ limits: { maxNoteBytes: 4 } });
    link.start("a");
    link.ask(["a", 1]);
    const message = (await link.read())?.message;
    assert(message?.case === "answers");
    assert.equal(message.value.answers[0]?.note, "ab");
    await link.goodbye();
  };
  const { error, lines } = await play(Noting, [script]);
  assert.equal(error, undefined);
  assert(lines.includes("warning: a note of 5 bytes was cut to 4"));
});

test("a message larger than the arena takes is split", async () => {
  const script: Script = async (link) => {
    await link.welcome({ limits: { maxMessageBytes: 40 } });
    link.start(..."abcdefgh");
    link.ask(...[..."abcdefgh"].map((matchId): [string, number] => [matchId, 1]));
    const seen: string[] = [];
    while (seen.length < 8) {
      seen.push(...(await link.answers()).map(([matchId]) => matchId));
      const last = link.received.at(-1);
      assert(last && toBinary(PlayRequestSchema, last).length <= 40);
    }
    assert.equal(seen.join(""), "abcdefgh");
    assert(link.received.length > 2);
    await link.goodbye();
  };
  assert.equal((await play(First, [script])).error, undefined);
});
