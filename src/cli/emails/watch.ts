import type { Client } from '../../client/client.js';
import { ApiFailure, NoControlError, UnreachableError } from '../../client/failures.js';
import { Backoff } from '../../client/retry.js';
import type { Pagination } from '../../contract/fields.js';
import type { EmailSummary } from '../../contract/service/emails.js';
import { eventTypes } from '../../contract/vocabulary/event-types.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import { RecentIds } from '../command/all-pages.js';
import { AsyncSignal } from '../process/signals.js';

/** Follows a list of emails: with the local server's event streams, or by polling where they are not available. */

/** Reads a page of the list to follow, newest first. */
type ReadPage = (page: {
  limit: number;
  offset: number;
}) => Promise<{ emails: EmailSummary[]; pagination: Pick<Pagination, 'has_more'> }>;

const WAIT = { firstMs: 1_000, longestMs: 15_000 };

/** Returns the filters of each event stream. A query can find emails by every event. */
function streamsOf(search: string | undefined) {
  const emailEvents = eventTypes.filter((type) => type.startsWith('email.')).join(',');
  return {
    'events.stream':
      search === undefined
        ? { types: 'email.sent,email.delivered,email.bounced,email.complained,email.dropped' }
        : { types: emailEvents, search },
    // A scheduled email has no event yet.
    'requests.stream': { method: 'POST', path: '/v1/emails' },
  } as const;
}

export interface Watch {
  readPage: ReadPage;
  /** The query of the list, on a local server. */
  search?: string | undefined;
  /** Whether to try the event streams. They do not exist in-process. */
  stream: boolean;
  signal: AbortSignal;
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Called once no new email can be missed. */
  onReady(): void;
  /** Called with the reason when the server becomes unreachable, and with undefined when it is back. */
  onLost(reason: string | undefined): void;
}

/** Yields emails created from now on, oldest first, as they arrive. @throws the error of the first call. */
export async function* watchEmails(client: Client, watch: Watch): AsyncGenerator<EmailSummary> {
  const { signal, pause, onLost } = watch;
  const arrivals = new Arrivals(watch.readPage);
  const changed = new AsyncSignal();
  signal.addEventListener('abort', () => changed.notify(), { once: true });
  const streaming = watch.stream ? await openStreams(client, watch.search, signal) : { open: false, chunks: [] };
  await arrivals.start();
  for (const chunks of streaming.chunks) void watchStream(chunks, streaming, changed);
  watch.onReady();
  const wait = new Backoff(WAIT);
  let lost = false;
  while (!signal.aborted) {
    // A stream that ends notifies once more; from then on the server is polled.
    if (streaming.open && !lost) await changed.wait();
    else await pause(wait.ms, signal);
    if (signal.aborted) return;
    try {
      const fresh = await arrivals.next();
      if (lost) onLost(undefined);
      lost = false;
      if (fresh.length > 0) wait.reset();
      else wait.grow(1.5);
      yield* fresh;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!lost) onLost((error as Error).message);
      lost = true;
      wait.grow();
    }
  }
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiFailure && (error.status === 429 || error.status >= 500))
  );
}

interface Streaming {
  /** Whether all streams are connected. */
  open: boolean;
  chunks: AsyncIterator<Uint8Array>[];
}

/** Returns the streams once they are connected; none where the server does not have them. */
async function openStreams(client: Client, search: string | undefined, signal: AbortSignal): Promise<Streaming> {
  const chunks = Object.entries(streamsOf(search)).map(([name, query]) =>
    client.stream(name as keyof ReturnType<typeof streamsOf>, { query: query as never }, signal),
  );
  try {
    // A stream sends its first chunk at once, which shows that it is connected.
    const begun = await Promise.all(chunks.map((each) => each.next()));
    return { open: begun.every(({ done }) => !done), chunks };
  } catch (error) {
    if (error instanceof NoControlError || signal.aborted) return { open: false, chunks: [] };
    throw error;
  }
}

async function watchStream(
  chunks: AsyncIterator<Uint8Array>,
  streaming: Streaming,
  changed: AsyncSignal,
): Promise<void> {
  try {
    while (streaming.open) {
      const { done } = await chunks.next();
      if (done) streaming.open = false;
      changed.notify();
    }
  } catch {
    streaming.open = false;
    changed.notify();
  }
}

/**
 * Finds the new emails of the list since the last look. The list is in the order in which the server received the
 * emails. Emails above a known one are new, whatever their time, because the clock can be set back. Below a known one,
 * an email can appear later because of a filter; there, its time decides.
 */
class Arrivals {
  readonly #known = new RecentIds();
  #since = '';
  /** Whether the first page contained all emails. */
  #startedComplete = true;

  constructor(private readonly readPage: ReadPage) {}

  async start(): Promise<void> {
    const { emails, pagination } = await this.#page(0);
    this.#remember(emails);
    this.#since = emails[0]?.created_at ?? '';
    this.#startedComplete = !pagination.has_more;
  }

  async next(): Promise<EmailSummary[]> {
    const top = await this.#upToKnown();
    const firstKnown = top.findIndex(({ id }) => this.#known.has(id));
    const fresh = top.filter(
      ({ id, created_at }, index) =>
        !this.#known.has(id) && (this.#startedComplete || index < firstKnown || created_at >= this.#since),
    );
    this.#remember(top);
    return fresh.reverse();
  }

  /** Reads pages until one contains a known email. Returns each email once: the list may change between two pages. */
  async #upToKnown(): Promise<EmailSummary[]> {
    const top = new Map<string, EmailSummary>();
    for (let offset = 0; ; offset += PAGE_SIZE_MAX) {
      const { emails, pagination } = await this.#page(offset);
      for (const email of emails) if (!top.has(email.id)) top.set(email.id, email);
      if (!pagination.has_more || emails.some(({ id }) => this.#known.has(id))) return [...top.values()];
    }
  }

  #page(offset: number) {
    return this.readPage({ limit: PAGE_SIZE_MAX, offset });
  }

  #remember(newestFirst: readonly EmailSummary[]): void {
    this.#known.add(newestFirst.map(({ id }) => id).reverse());
  }
}
