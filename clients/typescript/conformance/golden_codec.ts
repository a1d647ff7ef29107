/** Between binary and JSON form, line by line, for the tests of clients/conformance. */

import { createInterface } from "node:readline";

import { createRegistry, fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import { file_arena_v1_play, PlayRequestSchema, PlayResponseSchema } from "arena-client/v1";

const SCHEMAS = { PlayRequest: PlayRequestSchema, PlayResponse: PlayResponseSchema };
const registry = createRegistry(file_arena_v1_play);

/** Returns a message in its other form. */
function answer(line: string): string {
  const [, form, name, content] = /^(binary|json) (\S+) ?(.*)$/s.exec(line) ?? [];
  const schema = SCHEMAS[name as keyof typeof SCHEMAS];
  if (!schema || content === undefined) throw new Error(`neither binary nor json of a known type`);
  if (form === "binary") {
    return toJsonString(schema, fromBinary(schema, Buffer.from(content, "base64")), { registry });
  }
  return Buffer.from(toBinary(schema, fromJsonString(schema, content, { registry }))).toString("base64");
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  try {
    console.log(answer(line));
  } catch (error) {
    console.log("error", String(error).replaceAll("\n", " "));
  }
}
