import { Backoff } from '../../../client/backoff.js';
import type { Client } from '../../../client/client.js';
import { readServerSentEvents } from '../../../client/event-source.js';
import { UnreachableError } from '../../../client/failures.js';
import { pause } from '../../process/pause.js';
import type { ListenLine } from './source.js';

/** Listens to webhook attempts, across the restarts of a server. */

export interface ListenQuery {
  forward_to: string;
  events: string | undefined;
  to: string | undefined;
  header: string[] | undefined;
}

/** What is known of the stream before: by it a server finds out what the listener has not got yet. */
interface Earlier {
  webhookId: string;
  /** The start of the server that it was of. */
  instance: string;
  /** The newest event that it told of, and its number in that server's log. */
  eventId: string | undefined;
  seq: number;
}

function queryOf({ webhookId, instance, eventId }: Earlier) {
  return { resume: webhookId, instance, after: eventId };
}

const WAIT = { firstMs: 200, longestMs: 5_000 };

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
          // Another subscription may be one to another log, whose numbers begin anew.
          const same = earlier?.webhookId === line.webhook_id;
          earlier = {
            webhookId: line.webhook_id,
            instance,
            eventId: earlier?.eventId,
            seq: same ? (earlier?.seq ?? 0) : 0,
          };
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
      reason = error.message;
    }
    if (signal.aborted) return;
    if (!lost) yield { event: 'lost', reason };
    lost = true;
    await pause(wait.ms, signal);
    wait.grow();
  }
}
