import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Bot, UsageError, type BotClass } from "arena-bots";

import { checkBot } from "#src/bot.js";
import { help, readSettings } from "#src/settings.js";
import { inert, refusal } from "#src/texts.js";

import { freshDirectory } from "./fake_arena.js";

test("every variable is read, and files make the connection a TLS one", () => {
  const directory = freshDirectory();
  const [ca, cert, key] = ["ca", "cert", "key"].map((name) => join(directory, name));
  for (const path of [ca, cert, key]) writeFileSync(path!, "");
  const settings = readSettings([], {
    ARENA_ADDRESS: "arena.example:50051",
    ARENA_TOKEN: "t",
    ARENA_CA_FILE: ca,
    ARENA_CERT_FILE: cert,
    ARENA_KEY_FILE: key,
    ARENA_RESUME_TIMEOUT: "2.5",
  });
  assert.deepEqual(settings, {
    address: "arena.example:50051",
    token: "t",
    tls: true,
    caFile: ca,
    certFile: cert,
    keyFile: key,
    connectTimeoutS: 5,
    resumeTimeoutS: 2.5,
  });
});

test("flags count more than variables, in both forms", () => {
  const variables = { ARENA_ADDRESS: "a:1", ARENA_TOKEN: "variable", ARENA_TLS: "0" };
  const flags = ["--address=[::1]:5", "--token", "flag", "--tls", "--connect-timeout=0"];
  const settings = readSettings(flags, variables);
  assert.deepEqual(
    [settings?.address, settings?.token, settings?.tls, settings?.connectTimeoutS],
    ["[::1]:5", "flag", true, 0],
  );
  assert.equal(readSettings([], variables)?.tls, false);
});

const WRONG: [variable: string, value: string][] = [
  ["ADDRESS", "http://localhost:5"],
  ["ADDRESS", "localhost"],
  ["ADDRESS", "localhost:99999"],
  ["ADDRESS", "localhost:0"],
  ["ADDRESS", "unix:"],
  ["TOKEN", "broken\n"],
  ["TOKEN", "\udc80"],
  ["TLS", "maybe"],
  ["CA_FILE", "/nowhere/ca.pem"],
  ["CONNECT_TIMEOUT", "soon"],
  ["CONNECT_TIMEOUT", " "],
  ["RESUME_TIMEOUT", "NaN"],
  ["RESUME_TIMEOUT", "-1"],
  ["RESUME_TIMEOUT", "Infinity"],
];
for (const [variable, value] of WRONG) {
  test(`a setting that makes no sense is refused by its name: ${variable}=${inert(value)}`, () => {
    const variables = { ARENA_ADDRESS: "localhost:5", [`ARENA_${variable}`]: value };
    assert.throws(() => readSettings([], variables), {
      name: "UsageError",
      message: new RegExp(`ARENA_${variable}`),
    });
  });
}

for (const flags of [["--bogus"], ["--bogus=1"], ["--token"], ["--tls=1"], ["stray"]]) {
  test(`flags that make no sense are refused: ${flags.join(" ")}`, () => {
    const name = flags[0]!.split("=")[0]!;
    assert.throws(() => readSettings(flags, { ARENA_ADDRESS: "a:5" }), {
      name: "UsageError",
      message: new RegExp(`${name}.*see --help`),
    });
  });
}

test("a certificate needs its key", () => {
  const cert = join(freshDirectory(), "cert");
  writeFileSync(cert, "");
  const variables = { ARENA_ADDRESS: "a:5", ARENA_CERT_FILE: cert };
  assert.throws(() => readSettings([], variables), /ARENA_KEY_FILE/);
});

test("without an address the variable to set is named", () => {
  assert.throws(() => readSettings([], {}), /^UsageError: no address: set ARENA_ADDRESS to/);
});

test("help names every flag, and asks for nothing else", () => {
  assert.equal(readSettings(["--help"], {}), undefined);
  const flags = ["address", "token", "tls", "ca-file", "cert-file", "key-file", "resume-timeout"];
  for (const flag of flags) assert(help("bot").includes(`--${flag} `), flag);
});

test("texts from elsewhere are made inert", () => {
  assert.equal(inert("a b\x1b[2J\u202e\n\u00a0é€😀"), "a b\uFFFD[2J\uFFFD\uFFFD\uFFFDé€😀");
  assert.equal(
    refusal("UNIMPLEMENTED", "", "$&:1", 1),
    "the server at $&:1 is not an arena: UNIMPLEMENTED (check ARENA_ADDRESS)",
  );
});

class Right extends Bot {
  decide(): number {
    return 0;
  }
}
const FIELDS: Record<string, unknown>[] = [
  { games: "byzanz" },
  { games: [1] },
  { name: "x".repeat(65) },
  { name: "" },
  { version: 1 },
  { maxMatches: 0 },
  { maxMatches: 1.5 },
];
for (const fields of FIELDS) {
  const [[field, value]] = Object.entries(fields) as [[string, unknown]];
  test(`a bot class that the arena would refuse is refused: ${field} ${String(value)}`, () => {
    class Wrong extends Right {}
    Object.defineProperty(Wrong, field, { value });
    assert.throws(() => checkBot(Wrong), { name: "UsageError", message: new RegExp(field) });
  });
}

test("what is no bot class is refused", () => {
  checkBot(Right);
  assert.equal(Right.name, "Right");
  for (const wrong of [7, undefined, new Right({} as never), class {}]) {
    assert.throws(() => checkBot(wrong as unknown as BotClass), /takes a class derived from Bot/);
  }
  const undecided = class Undecided extends (Bot as unknown as typeof Right) {};
  assert.throws(() => checkBot(undecided), UsageError);
});
