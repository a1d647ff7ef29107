/** What is told to the author of a bot, in words. */

import { Rejected_Reason as Reason, type Rejected } from "./v1/play_pb.js";

const TOKEN_REFUSED = [
  "the arena refuses the token",
  "set ARENA_TOKEN to the token from the organiser",
] as const;

const REFUSALS: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  UNAUTHENTICATED: TOKEN_REFUSED,
  PERMISSION_DENIED: TOKEN_REFUSED,
  ALREADY_EXISTS: [
    "the token is in use",
    "end the other program that plays with it, or wait until the arena has noticed its end",
  ],
  FAILED_PRECONDITION: [
    "the arena does not accept this bot",
    "this library speaks protocol {protocol}; install one that fits, or check the bot's games",
  ],
  RESOURCE_EXHAUSTED: [
    "a limit of the arena was exceeded",
    "try again later, or take fewer matches at once (maxMatches)",
  ],
  UNIMPLEMENTED: ["what answers at {address} is no arena", "check ARENA_ADDRESS"],
};
const OTHER_REFUSAL = [
  "the arena ended the session",
  "see the documentation of the arena",
] as const;

const ADVICE: Readonly<Record<number, string>> = {
  [Reason.LATE]: "decide faster: see moveTimeS and bankS of the decision",
  [Reason.REPEATED]: "nothing to do: the first answer counts",
  [Reason.UNKNOWN_DECISION]: "nothing to do, unless it happens often",
  [Reason.UNKNOWN_MATCH]: "nothing to do, unless it happens often",
  [Reason.MATCH_OVER]: "nothing to do: the match ended while the bot was thinking",
  [Reason.ILLEGAL_MOVE]: "check that arena and library have the same version",
  [Reason.INCOMPLETE]: "check that arena and library have the same version",
  [Reason.NOTE_TOO_LONG]: "write shorter notes",
};

/** Returns why the arena refused a session by a status, such as "NOT_FOUND", and what to do. */
export function refusal(
  status: string,
  details: string,
  address: string,
  protocol: number,
): string {
  const [what, advice] = REFUSALS[status] ?? OTHER_REFUSAL;
  const text = `${what}: ${inert(details) || status} (${advice})`;
  return text.replace("{address}", () => address).replace("{protocol}", String(protocol));
}

/** Returns the warning about an answer that was not used. */
export function rejection(rejected: Rejected): string {
  const { decisionId, matchId, message, reason } = rejected;
  const name = (Reason[reason] ?? String(reason)).toLowerCase().replaceAll("_", " ");
  const told = inert(message) || (ADVICE[reason] ?? "see the documentation of the arena");
  const where = `decision ${decisionId} of match ${inert(matchId)}`;
  return `warning: the arena rejected the answer to ${where} (${name}): ${told}`;
}

/** Returns a text from elsewhere so that it can do nothing to a terminal. */
export function inert(text: string): string {
  return text.replace(UNPRINTABLE, "\uFFFD");
}

/** Returns whether a text has nothing in it that inert() would replace. */
export function isPrintable(text: string): boolean {
  return inert(text) === text;
}

const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu; // control, format, unassigned, surrogate, separator
