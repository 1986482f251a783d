import { MINUTE_MS } from '../../../contract/vocabulary/limits.js';
import type { CountedCalls, Kept, Shared } from '../../../core/store.js';
import type { Sql } from '../../common/sql.js';

/** The database's time in milliseconds since 1970. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Shares values and counts over the database, in statements of their own that do not wait for the ledger. */
export class PostgresShared implements Shared {
  readonly kept: Kept;
  readonly #now;
  readonly #count;
  readonly #trims;

  constructor(sql: Sql) {
    this.#now = sql.prepare(`SELECT ${NOW}`);
    // A window that ends more than a minute from now began before the clock was set back.
    const isOpen = `(calls.ends_at > @now AND calls.ends_at <= @now + ${MINUTE_MS})`;
    this.#count = sql.prepare(
      `INSERT INTO calls (caller, ends_at, used) VALUES (@caller, @endsAt, @used) ON CONFLICT (caller) DO UPDATE SET
         used = CASE WHEN ${isOpen} THEN calls.used + excluded.used ELSE excluded.used END,
         ends_at = CASE WHEN ${isOpen} THEN calls.ends_at ELSE excluded.ends_at END,
         at = now()
       RETURNING ends_at, used`,
    );
    this.#trims = [
      `DELETE FROM kept WHERE expires_at <= ${NOW}`,
      "DELETE FROM calls WHERE at < now() - interval '1 day'",
    ].map((text) => sql.prepare(text));
    const put = sql.prepare(
      `INSERT INTO kept (key, value, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
    );
    const first = sql.prepare(
      `INSERT INTO kept (key, value, expires_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET
         value = CASE WHEN kept.expires_at > ${NOW} THEN kept.value ELSE excluded.value END,
         expires_at = CASE WHEN kept.expires_at > ${NOW} THEN kept.expires_at ELSE excluded.expires_at END
       RETURNING value`,
    );
    const find = sql.prepare(`SELECT value FROM kept WHERE key = ? AND expires_at > ${NOW}`);
    const take = sql.prepare(`DELETE FROM kept WHERE key = ? AND expires_at > ${NOW} RETURNING value`);
    this.kept = {
      put: async (...values) => void (await put.run(...values)),
      first: async (key, value, expiresAt) => (await first.value<string>(key, value, expiresAt)) ?? value,
      find: async (key) => find.value<string>(key),
      take: async (key) => take.value<string>(key),
    };
  }

  async now(): Promise<number> {
    return (await this.#now.value<number>()) ?? 0;
  }

  async countCalls(calls: readonly CountedCalls[], now: number): Promise<(CountedCalls | undefined)[]> {
    const results = await Promise.allSettled(
      calls.map(async ({ caller, endsAt, calls: used }) => {
        const [ends, all] = (await this.#count.tuple<[number, number]>({ caller, endsAt, used, now })) ?? [
          endsAt,
          used,
        ];
        return { caller, endsAt: ends, calls: all };
      }),
    );
    const [first] = results;
    if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason;
    return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  }

  /** Deletes what has expired. */
  async trim(): Promise<void> {
    for (const trim of this.#trims) await trim.run();
  }
}

/**
 * Tables that a reset empties, those that refer to others first. It keeps API keys with their workspaces, settings (the
 * clock, the secret of tracking links), and the numbers of the ledger.
 */
export const EMPTIED = [
  ...['search', 'unindexed', 'email_extracts', 'releases', 'email_warnings', 'attachments', 'tags'],
  ...[
    'tag_forms',
    'recipients',
    'bodies',
    'deletions',
    'deleted_emails',
    'deleted_contents',
    'email_counts',
    'emails',
    'unparsed',
    'received',
    'chunks',
    'attempts',
  ],
  ...[
    'deliveries',
    'events',
    'counters',
    'monthly_sent',
    'jobs',
    'templates',
    'domains',
    'suppressions',
    'rules',
    'requests',
  ],
  ...['smtp_sessions', 'faults', 'quarantine'],
];

/**
 * Empties the store inside a transaction. Deletes rows instead of truncating tables, which would wait for every read and
 * block the next ones.
 */
export function reset(sql: Sql): void {
  for (const table of EMPTIED) sql.prepare(`DELETE FROM ${table}`).send();
  // A running `webhooks listen` keeps its subscription.
  sql.prepare('DELETE FROM webhooks WHERE ephemeral = 0').send();
}
