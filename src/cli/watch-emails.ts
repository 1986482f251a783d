import type { Client } from '../client/client.js';
import { ApiFailure, NoControlError, UnreachableError } from '../client/failures.js';
import type { EmailSummary } from '../contract/email.js';
import { PAGE_SIZE_MAX } from '../contract/limits.js';
import { Bell } from './bell.js';

/** Follows a list of emails: by the local server's event stream, and where there is none by asking again and again. */

export type EmailFilters = Record<string, string | undefined>;

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const REMEMBERED = 10 * PAGE_SIZE_MAX;
const TYPES = 'email.sent,email.delivered,email.bounced,email.complained,email.dropped';

export interface Watch {
  filters: EmailFilters;
  /** Whether to try the event stream; in-process there is none. */
  stream: boolean;
  signal: AbortSignal;
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Told once nothing new can be missed. */
  onReady(): void;
  /** Told when the server is out of reach, and with undefined when it is back. */
  onLost(reason: string | undefined): void;
}

/** Yields emails made from now on, the oldest first, as they come. @throws what the first call throws. */
export async function* watchEmails(client: Client, watch: Watch): AsyncGenerator<EmailSummary> {
  const { signal, pause, onLost } = watch;
  const arrivals = new Arrivals(client, watch.filters);
  const bell = new Bell();
  signal.addEventListener('abort', () => bell.ring(), { once: true });
  const streaming = watch.stream ? await openStream(client, signal) : { open: false, chunks: undefined };
  await arrivals.start();
  void followStream(streaming, bell);
  watch.onReady();
  let wait = SHORTEST_WAIT_MS;
  let lost = false;
  while (!signal.aborted) {
    // A stream that ended rings once more, and from then on the server is asked.
    if (streaming.open && !lost) await bell.wait();
    else await pause(wait, signal);
    if (signal.aborted) return;
    try {
      const fresh = await arrivals.next();
      if (lost) onLost(undefined);
      lost = false;
      wait = fresh.length > 0 ? SHORTEST_WAIT_MS : Math.min(wait * 1.5, LONGEST_WAIT_MS);
      yield* fresh;
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (!lost) onLost((error as Error).message);
      lost = true;
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }
}

function mayPass(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiFailure && (error.status === 429 || error.status >= 500))
  );
}

interface Stream {
  open: boolean;
  chunks: AsyncIterator<Uint8Array> | undefined;
}

/** The event stream, once the server has begun it; none where the server has no such thing. */
async function openStream(client: Client, signal: AbortSignal): Promise<Stream> {
  const chunks = client.stream('events.stream', { query: { types: TYPES } as never }, signal);
  try {
    // A server of this kind says something at once, so that a reader knows that it is there.
    const { done } = await chunks.next();
    return { open: !done, chunks };
  } catch (error) {
    if (error instanceof NoControlError || signal.aborted) return { open: false, chunks: undefined };
    throw error;
  }
}

async function followStream(stream: Stream, bell: Bell): Promise<void> {
  try {
    while (stream.open) {
      const { done } = (await stream.chunks?.next()) ?? { done: true };
      if (done) stream.open = false;
      bell.ring();
    }
  } catch {
    stream.open = false;
    bell.ring();
  }
}

/** What is new in the list since it was last looked at. */
class Arrivals {
  readonly #known = new Set<string>();
  #since = '';

  constructor(
    private readonly client: Client,
    private readonly filters: EmailFilters,
  ) {}

  async start(): Promise<void> {
    const { emails } = await this.#page(0);
    this.#remember(emails);
    this.#since = emails[0]?.created_at ?? '';
  }

  async next(): Promise<EmailSummary[]> {
    const fresh: EmailSummary[] = [];
    for (let offset = 0; ; offset += PAGE_SIZE_MAX) {
      const { emails, pagination } = await this.#page(offset);
      const unknown = emails.filter(({ id, created_at }) => !this.#known.has(id) && created_at >= this.#since);
      fresh.push(...unknown);
      this.#remember(unknown);
      if (unknown.length < emails.length || !pagination.has_more) return fresh.reverse();
    }
  }

  #page(offset: number) {
    return this.client.call('emails.list', { query: { ...this.filters, limit: PAGE_SIZE_MAX, offset } });
  }

  #remember(emails: readonly EmailSummary[]): void {
    for (const { id } of emails) this.#known.add(id);
    for (const id of this.#known) {
      if (this.#known.size <= REMEMBERED) return;
      this.#known.delete(id);
    }
  }
}
