/**
 * Reads only as much of a message as is needed.
 *
 * Most of a decision is its observation and its legal moves. Whoever looks at none of them should
 * not pay for decoding them, and the thread that holds the connection never looks.
 */

import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A decision of which three fields have been read; `bytes` is the whole message. */
export interface EncodedDecision {
  readonly matchId: string;
  readonly decisionId: number;
  readonly legalCount: number;
  readonly bytes: Uint8Array;
}

/** A message with decisions, of which `ended` and `started` have not been read. */
export interface Batch {
  readonly ended: readonly Uint8Array[];
  readonly started: readonly Uint8Array[];
  readonly decisions: readonly EncodedDecision[];
}

/** Field numbers of PlayResponse, which are those of its oneof. */
export const ResponseField = {
  WELCOME: 1,
  MATCH_STARTED: 2,
  DECISIONS: 3,
  MATCH_ENDED: 4,
  REJECTED: 5,
  GOODBYE: 6,
} as const;

/** Returns which field of its oneof a PlayResponse has set; 0 if none that this version knows. */
export function fieldOf(response: Uint8Array): number {
  let found = 0;
  const reader = new BinaryReader(response);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field <= ResponseField.GOODBYE) found = field;
    reader.skip(type, field);
  }
  return found;
}

/** Returns what a PlayResponse with decisions holds. */
export function batchOf(response: Uint8Array): Batch {
  const batches = parts(response, ResponseField.DECISIONS);
  const all = (field: number) => batches.flatMap((batch) => parts(batch, field));
  return {
    ended: all(ResponseField.MATCH_ENDED), // they have the same numbers there
    started: all(ResponseField.MATCH_STARTED),
    decisions: all(1).map(readDecision),
  };
}

function readDecision(bytes: Uint8Array): EncodedDecision {
  let matchId = "";
  let decisionId = 0;
  let legalCount = 0;
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.LengthDelimited) matchId = reader.string();
    else if (field === 2 && type === WireType.Varint) decisionId = reader.uint32();
    else if (field === 5 && type === WireType.Varint) legalCount = reader.uint32();
    else reader.skip(type, field);
  }
  return { matchId, decisionId, legalCount, bytes };
}

function parts(bytes: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === wanted && type === WireType.LengthDelimited) found.push(reader.bytes());
    else reader.skip(type, field);
  }
  return found;
}
