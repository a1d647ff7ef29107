/** All tests in one process: loading gRPC for each file would take longer than most of them. */

import { readdirSync } from "node:fs";

const HERE = new URL(".", import.meta.url);

for (const file of readdirSync(HERE)) {
  if (file.endsWith(".test.js")) await import(new URL(file, HERE).href);
}
