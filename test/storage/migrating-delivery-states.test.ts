import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate, migrations } from '../../src/storage/sqlite/migrations.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { startApp } from '../support/servers/app.js';

/** Tests migration 9 with rows that the version before it wrote. */

const FIXTURE = new URL('../fixtures/databases/before-delivery-delay.sql', import.meta.url);
const SCHEMA_BEFORE = 7;

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

it('recomputes the status of emails, without dropped recipients and with pending ones, and delivers what was pending', async () => {
  const file = join(directory.path, 'mail.db');
  const db = new Database(file);
  migrate(db, migrations.slice(0, SCHEMA_BEFORE));
  db.exec(readFileSync(FIXTURE, 'utf8'));
  db.close();

  const app = await startApp({ storage: { file } });
  const statuses = async () => {
    const { emails } = (await app.call('GET', '/v1/emails')).json.data;
    return Object.fromEntries(
      emails.map(({ subject, status, delivered_at }: Record<string, string>) => [
        subject,
        [status, delivered_at !== undefined],
      ]),
    );
  };
  const migrated = {
    'all dropped': ['sent', false],
    'dropped and delivered': ['delivered', true],
    'dropped and pending': ['sent', false],
    'delivered and pending': ['sent', false],
    delivered: ['delivered', true],
    'bounced and pending': ['bounced', false],
    'complained and delivered': ['complained', true],
    scheduled: ['scheduled', false],
    cancelled: ['cancelled', false],
    'dropped at its time': ['sent', false],
  };
  expect(await statuses()).toEqual(migrated);
  const { emails } = (await app.call('GET', '/v1/emails')).json.data;
  for (const { id, subject } of emails) {
    const { sent_at } = (await app.call('GET', `/v1/emails/${id}`)).json.data;
    expect([subject, sent_at === null]).toEqual([subject, subject === 'scheduled' || subject === 'cancelled']);
  }

  await app.call('POST', '/_svc/clock/advance', { by: '5m' });
  expect(await statuses()).toEqual({ ...migrated, 'delivered and pending': ['delivered', true] });
  await app.closeClean();
});
