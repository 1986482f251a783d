import type Database from 'better-sqlite3';
import type {
  AttemptRecord,
  DeliveryFilter,
  DeliveryHead,
  DeliveryRecord,
  Page,
  Paged,
  StoredEvent,
  WebhookRecord,
} from '../../core/model.js';
import type { EventTable } from './events.js';
import { json, parseJson, type Row } from './rows.js';
import type { WebhookTable } from './webhooks.js';

const COLUMNS = `d.id, d.webhook_id AS webhookId, d.event_seq AS eventSeq, d.url, d.state, d.attempts,
  d.created_at AS createdAt, d.next_attempt_at AS nextAttemptAt, d.replay_of AS replayOf`;

/** Webhook deliveries and each of their attempts. */
export class DeliveryTable {
  readonly #insert;
  readonly #find;
  readonly #pendingOf;
  readonly #insertAttempt;
  readonly #update;
  readonly #giveUp;
  readonly #attempts;

  constructor(
    private readonly db: Database.Database,
    private readonly events: EventTable,
    private readonly webhooks: WebhookTable,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO deliveries (id, webhook_id, event_seq, url, state, attempts, created_at, next_attempt_at,
         replay_of)
       VALUES (@id, @webhookId, @eventSeq, @url, @state, @attempts, @createdAt, @nextAttemptAt, @replayOf)`,
    );
    this.#find = db.prepare(`SELECT ${COLUMNS} FROM deliveries d WHERE d.id = ?`);
    this.#pendingOf = db.prepare(
      `SELECT ${COLUMNS} FROM deliveries d WHERE d.webhook_id = ? AND d.state = 'pending' ORDER BY d.seq`,
    );
    this.#insertAttempt = db.prepare(
      `INSERT OR REPLACE INTO attempts (delivery_id, attempt, started_at, duration_ms, request_headers, status,
         response_headers, response_body, error)
       VALUES (@deliveryId, @attempt, @startedAt, @durationMs, @requestHeaders, @status,
         @responseHeaders, @responseBody, @error)`,
    );
    this.#update = db.prepare('UPDATE deliveries SET state = ?, attempts = ?, next_attempt_at = ? WHERE id = ?');
    this.#giveUp = db.prepare(
      "UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE id = ? AND state = 'pending'",
    );
    this.#attempts = db.prepare('SELECT * FROM attempts WHERE delivery_id = ? ORDER BY attempt');
  }

  async insert(delivery: DeliveryRecord): Promise<void> {
    this.#insert.run(delivery);
  }

  async find(
    id: string,
  ): Promise<{ delivery: DeliveryRecord; event: StoredEvent; webhook: WebhookRecord } | undefined> {
    const delivery = this.#find.get(id) as DeliveryRecord | undefined;
    const event = delivery && (await this.events.after(delivery.eventSeq - 1, 1))[0];
    const webhook = delivery && (await this.webhooks.find(delivery.webhookId));
    return event && webhook && { delivery, event, webhook };
  }

  async giveUp(id: string): Promise<void> {
    this.#giveUp.run(id);
  }

  async recordAttempt(
    attempt: AttemptRecord,
    state: DeliveryRecord['state'],
    nextAttemptAt: number | null,
  ): Promise<boolean> {
    if (this.#update.run(state, attempt.attempt, nextAttemptAt, attempt.deliveryId).changes === 0) return false;
    const { requestHeaders, responseHeaders } = attempt;
    this.#insertAttempt.run({
      ...attempt,
      requestHeaders: json(requestHeaders),
      responseHeaders: json(responseHeaders),
    });
    return true;
  }

  async pendingOf(webhookId: string): Promise<DeliveryRecord[]> {
    return this.#pendingOf.all(webhookId) as DeliveryRecord[];
  }

  async list(filter: DeliveryFilter, page: Page): Promise<Paged<DeliveryHead>> {
    const conditions: [string, unknown][] = [
      ['d.state = ?', filter.state],
      ['e.type = ?', filter.event],
      ['d.webhook_id = ?', filter.webhookId],
      ['e.created_at >= ?', filter.since],
    ];
    const given = conditions.filter(([, value]) => value !== undefined);
    const values = given.map(([, value]) => value);
    const from = 'FROM deliveries d JOIN events e ON e.seq = d.event_seq';
    const where = given.length > 0 ? `WHERE ${given.map(([condition]) => condition).join(' AND ')}` : '';
    const total = this.db.prepare(`SELECT count(*) ${from} ${where}`).pluck().get(values) as number;
    const rows = this.db
      .prepare(
        `SELECT ${COLUMNS}, e.id AS eventId, e.type AS eventType, a.status, a.error, a.duration_ms AS durationMs
         ${from} LEFT JOIN attempts a ON a.delivery_id = d.id AND a.attempt = d.attempts
         ${where} ORDER BY d.seq DESC LIMIT ? OFFSET ?`,
      )
      .all([...values, page.limit, page.offset]) as Row[];
    return { items: rows.map(readHead), total };
  }

  async attempts(deliveryId: string): Promise<AttemptRecord[]> {
    return (this.#attempts.all(deliveryId) as Row[]).map((row) => ({
      deliveryId: row.delivery_id as string,
      attempt: row.attempt as number,
      startedAt: row.started_at as number,
      durationMs: row.duration_ms as number,
      requestHeaders: parseJson(row.request_headers),
      status: row.status as number | null,
      responseHeaders: parseJson(row.response_headers),
      responseBody: row.response_body as string,
      error: row.error as string | null,
    }));
  }
}

function readHead(row: Row): DeliveryHead {
  const { eventId, eventType, status, error, durationMs, ...delivery } = row;
  return {
    ...(delivery as unknown as DeliveryRecord),
    event: { id: eventId as string, type: eventType as StoredEvent['type'] },
    last: durationMs === null ? null : ({ status, error, durationMs } as DeliveryHead['last']),
  };
}
