import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { WebhookRecord } from '../../../core/model/resources.js';
import { bit, instant, integer, listOf, text, textOrNull, texts, webUrl } from '../rows/column-kinds.js';
import { json } from '../rows/columns.js';
import { RowMapping } from '../rows/mapping.js';
import { Table } from '../sql.js';

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

export class WebhookTable extends Table {
  readonly #insert = this.sql.prepare(`INSERT INTO webhooks ${webhookRow.into()}`);
  readonly #update = this.sql.prepare(`UPDATE webhooks SET ${webhookRow.set(webhookRow.fields)} WHERE id = ?`);
  readonly #delete = this.sql.prepare('DELETE FROM webhooks WHERE id = ?');
  readonly #advance = this.sql.prepare('UPDATE webhooks SET since_seq = ? WHERE active = 1 AND since_seq < ?');
  readonly #isEphemeral = `ephemeral = 1 AND ${this.among('id')}`;
  readonly #expireEphemeral = this.sql.prepare(
    `UPDATE webhooks SET active = 0 WHERE ${this.#isEphemeral} AND events <> ?`,
  );
  readonly #deleteEphemeral = this.sql.prepare(`DELETE FROM webhooks WHERE ${this.#isEphemeral} AND created_at < ?`);
  /** Attempts are skipped while a client can resume the subscription, so nothing else ends these. */
  readonly #abandonEphemeral = this.sql.prepare(
    `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE state = 'pending' AND webhook_id IN
       (SELECT id FROM webhooks WHERE ${this.#isEphemeral} AND created_at < ?)`,
  );
  readonly #find = this.sql.prepare('SELECT * FROM webhooks WHERE id = ?');
  readonly #list = this.sql.prepare('SELECT * FROM webhooks ORDER BY seq DESC');
  readonly #hasActive = this.sql.preparePolicy('SELECT 1 FROM webhooks WHERE active = 1 LIMIT 1');

  async insert(webhook: WebhookRecord): Promise<void> {
    this.#insert.send(...webhookRow.values(webhook));
  }

  async update(webhook: WebhookRecord): Promise<void> {
    this.#update.send(...webhookRow.values(webhook), webhook.id);
  }

  async delete(id: string): Promise<void> {
    this.#delete.send(id);
  }

  async advance(seq: number): Promise<void> {
    this.#advance.send(seq, seq);
  }

  async expireEphemeral(ids: readonly string[], deleteBefore: number): Promise<void> {
    this.#abandonEphemeral.send(this.sql.list(ids), deleteBefore);
    this.#deleteEphemeral.send(this.sql.list(ids), deleteBefore);
    // A subscription without event types belongs to a replay to another URL, which needs no client.
    this.#expireEphemeral.send(this.sql.list(ids), json([]));
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    return this.rows.one('webhooks', () => this.#find.get(id), webhookRow.read);
  }

  async list(): Promise<WebhookRecord[]> {
    return this.rows.all('webhooks', () => this.#list.all(), webhookRow.read);
  }

  async hasActive(): Promise<boolean> {
    return (await this.#hasActive.value()) !== undefined;
  }
}
