import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { TestApp } from '../servers/app.js';

/**
 * Edits databases as a person, an attacker or a failing disk would: without the checks that svc makes when it writes.
 */

const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' };

const LISTS = [
  '/_svc/health',
  '/_svc/clock',
  '/_svc/info',
  '/_svc/rules',
  '/_svc/faults',
  '/_svc/suppressions',
  '/_svc/deliveries',
  '/_svc/requests',
  '/_svc/smtp-sessions',
  '/_svc/audit',
  '/_svc/dns',
  '/v1/emails',
  '/v1/templates',
  '/v1/domains',
  '/v1/webhooks',
  '/v1/api-keys',
  '/v1/analytics/emails',
];

/** Returns all rows of the table `quarantine`. */
export function quarantineOf(file: string): { table_name: string; reason: string; content: string }[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT table_name, reason, content FROM quarantine ORDER BY seq').all() as ReturnType<
      typeof quarantineOf
    >;
  } finally {
    db.close();
  }
}

export function edit(file: string, sql: string): void {
  const db = new Database(file);
  try {
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** Returns the response status of each list, and of each resource in the lists. */
export async function statusesOf(app: TestApp): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const get = async (path: string) => {
    const { status, json } = await app.call('GET', path);
    statuses[path] = status;
    return json?.data;
  };
  for (const path of LISTS) await get(path);
  for (const { id } of (await get('/v1/emails?limit=100'))?.emails ?? []) {
    await get(`/v1/emails/${id}`);
    await get(`/_svc/emails/${id}`);
  }
  for (const { id } of (await get('/_svc/deliveries?limit=100'))?.deliveries ?? []) await get(`/_svc/deliveries/${id}`);
  return statuses;
}

/** Creates one resource of each kind on a server. */
export async function fill(app: TestApp, hook: string): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const { status, json } = await app.call('POST', path, body);
    expect({ path, status: Math.floor(status / 100), json }).toMatchObject({ path, status: 2 });
  };
  await post('/v1/webhooks', { url: hook, events: ['email.delivered'], secret: 'whsec_x' });
  await post('/v1/domains', { domain: 'example.test' });
  await post('/v1/templates', { name: 'welcome', subject: 'Hi', html: 'x' });
  await post('/v1/api-keys', { name: 'ci', environment: 'test' });
  await post('/_svc/suppressions', { address: 'gone@example.test' });
  await post('/_svc/rules', { to: 'slow@*', outcome: 'bounced' });
  await post('/_svc/faults', { webhook: 'https://faults.example/*', code: 500 });
  const attachments = [{ filename: 'a.bin', content: 'AAEC', contentType: 'application/octet-stream' }];
  await post('/v1/emails', { ...EMAIL, tags: ['a'], attachments });
  const later = new Date(app.clock.now() + 3_600_000).toISOString();
  await app.drain();
  await post('/v1/emails', { ...EMAIL, subject: 'later', scheduled_at: later });
  await statusesOf(app);
}
