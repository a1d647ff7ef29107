/** Where the arena is and who the bot is: from the environment, or from flags, which count more. */

import { statSync } from "node:fs";
import { inspect, parseArgs } from "node:util";

import { UsageError } from "./errors.js";
import { isPrintable } from "./texts.js";

/** How to reach an arena. Files are paths to PEM files; empty means none. */
export interface Settings {
  /** `host:port`, `[v6]:port` or `unix:/path`. */
  readonly address: string;
  readonly token?: string;
  readonly tls?: boolean;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Seconds to keep trying at the start: 5. */
  readonly connectTimeoutS?: number;
  /** Seconds to keep trying after a lost connection: 30. */
  readonly resumeTimeoutS?: number;
}

export const CONNECT_TIMEOUT_S = 5;
export const RESUME_TIMEOUT_S = 30;

/** Every flag, what its value is called, and what it means. */
const FLAGS = {
  address: ["ADDRESS", "unix:/path or host:port (ARENA_ADDRESS)"],
  token: ["TOKEN", "the token from the organiser (prefer ARENA_TOKEN: other users can see flags)"],
  tls: ["", "TLS with the system's certificate authorities (ARENA_TLS=1)"],
  "ca-file": ["FILE", "TLS with the certificate authority in this PEM file (ARENA_CA_FILE)"],
  "cert-file": ["FILE", "a client certificate (ARENA_CERT_FILE)"],
  "key-file": ["FILE", "its key (ARENA_KEY_FILE)"],
  "connect-timeout": ["SECONDS", "to keep trying at the start: 5 (ARENA_CONNECT_TIMEOUT)"],
  "resume-timeout": ["SECONDS", "to keep trying later: 30 (ARENA_RESUME_TIMEOUT)"],
  help: ["", "show this and end"],
} as const;
type Flag = keyof typeof FLAGS;
type Variables = Readonly<Record<string, string | undefined>>;

const YES = ["1", "true", "yes", "on"];
const NO = ["", "0", "false", "no", "off"];
const HOST_AND_PORT = /^(?:\[[0-9A-Za-z:.%_]+\]|[^\s:/[\]]+):(\d{1,5})$/;

/**
 * Returns the settings of a bot program; undefined if only help is wanted.
 *
 * @throws UsageError if the address is missing, a flag is unknown, or something makes no sense.
 */
export function readSettings(flags: readonly string[], variables: Variables): Settings | undefined {
  const given = parse(flags);
  if (given.help) return undefined;
  const value = (flag: Flag): string => String(given[flag] ?? variables[variable(flag)] ?? "");
  const settings = {
    address: readAddress(value("address")),
    token: readToken(value("token")),
    tls: [readTls(value("tls")), value("ca-file"), value("cert-file")].some(Boolean),
    caFile: readFile("ca-file", value("ca-file")),
    certFile: readFile("cert-file", value("cert-file")),
    keyFile: readFile("key-file", value("key-file")),
    connectTimeoutS: readTimeout("connect-timeout", value("connect-timeout"), CONNECT_TIMEOUT_S),
    resumeTimeoutS: readTimeout("resume-timeout", value("resume-timeout"), RESUME_TIMEOUT_S),
  };
  if (Boolean(settings.certFile) !== Boolean(settings.keyFile)) {
    throw new UsageError("a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE");
  }
  return settings;
}

/** Returns what --help shows. */
export function help(program: string): string {
  const lines = Object.entries(FLAGS).map(([flag, [value, meaning]]) => {
    return `  ${`--${flag} ${value}`.padEnd(28)}${meaning}`;
  });
  const title = "A bot for arena. Each flag can also be set as an environment variable.";
  return [`usage: ${program} [FLAG ...]`, "", title, "", ...lines].join("\n");
}

function parse(flags: readonly string[]): Partial<Record<Flag, string | boolean>> {
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([flag, [value]]) => {
      return [flag, { type: value ? ("string" as const) : ("boolean" as const) }];
    }),
  );
  try {
    return parseArgs({ args: [...flags], options, strict: true }).values;
  } catch (error) {
    const what = String((error as Error).message).split(". ", 1)[0];
    throw new UsageError(`${what} (see --help)`);
  }
}

function variable(flag: Flag): string {
  return `ARENA_${flag.toUpperCase().replaceAll("-", "_")}`;
}

function readAddress(text: string): string {
  if (!text) {
    throw new UsageError("no address: set ARENA_ADDRESS to unix:/path or host:port, or --address");
  }
  const port = Number(HOST_AND_PORT.exec(text)?.[1] ?? 0);
  const isUnix = text.startsWith("unix:") && text.length > "unix:".length;
  if (isUnix || (!text.startsWith("unix:") && port > 0 && port < 2 ** 16)) return text;
  throw new UsageError(`ARENA_ADDRESS must be unix:/path or host:port, not ${inspect(text)}`);
}

function readToken(text: string): string {
  if (!isPrintable(text)) {
    throw new UsageError("ARENA_TOKEN has characters that no token has: copy it again");
  }
  return text;
}

function readTls(text: string): boolean {
  const answer = text.toLowerCase();
  if (YES.includes(answer) || NO.includes(answer)) return YES.includes(answer);
  throw new UsageError(`ARENA_TLS must be 1 or 0, not ${inspect(text)}`);
}

function readFile(flag: Flag, path: string): string {
  if (path && !statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`${variable(flag)}: there is no file ${path}`);
  }
  return path;
}

function readTimeout(flag: Flag, text: string, defaultS: number): number {
  const timeoutS = text.trim() ? Number(text) : text ? NaN : defaultS;
  if (timeoutS >= 0 && timeoutS < Infinity) return timeoutS;
  throw new UsageError(`${variable(flag)} must be a number of seconds, not ${inspect(text)}`);
}
