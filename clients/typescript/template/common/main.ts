/** Starts the bot. What it does is in my_bot.ts. */

import { run } from "arena-bots";

import { MyBot } from "./my_bot.js";

await run(MyBot);
