import type Database from 'better-sqlite3';
import type { AttemptRecord, DeliveryRecord, StoredEvent, WebhookRecord } from '../../core/model.js';
import type { EventTable } from './events.js';
import { json, parseJson, type Row } from './rows.js';
import type { WebhookTable } from './webhooks.js';

/** Webhook deliveries and each of their attempts. */
export class DeliveryTable {
  readonly #insert;
  readonly #find;
  readonly #insertAttempt;
  readonly #update;
  readonly #attempts;

  constructor(
    db: Database.Database,
    private readonly events: EventTable,
    private readonly webhooks: WebhookTable,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO deliveries (id, webhook_id, event_seq, url, state, attempts, created_at, next_attempt_at)
       VALUES (@id, @webhookId, @eventSeq, @url, @state, @attempts, @createdAt, @nextAttemptAt)`,
    );
    this.#find = db.prepare(
      `SELECT id, webhook_id AS webhookId, event_seq AS eventSeq, url, state, attempts, created_at AS createdAt,
         next_attempt_at AS nextAttemptAt FROM deliveries WHERE id = ?`,
    );
    this.#insertAttempt = db.prepare(
      `INSERT OR REPLACE INTO attempts (delivery_id, attempt, started_at, duration_ms, request_headers, status,
         response_headers, response_body, error)
       VALUES (@deliveryId, @attempt, @startedAt, @durationMs, @requestHeaders, @status,
         @responseHeaders, @responseBody, @error)`,
    );
    this.#update = db.prepare('UPDATE deliveries SET state = ?, attempts = ?, next_attempt_at = ? WHERE id = ?');
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

  async recordAttempt(
    attempt: AttemptRecord,
    state: DeliveryRecord['state'],
    nextAttemptAt: number | null,
  ): Promise<void> {
    const { requestHeaders, responseHeaders } = attempt;
    this.#insertAttempt.run({
      ...attempt,
      requestHeaders: json(requestHeaders),
      responseHeaders: json(responseHeaders),
    });
    this.#update.run(state, attempt.attempt, nextAttemptAt, attempt.deliveryId);
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
