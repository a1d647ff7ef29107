/** Plays as CONFORMANCE says, for the tests of clients/conformance (see clients/README.md). */

import { run } from "arena-bots";

import { conformanceBot } from "./bot.js";

await run(conformanceBot());
