/**
 * Plays the conformance bot again and again in one process. Each line of stdin begins a run (see
 * clients/README.md).
 */

import { createInterface } from "node:readline";

import { run } from "arena-bots";
import { codeOf } from "#src/program.js";
import { isBotThread } from "#src/thread.js";

import { conformanceBot } from "./bot.js";

type Order = {
  readonly mark: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
};

if (isBotThread) await run(conformanceBot()); // one thread for each run, with its variables

for await (const line of createInterface({ input: process.stdin })) {
  const { mark, variables, flags } = JSON.parse(line) as Order;
  Object.assign(process.env, variables); // the thread of the bot gets a copy
  const end = `${mark} ${await codeOf(conformanceBot(), flags)}\n`;
  for (const name of Object.keys(variables)) delete process.env[name];
  process.stdout.write(end);
  process.stderr.write(end);
}
