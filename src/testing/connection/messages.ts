import type { AppOptions } from '../../app/app.js';
import { type Cause, rootOf } from '../../client/failures.js';
import type { Fetch } from '../../client/wire-request.js';
import type { ServerAddress } from './connection.js';

/** Defines the messages between the kit and its thread. Each `id` is one call. */

/** The options of a server for tests, in the form of the app's. */
export interface ServerSettings
  extends Pick<
    AppOptions,
    'plan' | 'domains' | 'deliveryDelayMs' | 'strict' | 'retrySchedule' | 'webhookTimeoutMs' | 'allowedWebhookHosts'
  > {
  apiKey?: string;
  webhookSecret?: string;
  httpPort?: number;
  smtpPort?: number;
}

/** What the thread does: run a server, or call one over the network. */
export type ThreadTask = { kind: 'server'; settings: ServerSettings } | { kind: 'network' };

/** The time limit of a call. */
type TimeLimit = Pick<Parameters<Fetch>[1], 'noTimeout' | 'timeoutMs'>;

export type ToThread =
  | {
      kind: 'call';
      id: number;
      url: string;
      method: string;
      headers: Record<string, string>;
      body: string | Uint8Array | undefined;
      limit: TimeLimit;
    }
  | { kind: 'sleep'; id: number; milliseconds: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'close' };

export type FromThread =
  /** `address` is that of the thread's own server. */
  | { kind: 'ready'; address: ServerAddress | undefined }
  | { kind: 'head'; id: number; status: number; headers: [name: string, value: string][] }
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; failure: Failure }
  | { kind: 'fault'; failure: Failure };

/** An error, which loses its code and its cause when it is copied to another thread. */
export interface Failure {
  name: string;
  message: string;
  code: string | undefined;
  address: string | undefined;
}

/** Describes the root cause of an error. */
export function failureOf(error: unknown): Failure {
  const root = rootOf(error);
  const { name, message, code, address }: Cause = root instanceof Error ? root : new Error(String(root));
  // That of a DOMException is a number.
  return { name, message, code: typeof code === 'string' ? code : undefined, address };
}

export function errorOf({ name, message, code, address }: Failure): Error {
  return Object.assign(new Error(message), {
    name,
    ...(code !== undefined && { code }),
    ...(address !== undefined && { address }),
  });
}
