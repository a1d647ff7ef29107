/** Between binary and JSON form, line by line, for the tests of clients/conformance. */

import { createInterface } from "node:readline";

import {
  createRegistry,
  fromBinary,
  fromJsonString,
  toBinary,
  toJsonString,
  type DescMessage,
} from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { file_google_protobuf_duration } from "@bufbuild/protobuf/wkt";
import { file_arena_v1_play, PlayRequestSchema, PlayResponseSchema } from "arena-bots/v1";

const SCHEMAS = new Map<string, DescMessage>([
  ["PlayRequest", PlayRequestSchema],
  ["PlayResponse", PlayResponseSchema],
]);
// What may be inside an Any.
const registry = createRegistry(file_arena_v1_play, file_google_protobuf_duration);

/** Returns a message in its other form. */
function answer(line: string): string {
  const [, form, name = "", content = ""] = /^(binary|json) (\w+) (.*)$/.exec(line) ?? [];
  const schema = SCHEMAS.get(name);
  if (!schema) throw new Error("wanted: binary or json, PlayRequest or PlayResponse, a message");
  if (form === "json") {
    return base64Encode(toBinary(schema, fromJsonString(schema, content, { registry })));
  }
  return toJsonString(schema, fromBinary(schema, base64Decode(content)), { registry });
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(answer(line));
  } catch (error) {
    console.log("error", String(error).replaceAll("\n", " "));
  }
}
