import type Database from 'better-sqlite3';
import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { WebhookRecord } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';
import { bit, json } from '../rows/rows.js';

export class WebhookTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #advance;
  readonly #expireEphemeral;
  readonly #deleteEphemeral;
  readonly #find;
  readonly #list;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO webhooks (id, url, events, secret, active, ephemeral, recipient_pattern, headers, since_seq,
         created_at, updated_at)
       VALUES (@id, @url, @events, @secret, @active, @ephemeral, @recipientPattern, @headers, @sinceSeq,
         @createdAt, @updatedAt)`,
    );
    this.#update = db.prepare(
      `UPDATE webhooks SET url = @url, events = @events, secret = @secret, active = @active, ephemeral = @ephemeral,
         recipient_pattern = @recipientPattern, headers = @headers, since_seq = @sinceSeq, created_at = @createdAt,
         updated_at = @updatedAt WHERE id = @id`,
    );
    this.#delete = db.prepare('DELETE FROM webhooks WHERE id = ?');
    this.#advance = db.prepare('UPDATE webhooks SET since_seq = ? WHERE active = 1 AND since_seq < ?');
    this.#expireEphemeral = db.prepare('UPDATE webhooks SET active = 0 WHERE ephemeral = 1 AND events <> ?');
    this.#deleteEphemeral = db.prepare('DELETE FROM webhooks WHERE ephemeral = 1 AND created_at < ?');
    this.#find = db.prepare('SELECT * FROM webhooks WHERE id = ?');
    this.#list = db.prepare('SELECT * FROM webhooks ORDER BY seq DESC');
  }

  async insert(webhook: WebhookRecord): Promise<void> {
    this.#insert.run(toRow(webhook));
  }

  async update(webhook: WebhookRecord): Promise<void> {
    this.#update.run(toRow(webhook));
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
  }

  async advance(seq: number): Promise<void> {
    this.#advance.run(seq, seq);
  }

  async expireEphemeral(deleteBefore: number): Promise<void> {
    this.#deleteEphemeral.run(deleteBefore);
    // One that lists no event stands for a replay to another URL, which goes on by itself.
    this.#expireEphemeral.run(json([]));
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    return this.rows.one('webhooks', () => this.#find.get(id), readWebhook);
  }

  async list(): Promise<WebhookRecord[]> {
    return this.rows.all('webhooks', () => this.#list.all(), readWebhook);
  }
}

function toRow(webhook: WebhookRecord) {
  return {
    ...webhook,
    events: json(webhook.events),
    headers: json(webhook.headers),
    active: bit(webhook.active),
    ephemeral: bit(webhook.ephemeral),
  };
}

export function readWebhook(row: Columns): WebhookRecord {
  return {
    id: row.text('id'),
    url: row.webUrl('url'),
    events: row.listOf('events', eventTypes),
    secret: row.textOrNull('secret'),
    active: row.bit('active'),
    ephemeral: row.bit('ephemeral'),
    recipientPattern: row.textOrNull('recipient_pattern'),
    headers: row.texts('headers'),
    sinceSeq: row.integer('since_seq'),
    createdAt: row.instant('created_at'),
    updatedAt: row.instant('updated_at'),
  };
}
