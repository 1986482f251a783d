import { expect, vi } from 'vitest';
import type { PostgresServer } from '../../support/postgres.js';
import { eventsUntil, type Listed, listAll } from '../watch.js';
import type { AnyServer, Load } from './load-with-kills.js';
import type { Heard, Subscriber } from './subscriber.js';

/** Checks what is in the database after servers were killed under load. */

/** Expects every acknowledged email once, and none that no client sent. Returns the emails when all were delivered. */
export async function expectEmails(any: AnyServer, { sent, acknowledged, refused }: Load): Promise<Listed[]> {
  // A message is listed with its subject once it is parsed.
  const ids = (await listAll(await any())).map(({ id }): [string, number] => [id, 1]);
  await eventsUntil(await any(), 'email.sent', new Map(ids));
  const emails = await listAll(await any());
  const bySubject = new Map(emails.map((email) => [email.subject, email]));
  expect(bySubject.size).toBe(emails.length);
  expect([...acknowledged].filter((subject) => !bySubject.has(subject))).toEqual([]);
  expect(emails.filter(({ subject }) => !sent.has(subject))).toEqual([]);
  expect(refused).toEqual([]);
  const counts = emails.map(({ id, subject }): [string, number] => [id, sent.get(subject)!.recipients.length]);
  await eventsUntil(await any(), 'email.delivered', new Map(counts));
  return emails;
}

/** Returns the names of an email for each recipient: its ID and the address. */
export function namesOf(emails: readonly Listed[], { sent }: Load): string[] {
  return emails.flatMap(({ id, subject }) => sent.get(subject)!.recipients.map((to) => `${id} ${to}`));
}

/**
 * Expects one email.sent and one email.delivered for each name, and that every subscriber hears all events exactly once
 * and in order. Ends the subscriptions.
 */
export async function expectEventsOnce(
  rowsOf: PostgresServer['query'],
  database: string,
  names: readonly string[],
  { subscribers, end }: { subscribers: readonly Subscriber[]; end(): void },
): Promise<void> {
  const rows = await rowsOf('SELECT seq, id, type, email_id, recipient FROM events ORDER BY seq', database);
  const stored = rows.map(({ seq, id }): Heard => ({ seq: Number(seq), id: String(id) }));
  const ofEmails = rows.filter(({ email_id }) => email_id !== null);
  const made = ofEmails.map(({ type, email_id, recipient }) => `${email_id} ${recipient} ${type}`);
  expect(made.toSorted()).toEqual(
    names.flatMap((each) => [`${each} email.delivered`, `${each} email.sent`]).toSorted(),
  );
  for (const subscriber of subscribers) await subscriber.until(stored.at(-1)!.seq);
  end();
  for (const subscriber of subscribers) expect(await subscriber.heard).toEqual(stored);
  expect(subscribers.reduce((sum, { resumed }) => sum + resumed(), 0)).toBeGreaterThan(0);
}

/** The rows that wait for the index of searches, and those where it or the counts differ from the emails. */
const WAITING = 'SELECT seq FROM unindexed';
const DIFFERENCES = [
  'SELECT seq FROM search FULL JOIN emails USING (seq) WHERE search.seq IS NULL OR emails.seq IS NULL',
  'SELECT seq FROM search JOIN emails USING (seq) WHERE search.subject <> lower(emails.subject)',
  `SELECT email_seq FROM recipients JOIN search ON search.seq = email_seq
   WHERE strpos(search.address, lower(recipients.address)) = 0`,
  "SELECT seq FROM search WHERE strpos(content, 'thank you for your order.') = 0",
  `SELECT value FROM (SELECT value, sum(count) AS count FROM email_counts WHERE field = 'status' GROUP BY value) AS counted
   FULL JOIN (SELECT status AS value, count(*) AS rows FROM emails GROUP BY status) AS stored USING (value)
   WHERE coalesce(count, 0) <> coalesce(rows, 0)`,
];

/** Expects that the index of searches has exactly the emails of the table, once the servers have indexed them. */
export async function expectIndexAgrees(rowsOf: PostgresServer['query'], database: string): Promise<void> {
  await vi.waitFor(async () => expect(await rowsOf(WAITING, database)).toEqual([]), { timeout: 60_000, interval: 200 });
  for (const sql of DIFFERENCES) expect(await rowsOf(sql, database), sql).toEqual([]);
}
