import { setMaxListeners } from 'node:events';
import type { Client } from '../../../client/client.js';
import { readServerSentEvents } from '../../../client/event-source.js';
import { reasonOf, UnreachableError } from '../../../client/failures.js';
import { Backoff } from '../../../client/retry.js';
import { pause } from '../../process/write-stdout.js';
import type { ListenLine } from './source.js';

/** Listens to webhook attempts, and reconnects when a server restarts. */

export interface ListenQuery {
  forward_to: string;
  events: string | undefined;
  to: string | undefined;
  header: string[] | undefined;
}

/** The state of the previous stream, with which a server finds the events that were not received yet. */
interface Earlier {
  webhookId: string;
  /** The instance of the server: new after each restart on SQLite, the same for all servers on one PostgreSQL database. */
  instance: string;
  /** The newest event that was received, and its number in that server's log. */
  eventId: string | undefined;
  seq: number;
}

function queryOf({ webhookId, instance, eventId }: Earlier) {
  return { resume: webhookId, instance, after: eventId };
}

/** Returns the state of a new stream. Another subscription may be of another log, whose numbers start again. */
function connected(webhookId: string, instance: string, earlier: Earlier | undefined): Earlier {
  const seq = earlier?.webhookId === webhookId ? earlier.seq : 0;
  return { webhookId, instance, eventId: earlier?.eventId, seq };
}

const WAIT = { firstMs: 200, longestMs: 5_000 };

/**
 * Yields lines until the signal. When the connection is lost, it yields that at once and reconnects, with increasing
 * pauses. The server then continues with the events that were not received yet.
 * @throws UnreachableError when the first connection fails; ApiFailure when the server rejects it.
 */
export async function* listenForAttempts(
  connect: () => Promise<Client>,
  query: ListenQuery,
  signal: AbortSignal,
): AsyncGenerator<ListenLine> {
  // Each connection listens to it.
  setMaxListeners(0, signal);
  let earlier: Earlier | undefined;
  const wait = new Backoff(WAIT);
  let lost = false;
  while (!signal.aborted) {
    let reason = 'the server closed the stream';
    try {
      const client = await connect();
      const stream = client.stream(
        'webhooks.listen',
        { query: { ...query, ...(earlier && queryOf(earlier)) } as never },
        signal,
      );
      for await (const { event, data } of readServerSentEvents(stream)) {
        const { instance, ...lastReported } = JSON.parse(data);
        const line = { ...lastReported, event } as ListenLine;
        if (line.event === 'ready') {
          earlier = connected(line.webhook_id, instance, earlier);
          wait.reset();
          yield lost ? { event: 'reconnected' } : line;
          lost = false;
        } else {
          if (line.event === 'attempt' && line.event_seq !== null && earlier && line.event_seq > earlier.seq) {
            earlier = { ...earlier, eventId: line.event_id, seq: line.event_seq };
          }
          yield line;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof UnreachableError) || earlier === undefined) throw error;
      reason = reasonOf(error.cause);
    }
    if (signal.aborted) return;
    if (!lost) yield { event: 'lost', reason };
    lost = true;
    await pause(wait.ms, signal);
    wait.grow();
  }
}
