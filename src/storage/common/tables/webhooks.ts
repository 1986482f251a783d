import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { WebhookRecord } from '../../../core/model/resources.js';
import { bit, instant, integer, listOf, text, textOrNull, texts, webUrl } from '../rows/column-kinds.js';
import { json } from '../rows/columns.js';
import { RowMapping } from '../rows/mapping.js';
import type { Rows, Sql } from '../sql.js';

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
  readonly #hasActive;

  constructor(
    private readonly sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO webhooks ${webhookRow.into()}`);
    this.#update = sql.prepare(`UPDATE webhooks SET ${webhookRow.set(webhookRow.fields)} WHERE id = ?`);
    this.#delete = sql.prepare('DELETE FROM webhooks WHERE id = ?');
    this.#advance = sql.prepare('UPDATE webhooks SET since_seq = ? WHERE active = 1 AND since_seq < ?');
    const isEphemeral = `ephemeral = 1 AND ${sql.dialect.among('id')}`;
    this.#expireEphemeral = sql.prepare(`UPDATE webhooks SET active = 0 WHERE ${isEphemeral} AND events <> ?`);
    this.#deleteEphemeral = sql.prepare(`DELETE FROM webhooks WHERE ${isEphemeral} AND created_at < ?`);
    this.#find = sql.prepare('SELECT * FROM webhooks WHERE id = ?');
    this.#list = sql.prepare('SELECT * FROM webhooks ORDER BY seq DESC');
    this.#hasActive = sql.preparePolicy('SELECT 1 FROM webhooks WHERE active = 1 LIMIT 1');
  }

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
