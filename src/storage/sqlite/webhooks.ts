import type Database from 'better-sqlite3';
import type { WebhookRecord } from '../../core/model.js';
import { bit, json, parseJson, type Row } from './rows.js';

export class WebhookTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #advance;
  readonly #pauseEphemeral;
  readonly #forgetEphemeral;
  readonly #find;
  readonly #list;

  constructor(db: Database.Database) {
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
    this.#pauseEphemeral = db.prepare('UPDATE webhooks SET active = 0 WHERE ephemeral = 1 AND events <> ?');
    this.#forgetEphemeral = db.prepare('DELETE FROM webhooks WHERE ephemeral = 1 AND created_at < ?');
    this.#find = db.prepare('SELECT * FROM webhooks WHERE id = ?');
    this.#list = db.prepare('SELECT * FROM webhooks ORDER BY seq DESC');
  }

  async insert(webhook: WebhookRecord): Promise<void> {
    this.#insert.run(bound(webhook));
  }

  async update(webhook: WebhookRecord): Promise<void> {
    this.#update.run(bound(webhook));
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
  }

  async advance(seq: number): Promise<void> {
    this.#advance.run(seq, seq);
  }

  async pauseEphemeral(forgetBefore: number): Promise<void> {
    this.#forgetEphemeral.run(forgetBefore);
    // One that lists no event stands for a replay to another URL, which goes on by itself.
    this.#pauseEphemeral.run(json([]));
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    const row = this.#find.get(id) as Row | undefined;
    return row && readWebhook(row);
  }

  async list(): Promise<WebhookRecord[]> {
    return (this.#list.all() as Row[]).map(readWebhook);
  }
}

function bound(webhook: WebhookRecord) {
  return {
    ...webhook,
    events: json(webhook.events),
    headers: json(webhook.headers),
    active: bit(webhook.active),
    ephemeral: bit(webhook.ephemeral),
  };
}

function readWebhook(row: Row): WebhookRecord {
  return {
    id: row.id as string,
    url: row.url as string,
    events: parseJson(row.events),
    secret: row.secret as string | null,
    active: row.active === 1,
    ephemeral: row.ephemeral === 1,
    recipientPattern: row.recipient_pattern as string | null,
    headers: parseJson(row.headers),
    sinceSeq: row.since_seq as number,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
  };
}
