import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectDatabase } from '../../../src/storage/repair.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { exportFrom, importInto } from '../../support/state.js';
import { fill, statusesOf } from '../../support/storage/damage.js';

/**
 * Tests rows with something changed at random, under a running server and before a start. Nothing but the row is lost.
 */

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 20);
/** The number of changes that one server gets. */
const CHANGES = 10;
const EMAIL = { to: 'a@b.test', from: 'c@d.test', subject: 'now', html: 'x' };
const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };

const integers = [0, 1, -1, 2, 1e3, 1e12, 253_402_300_800_000, 9e15, -9e15, 9e18, -9e18];
/** The first integer that JavaScript rounds, and the limits of SQLite's integers. */
const bigIntegers = [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const texts = [
  '',
  'x',
  '}',
  'null',
  'true',
  '0',
  '[]',
  '{}',
  '[1]',
  '[null]',
  '{"a":1}',
  '{"a":"b"}',
  '["email.sent"]',
  '\u0000',
  '\ud800',
  '{"__proto__":{}}',
  'http://127.0.0.1:1/',
  'file:///',
  '//',
  '9'.repeat(400),
  'email.send',
  'email.parse',
  'webhook.attempt',
  '{"emailId":"msg_x","steps":[{"name":"click","afterMs":1e300}]}',
  '{"offset":1e300}',
  '{"offset":0,"frozenAt":-1}',
];
const value = fc.oneof(
  fc.constantFrom(...integers),
  fc.constantFrom(...bigIntegers),
  fc.constantFrom(...texts),
  fc.constant(null),
  fc.string({ maxLength: 20 }),
  fc.json({ maxDepth: 2 }),
);

describe(`${RUNS} rows changed at random`, () => {
  const made = temporaryDirectory();
  const rejections: unknown[] = [];
  const onRejection = (error: unknown) => rejections.push(error);
  let columns: { table: string; column: string }[];
  let used = 0;

  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    const app = await startApp({ storage: { file: join(made.path, 'mail.db') }, plan: 'none' });
    await fill(app, 'http://127.0.0.1:1/');
    await app.call('PATCH', '/_svc/clock', { frozen: false });
    await app.close();
    const db = new Database(join(made.path, 'mail.db'));
    columns = db
      .prepare(
        `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'search%' AND t.name <> 'quarantine'
         ORDER BY 1, 2`,
      )
      .all() as typeof columns;
    db.close();
  });
  afterAll(() => {
    process.off('unhandledRejection', onRejection);
    made.remove();
  });

  /** Sets a column of every row, or of none where a constraint forbids it. The server's own key is not changed. */
  function change(file: string, { table, column }: { table: string; column: string }, to: unknown): void {
    const db = new Database(file);
    try {
      db.pragma('foreign_keys = OFF');
      const where = table === 'api_keys' ? "WHERE name = 'ci'" : '';
      // Generates an integer; SQLite would keep any other number as text.
      const bound = typeof to === 'number' ? BigInt(to) : to;
      used += db.prepare(`UPDATE "${table}" SET "${column}" = ? ${where}`).run(bound).changes > 0 ? 1 : 0;
    } catch (error) {
      if (!/SQLITE_(CONSTRAINT|MISMATCH)/.test(String((error as { code?: string }).code))) throw error;
    } finally {
      db.close();
    }
  }

  async function expectService(app: TestApp, of: unknown): Promise<void> {
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
    for (const [path, status] of Object.entries(await statusesOf(app))) {
      expect([200, ...(/(msg|dlv)_/.test(path) ? [404] : [])], `${path} after ${fc.stringify(of)}`).toContain(status);
    }
    expect(rejections).toEqual([]);
  }

  /** Expects that every read and every advance of time ends. */
  async function expectWholeReads(app: TestApp, file: string, of: unknown): Promise<void> {
    expect((await inspectDatabase(file)).fileErrors).toEqual([]);
    const archive = await exportFrom(app);
    const target = await startApp({ plan: 'none', checkResponses: false });
    try {
      const { status, json } = await importInto(target, archive);
      // A clock, and rows with dangling references, are refused.
      expect([200, 400], `import after ${fc.stringify(of)}: ${JSON.stringify(json)}`).toContain(status);
      expect((await target.call('POST', '/v1/emails', EMAIL)).status).toBe(201);
    } finally {
      await target.close();
    }
    const { status } = await app.call('POST', '/_svc/clock/advance', { by: '1m' });
    // The end of time cannot be advanced.
    expect([200, 400], `advance after ${fc.stringify(of)}`).toContain(status);
  }

  it('do not stop reads, jobs or the next start', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(), value, fc.boolean()), { minLength: CHANGES, maxLength: CHANGES }),
      async (changes) => {
        const directory = temporaryDirectory();
        const file = join(directory.path, 'mail.db');
        copyFileSync(join(made.path, 'mail.db'), file);
        const start = async () => {
          // As users run it: an id of another form is passed on, without a failure.
          const started = await startApp({ storage: { file }, plan: 'none', checkResponses: false });
          await started.listen(ANY_PORT);
          return started;
        };
        let app = await start();
        try {
          for (const [index, to, restarts] of changes) {
            const at = columns[index % columns.length]!;
            change(file, at, to);
            if (restarts) {
              await app.close();
              app = await start();
            }
            await expectService(app, [at, to]);
            await expectWholeReads(app, file, [at, to]);
          }
        } finally {
          await app.close();
          directory.remove();
        }
      },
    );
    await fc.assert(property, { numRuns: Math.max(1, Math.ceil(RUNS / CHANGES)), endOnFailure: true });
    expect(used).toBeGreaterThan(0);
  }, 3_600_000);
});
