import type Database from 'better-sqlite3';
import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { WebhookRecord } from '../../../core/model/resources.js';
import { bit, instant, integer, listOf, text, textOrNull, texts, webUrl } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';
import { json } from '../rows/rows.js';

export const webhookRow = new RowMapping<WebhookRecord>({
  id: text('id'),
  url: webUrl('url'),
  events: listOf('events', eventTypes),
  secret: textOrNull('secret'),
  active: bit('active'),
  ephemeral: bit('ephemeral'),
  recipientPattern: textOrNull('recipient_pattern'),
  headers: texts('headers'),
  workspace: textOrNull('workspace'),
  sinceSeq: integer('since_seq'),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
});

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
    this.#insert = db.prepare(`INSERT INTO webhooks ${webhookRow.into()}`);
    this.#update = db.prepare(`UPDATE webhooks SET ${webhookRow.set(webhookRow.fields)} WHERE id = ?`);
    this.#delete = db.prepare('DELETE FROM webhooks WHERE id = ?');
    this.#advance = db.prepare('UPDATE webhooks SET since_seq = ? WHERE active = 1 AND since_seq < ?');
    this.#expireEphemeral = db.prepare('UPDATE webhooks SET active = 0 WHERE ephemeral = 1 AND events <> ?');
    this.#deleteEphemeral = db.prepare('DELETE FROM webhooks WHERE ephemeral = 1 AND created_at < ?');
    this.#find = new RowQuery(db, 'SELECT * FROM webhooks WHERE id = ?');
    this.#list = new RowQuery(db, 'SELECT * FROM webhooks ORDER BY seq DESC');
  }

  async insert(webhook: WebhookRecord): Promise<void> {
    this.#insert.run(...webhookRow.values(webhook));
  }

  async update(webhook: WebhookRecord): Promise<void> {
    this.#update.run(...webhookRow.values(webhook), webhook.id);
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
  }

  async advance(seq: number): Promise<void> {
    this.#advance.run(seq, seq);
  }

  async expireEphemeral(deleteBefore: number): Promise<void> {
    this.#deleteEphemeral.run(deleteBefore);
    // A subscription without event types belongs to a replay to another URL, which needs no client.
    this.#expireEphemeral.run(json([]));
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    return this.rows.one('webhooks', () => this.#find.get(id), webhookRow.read);
  }

  async list(): Promise<WebhookRecord[]> {
    return this.rows.all('webhooks', () => this.#list.all(), webhookRow.read);
  }
}
