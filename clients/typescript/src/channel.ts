/** The gRPC channel to an arena: address, TLS, and how a dead arena is noticed. */

import { readFileSync } from "node:fs";

import {
  Client,
  credentials,
  type ChannelCredentials,
  type ChannelOptions,
  type ClientDuplexStream,
} from "@grpc/grpc-js";

import { UsageError } from "./errors.js";
import type { Settings } from "./settings.js";
import { PlayService } from "./v1/play_pb.js";

/** The one method of the protocol, as grpc-js wants its name. */
export const METHOD = `/${PlayService.typeName}/${PlayService.method.play.name}`;

export const OPTIONS: ChannelOptions = {
  // Without these a dead host is noticed after many minutes, a stopped one never.
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 5_000,
  "grpc.keepalive_permit_without_calls": 1,
  // Each attempt dials at once: the pauses between them are the session's business.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_retries": 0,
  // A batch has no upper size; the arena is trusted not to send nonsense.
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
};
const LOOPBACK = /^(unix:|localhost:|127\.|\[::1\]:)/;

/**
 * What grpc-js says when a stream is reset with ENHANCE_YOUR_CALM, as arenas do with one whose
 * pings went unanswered: a lost connection, although the code is that of an exceeded limit.
 */
export const CALMED = "Bandwidth exhausted or memory limit exceeded";

/** The stream of a session. Messages are bytes here: who decodes them is not the channel's business. */
export type Call = ClientDuplexStream<Uint8Array, Uint8Array>;

/**
 * Returns a new channel; it dials when it is first used.
 *
 * @throws UsageError if a certificate cannot be read.
 */
export function openChannel(settings: Settings): Client {
  const options = { ...OPTIONS };
  if (LOOPBACK.test(settings.address)) {
    options["grpc.enable_http_proxy"] = 0; // a proxy would look on its own machine
  }
  return new Client(settings.address, credentialsOf(settings), options);
}

/** Opens the stream of a session on a channel. */
export function openCall(channel: Client): Call {
  // A message is copied out of the large buffer it arrived in, which would cross threads with it.
  return channel.makeBidiStreamRequest(METHOD, Buffer.from, (bytes) => new Uint8Array(bytes));
}

function credentialsOf({ tls, caFile, certFile, keyFile }: Settings): ChannelCredentials {
  if (!tls && !caFile && !certFile) return credentials.createInsecure();
  try {
    return credentials.createSsl(content(caFile), content(keyFile), content(certFile));
  } catch (error) {
    throw new UsageError(`cannot read a certificate: ${(error as Error).message}`);
  }
}

function content(path: string | undefined): Buffer | null {
  return path ? readFileSync(path) : null;
}
