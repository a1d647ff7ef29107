/** Starts the bot. What it does is in my_bot.ts. */

import { run } from "arena-client";

import { MyBot } from "./my_bot.js";

await run(MyBot);
