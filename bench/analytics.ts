import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app/create-app.js';
import { createIds } from '../src/clock/ids.js';
import { recordEvent } from '../src/core/mail/event-log.js';
import { openSqliteStore } from '../src/storage/sqlite/store.js';
import { describeMachine, median, printTable } from './support/figures.js';

/** Measures GET /analytics/emails with 1,000 and with 100,000 emails, spread over the same 30 days. */

const MAILS = [1_000, 100_000];
const ROUNDS = 50;
const DAY_MS = 86_400_000;
const TO = Date.parse('2026-03-31T15:42:17.123Z');
const KEY = 'svc_test_bench';
const QUERIES = {
  'default range, by day': `to_date=${new Date(TO).toISOString()}`,
  'to the millisecond, by month': `from_date=2026-03-02T03:14:15.926Z&to_date=${new Date(TO).toISOString()}&group_by=month`,
  '1,000 days': 'from_date=2023-07-06&to_date=2026-03-31',
};

export async function main(): Promise<void> {
  console.log(`GET /v1/analytics/emails, in-process, median of ${ROUNDS}; ${describeMachine()}\n`);
  const figures = Object.keys(QUERIES).map((name) => [name]);
  for (const mails of MAILS) {
    const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    const storage = { file: join(directory, 'mail.db') };
    await fill(storage, mails);
    const app = await createApp({ storage, dataDir: null, apiKey: KEY, webhookSecret: 'whsec_bench', plan: 'none' });
    for (const [row, query] of Object.values(QUERIES).entries()) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const began = performance.now();
        const answer = await app.http.inject({
          method: 'GET',
          url: `/v1/analytics/emails?${query}`,
          headers: { host: 'localhost', authorization: `Bearer ${KEY}` },
        });
        times.push(performance.now() - began);
        if (answer.json().data.total.sent < mails * 0.9) throw new Error(`counted wrong: ${answer.body.slice(0, 200)}`);
      }
      figures[row]?.push(`${median(times).toFixed(2)} ms`);
    }
    await app.close();
    rmSync(directory, { recursive: true });
  }
  printTable(['range', ...MAILS.map((mails) => `${mails} mails`)], figures);
}

/** Inserts two events per email, as the service records them, each email at a different instant. */
async function fill(storage: { file: string }, mails: number): Promise<void> {
  const store = openSqliteStore(storage);
  const ids = createIds();
  for (let mail = 0; mail < mails; mail += 1_000) {
    await store.write(async (tx) => {
      for (let n = mail; n < Math.min(mails, mail + 1_000); n += 1) {
        const at = Math.floor(TO - (n / mails) * 29 * DAY_MS);
        const making = { clock: { now: () => at } as never, ids };
        await recordEvent(tx, making, 'email.sent', {} as never);
        await recordEvent(tx, making, 'email.delivered', {} as never);
      }
    });
  }
  await store.close();
}
