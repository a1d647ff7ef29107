import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

import { transformSync } from "esbuild";

import { FakeArena, freshAddress, type Script } from "./fake_arena.js";

const PROGRAMS = "build/tests/programs"; // inside the package, so that "arena-bots" is found

interface Ended {
  readonly code: number | null;
  readonly errors: string;
  readonly output: string;
}

/** A bot program that has been started. */
class Program {
  readonly ended: Promise<Ended>;
  readonly process: ChildProcess;
  #output = "";

  constructor(path: string, flags: string[], variables: Record<string, string>) {
    const env = { PATH: process.env["PATH"], ...variables };
    const child = spawn(process.execPath, [path, ...flags], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (this.#output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    const timer = setTimeout(() => child.kill("SIGKILL"), 15_000); // one that hangs fails the test
    this.ended = new Promise((resolve) => {
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve({ code, errors, output: this.#output });
      });
    });
    this.process = child;
  }

  /** Waits until the program has printed something. */
  async printed(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      await new Promise((resolve) => this.process.stdout?.once("data", resolve));
    }
  }
}

let written = 0;

/** Writes a program whose bot decides as given; returns its path. It loads the library in one file. */
function write(decide: string, head = "", library = "../programs/arena-bots.js"): string {
  return writeSource(`
    import { Bot, run } from "${library}";
    ${head}
    class First extends Bot {
      ${decide}
    }
    await run(First);
  `);
}

function writeSource(source: string): string {
  const path = `${PROGRAMS}-${process.pid}-${written++}.mjs`;
  writeFileSync(path, source);
  return path;
}

after(() => {
  for (const file of readdirSync("build/tests")) {
    if (file.startsWith(`programs-${process.pid}-`)) rmSync(join("build/tests", file));
  }
});

/** Runs a program against scripts; returns how it ended. */
async function runProgram(
  path: string,
  scripts: Script[],
  { flags = [] as string[], variables = {} as Record<string, string> } = {},
  meanwhile: (program: Program) => Promise<void> = async () => {},
): Promise<Ended> {
  const arena = new FakeArena(freshAddress(), scripts);
  await arena.listen();
  const program = new Program(path, flags, { ARENA_ADDRESS: arena.address, ...variables });
  await meanwhile(program);
  const ended = await program.ended;
  arena.stop();
  return ended;
}

const FIRST = "decide() { return 0; }";

/** Plays one decision of Byzanz and says goodbye. */
const short: Script = async (link) => {
  await link.welcome();
  link.start("a");
  link.ask(["a", 1]);
  assert.equal((await link.answers()).length, 1);
  link.end("a");
  await link.goodbye();
};

/** Asks one decision and waits for the bot to leave because it failed. */
function failing(reason: RegExp): Script {
  return async (link) => {
    await link.welcome();
    link.start("a");
    link.ask(["a", 1]);
    const leave = await link.leave();
    assert(leave.failed);
    assert.match(leave.reason, reason);
  };
}

test("flags reach both threads, and count more than the environment", async () => {
  const script: Script = async (link) => {
    const hello = await link.welcome();
    assert.deepEqual([hello.token, hello.bot], ["flag", "First"]);
    await link.goodbye();
  };
  const options = { flags: ["--token", "flag"], variables: { ARENA_TOKEN: "variable" } };
  const path = write(FIRST, "console.log(process.argv[3]);");
  const { code, errors, output } = await runProgram(path, [script], options);
  assert.deepEqual([code, output], [0, "flag\nflag\n"], errors);
});

test("an exception is shown with its stack, and told", async () => {
  const path = write("decide() { return [][5].oh; }", "", "arena-bots"); // frames have their files
  const { code, errors } = await runProgram(path, [failing(/^TypeError: Cannot read/)]);
  assert.equal(code, 1);
  assert.match(
    errors,
    /TypeError: Cannot read[^\n]*\n {4}at First\.decide \(.*programs.*:\d+:\d+\)\n/,
  );
  assert.match(errors, /arena_client: First\.decide\(\) in <byzanz match a, seat 1 of 2> failed/);
  assert.doesNotMatch(errors, /players\.js/);
});

test("an exception that nobody waits for is a failure", async () => {
  const lost =
    "decide() { setTimeout(() => { throw new Error('lost'); }); return new Promise(() => {}); }";
  const { code, errors } = await runProgram(write(lost), [failing(/^Error: lost$/)]);
  assert.equal(code, 1);
  assert.match(errors, /Error: lost\n {4}at /);
});

test("a rejection that nobody handles is a failure", async () => {
  const lost = "decide() { Promise.reject(new Error('lost')); return new Promise(() => {}); }";
  assert.equal((await runProgram(write(lost), [failing(/^Error: lost$/)])).code, 1);
});

test("a bot that ends the program is a failure", async () => {
  const { code, errors } = await runProgram(write("decide() { process.exit(0); }"), [
    failing(/ended/),
  ]);
  assert.equal(code, 1);
  assert.match(errors, /arena_client: the program ended on the thread of the bot \(exit code 0\)/);
});

const DECIDES = {
  busy: 'decide() { for (;;) try { console.log("thinking"); for (;;); } catch {} }',
  waiting: 'decide() { console.log("thinking"); return new Promise(() => {}); }',
};
for (const [how, decide] of Object.entries(DECIDES)) {
  test(`SIGTERM leaves cleanly while the bot is ${how}`, async () => {
    const script: Script = async (link) => {
      await link.welcome();
      link.start("a");
      link.ask(["a", 1]);
      const leave = await link.leave();
      assert.deepEqual([leave.reason, leave.failed], ["stopped by SIGTERM", false]);
    };
    const { code, errors } = await runProgram(write(decide), [script], {}, async (program) => {
      await program.printed("thinking");
      program.process.kill("SIGTERM");
    });
    assert.equal(code, 0, errors);
    assert.doesNotMatch(errors, /\n {4}at /);
  });
}

test("a program that is no file plays on one thread", async () => {
  const arena = new FakeArena(freshAddress(), [short]);
  await arena.listen();
  const index = resolve("build/programs/arena-bots.js");
  const source = `import(${JSON.stringify(index)}).then(({ Bot, run }) => run(class B extends Bot { ${FIRST} }))`;
  const program = new Program("-e", [source], { ARENA_ADDRESS: arena.address });
  assert.equal((await program.ended).code, 0);
  arena.stop();
});

test("the bot of the README plays as it stands", async () => {
  const source = readFileSync("README.md", "utf8").split("```typescript\n")[1]?.split("```")[0];
  assert(source);
  const { code } = transformSync(source, { loader: "ts" });
  assert.equal((await runProgram(writeSource(code), [short])).code, 0);
});
