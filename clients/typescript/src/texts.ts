/** What is told to the author of a bot, in words. */

import type { Settings } from "./settings.js";
import { Rejected_Reason as Reason, type Rejected } from "./v1/play_pb.js";

const TOKEN_REFUSED = [
  "the arena rejected the token",
  "set ARENA_TOKEN to the token from the organiser",
] as const;

const REFUSALS: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  UNAUTHENTICATED: TOKEN_REFUSED,
  PERMISSION_DENIED: TOKEN_REFUSED,
  ALREADY_EXISTS: [
    "the token is in use",
    "stop the other program that uses it, or wait until the arena has closed its session",
  ],
  FAILED_PRECONDITION: [
    "the arena does not accept this bot",
    "this SDK speaks protocol {protocol}: install a matching version, or check the bot's games",
  ],
  RESOURCE_EXHAUSTED: [
    "a limit of the arena was exceeded",
    "try again later, or take fewer matches at once (maxMatches)",
  ],
  UNIMPLEMENTED: ["the server at {address} is not an arena", "check ARENA_ADDRESS"],
};
const OTHER_REFUSAL = ["the arena ended the session", "see arena's documentation"] as const;

const ADVICE: Readonly<Record<number, string>> = {
  [Reason.LATE]: "decide faster: see moveTimeS and bankS of the decision",
  [Reason.REPEATED]: "nothing to do: the first answer counts",
  [Reason.UNKNOWN_DECISION]: "nothing to do, unless it happens often",
  [Reason.UNKNOWN_MATCH]: "nothing to do, unless it happens often",
  [Reason.MATCH_OVER]: "nothing to do: the match ended while the bot was thinking",
  [Reason.ILLEGAL_MOVE]: "check that arena and the SDK have the same version",
  [Reason.INCOMPLETE]: "check that arena and the SDK have the same version",
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

const IS_RUNNING = "is it running, and is ARENA_ADDRESS right?";

// The library has no codes for these, only texts; a conformance scenario notices when they change.
const HANDSHAKE_HINTS: readonly (readonly [mark: RegExp, hint: string])[] = [
  [
    /wrong version number/,
    "it does not use TLS: unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE",
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    "its certificate is for another host name: set ARENA_ADDRESS to a name in the certificate",
  ],
  [
    /self.signed certificate|unable to verify the first certificate|unable to get .*issuer/,
    "its certificate is not signed by a trusted authority: set ARENA_CA_FILE to the organiser's file",
  ],
];

/** Returns what to check when no arena answers. */
export function silenceHint(details: string, settings: Settings): string {
  const { address, caFile, certFile, tls } = settings;
  const isTls = [tls, caFile, certFile].some(Boolean);
  const found = isTls && HANDSHAKE_HINTS.find(([mark]) => mark.test(details));
  if (found) return found[1];
  if (details.includes("ECONNREFUSED") || address.startsWith("unix:")) return IS_RUNNING;
  if (!isTls) return `${IS_RUNNING} If it uses TLS, set ARENA_CA_FILE or ARENA_TLS=1`;
  if (certFile) return IS_RUNNING;
  return `${IS_RUNNING} If it requires a client certificate, set ARENA_CERT_FILE and ARENA_KEY_FILE`;
}

/** Returns the warning about an answer that was not used. */
export function rejection(rejected: Rejected): string {
  const { decisionId, matchId, message, reason } = rejected;
  const name = (Reason[reason] ?? String(reason)).toLowerCase().replaceAll("_", " ");
  const told = inert(message) || (ADVICE[reason] ?? "see arena's documentation");
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
