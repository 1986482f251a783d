import type { Client } from '../client/client.js';
import { readServerSentEvents } from '../client/event-source.js';
import { UnreachableError } from '../client/failures.js';
import type { ListenLine } from './listen-line.js';
import { pause } from './pause.js';

/** Listens to webhook attempts, across the restarts of a server. */

export interface ListenQuery {
  forward_to: string;
  events: string | undefined;
  to: string | undefined;
  header: string[] | undefined;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/**
 * Yields what happens until the signal. When the server goes away it says so at once, and tries again with a growing pause;
 * the server then goes on with the events that nobody has got yet.
 * @throws UnreachableError when there was no server to begin with; ApiFailure when it refuses.
 */
export async function* listenForAttempts(
  connect: () => Promise<Client>,
  query: ListenQuery,
  signal: AbortSignal,
): AsyncGenerator<ListenLine> {
  let resume: string | undefined;
  let after: number | undefined;
  let wait = FIRST_WAIT_MS;
  let lost = false;
  while (!signal.aborted) {
    let reason = 'the server ended the stream';
    try {
      const client = await connect();
      const stream = client.stream('webhooks.listen', { query: { ...query, resume, after } as never }, signal);
      for await (const { event, data } of readServerSentEvents(stream)) {
        const line = { ...JSON.parse(data), event } as ListenLine;
        if (line.event === 'ready') {
          resume = line.webhook_id;
          wait = FIRST_WAIT_MS;
          yield lost ? { event: 'reconnected' } : line;
          lost = false;
        } else {
          // In case the server comes back without its database: what it then has of later events is sent.
          if (line.event === 'attempt' && line.event_seq !== null) after = Math.max(after ?? 0, line.event_seq);
          yield line;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof UnreachableError) || resume === undefined) throw error;
      reason = error.message;
    }
    if (signal.aborted) return;
    if (!lost) yield { event: 'lost', reason };
    lost = true;
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
