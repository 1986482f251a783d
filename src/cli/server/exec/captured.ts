import type { Client } from '../../../client/client.js';
import { readEventsSoFar } from '../../../client/event-source.js';
import type { DeliverySummary } from '../../../contract/control/deliveries.js';
import type { LoggedRequest } from '../../../contract/control/request-log.js';
import type { EmailSummary } from '../../../contract/service/emails.js';
import type { EventEnvelope } from '../../../contract/webhook-events.js';
import { allPages } from '../../emails/all-pages.js';

/** The position in everything that a server captured, at which a run began. */
export interface RunStart {
  /** Sequence number of the last event. */
  event: number;
  /** Sequence number of the last request. */
  request: number;
  /** Time of the service’s clock; null to include everything. */
  time: string | null;
}

/** Returns the start of a run that includes everything. */
export const FROM_THE_BEGINNING: RunStart = { event: 0, request: 0, time: null };

/** Returns the current position of a server that has email of earlier runs. */
export async function runStart(client: Client): Promise<RunStart> {
  const [{ last_event, now }, { requests }] = await Promise.all([
    client.control('info', {}),
    client.control('requests.list', { query: { limit: 1, all: 'true' } }),
  ]);
  return { event: last_event, request: requests[0]?.seq ?? 0, time: now };
}

/** Reads what a server captured since a run began, one page in memory at a time. */
export class Captured {
  constructor(
    readonly client: Client,
    private readonly start: RunStart,
  ) {}

  /** Yields emails, newest first. */
  async *emails(): AsyncGenerator<EmailSummary> {
    const { time } = this.start;
    const pages = allPages(async (page) => {
      const query = { ...page, ...(time !== null && { from_date: time }) };
      const { emails, pagination } = await this.client.call('emails.list', { query });
      return { items: emails, pagination };
    });
    for await (const { items } of pages) yield* items;
  }

  /** Yields the payloads of events, oldest first. */
  async *events(): AsyncGenerator<EventEnvelope> {
    const stream = this.client.stream('events.stream', { query: { after: this.start.event } });
    for await (const { data } of readEventsSoFar(stream)) yield JSON.parse(data) as EventEnvelope;
  }

  /** Yields webhook deliveries of these events, newest first. */
  async *deliveries(): AsyncGenerator<DeliverySummary> {
    const pages = allPages(async (query) => {
      const { deliveries, pagination } = await this.client.control('deliveries.list', { query });
      return { items: deliveries, pagination };
    });
    for await (const { items } of pages) {
      for (const delivery of items) if (delivery.event_seq > this.start.event) yield delivery;
    }
  }

  /** Yields requests to the service, oldest first, without the reads of svc's own commands. */
  async *requests(): AsyncGenerator<LoggedRequest> {
    const stream = this.client.stream('requests.stream', { query: { after: this.start.request } });
    for await (const { data } of readEventsSoFar(stream)) yield JSON.parse(data) as LoggedRequest;
  }
}
