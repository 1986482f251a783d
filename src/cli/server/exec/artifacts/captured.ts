import type { Client } from '../../../../client/client.js';
import { eventsSoFarAfter, readEventsSoFar } from '../../../../client/event-source.js';
import type { FoundEmail, FoundEmails } from '../../../../contract/control/emails/search.js';
import type { LoggedRequest } from '../../../../contract/control/logs.js';
import type { DeliverySummary } from '../../../../contract/control/webhooks.js';
import { PAGE_SIZE_MAX } from '../../../../contract/vocabulary/limits.js';
import { readCursor } from '../../../../contract/vocabulary/since.js';
import type { EventEnvelope } from '../../../../contract/webhook-events.js';
import { allPages } from '../../../command/all-pages.js';

/** The position in everything that a server captured, at which a run began: numbers of the last ones before it. */
export interface RunStart {
  email: number;
  event: number;
  request: number;
  /** The ID of the newest delivery; null without deliveries. */
  delivery: string | null;
}

/** The start of a run that includes everything. */
export const FROM_THE_BEGINNING: RunStart = { email: 0, event: 0, request: 0, delivery: null };

/** Returns the current position of a server that has email of earlier runs. */
export async function runStart(client: Client): Promise<RunStart> {
  const [{ emails }, { last_event }, { requests }, { deliveries }] = await Promise.all([
    client.control('emails.search', { query: { limit: 1 } }),
    client.control('info', {}),
    client.control('requests.list', { query: { limit: 1, all: 'true' } }),
    client.control('deliveries.list', { query: { limit: 1 } }),
  ]);
  return {
    email: positionOf(emails[0]),
    event: last_event,
    request: requests[0]?.seq ?? 0,
    delivery: deliveries[0]?.id ?? null,
  };
}

function positionOf(email: FoundEmail | undefined): number {
  return (email && readCursor(email.cursor)) ?? 0;
}

/** Reads what a server captured since a run began, one page in memory at a time. */
export class Captured {
  constructor(
    readonly client: Client,
    private readonly start: RunStart,
  ) {}

  /** Yields emails, newest first. */
  async *emails(): AsyncGenerator<FoundEmail> {
    let cursor: string | null = null;
    do {
      const query = { limit: PAGE_SIZE_MAX, ...(cursor !== null && { cursor }) };
      const page: FoundEmails = await this.client.control('emails.search', { query });
      for (const email of page.emails) {
        if (positionOf(email) <= this.start.email) return;
        yield email;
      }
      cursor = page.next;
    } while (cursor !== null);
  }

  /** Yields the payloads of events, oldest first. */
  async *events(): AsyncGenerator<EventEnvelope> {
    for await (const { data } of eventsSoFarAfter(this.client, this.start.event))
      yield JSON.parse(data) as EventEnvelope;
  }

  /** Yields webhook deliveries of these events, newest first. */
  async *deliveries(): AsyncGenerator<DeliverySummary> {
    const pages = allPages(async (query) => {
      const { deliveries, pagination } = await this.client.control('deliveries.list', { query });
      return { items: deliveries, pagination };
    });
    for await (const { items } of pages) {
      for (const delivery of items) {
        if (delivery.id === this.start.delivery) return;
        // The newest delivery at the start may have been deleted, or this one may replay an earlier event.
        if (delivery.event_seq > this.start.event) yield delivery;
      }
    }
  }

  /** Yields requests to the service, oldest first, without the reads of svc's own commands. */
  async *requests(): AsyncGenerator<LoggedRequest> {
    const stream = this.client.stream('requests.stream', { query: { after: this.start.request } });
    for await (const { data } of readEventsSoFar(stream)) yield JSON.parse(data) as LoggedRequest;
  }
}
