import type { WaitRequest, WaitResult } from '../contract/control/emails/wait.js';
import type { Client } from './client.js';
import { ApiFailure, rootOf, UnreachableError } from './failures.js';

/** Milliseconds from the time-out to the response: the server first parses the messages that it has accepted. */
const RESPONSE_MS = 45_000;
const UNAVAILABLE = 503;

/** The server stopped while a client was waiting for emails. */
class StoppedDuringWaitError extends UnreachableError {
  constructor(baseUrl: string, cause: unknown) {
    super(baseUrl, cause, 'Start it again with "svc dev", then repeat the wait.');
    this.message = `The server at ${baseUrl} stopped during the wait`;
  }
}

/**
 * Waits for emails on a local server. The time limit of the request follows from the time-out of the wait.
 * @throws StoppedDuringWaitError if the server stops; else as `Client.control` does.
 */
export async function waitForEmails(
  client: Client,
  body: WaitRequest & { timeout_ms: number },
  signal?: AbortSignal,
): Promise<WaitResult> {
  try {
    return await client.control('emails.wait', { body }, { signal, timeoutMs: body.timeout_ms + RESPONSE_MS });
  } catch (error) {
    throw isStop(error) ? new StoppedDuringWaitError(client.baseUrl, error) : error;
  }
}

/** The server responds with 503 only when it stops. A server that was killed closes the connection. */
function isStop(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status === UNAVAILABLE;
  const { code = '' } = (error instanceof UnreachableError && rootOf(error)) || {};
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}
