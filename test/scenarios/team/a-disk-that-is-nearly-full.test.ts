import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchDiskSpace } from '../../../src/app/operations.js';
import { startApp, TEST_KEY } from '../../support/servers/app.js';

const GIB = 1024 ** 3;

/** Watches a disk of which each check reads the next free space. Returns the notices after each check. */
async function noticesFor(free: readonly (number | undefined)[]): Promise<number[]> {
  const notices: string[] = [];
  const counts: number[] = [];
  const left = [...free];
  await new Promise<void>((resolve) => {
    const after = (_: number, check: () => void) => {
      counts.push(notices.length);
      if (left.length > 0) check();
      else resolve();
      return () => {};
    };
    const read = async () => {
      const next = left.shift();
      return next === undefined ? undefined : { free: next, size: 100 * GIB };
    };
    watchDiskSpace('/srv/svc/mail.db', { after }, (text) => notices.push(text), read);
  });
  expect(notices[0] ?? '').toBe(
    counts.at(-1) === 0
      ? ''
      : 'The disk of /srv/svc has 512 MiB left (0.5 %). Once it is full, the server refuses email. Free space, or delete ' +
          'old emails with --keep or --max-age, then run "svc dev compact".',
  );
  return counts;
}

it('is reported once, and again after there was more space', async () => {
  expect(await noticesFor([10 * GIB, GIB, undefined])).toEqual([0, 0, 0]);
  expect(await noticesFor([GIB / 2, GIB / 4, 1.5 * GIB, GIB / 2, 3 * GIB, GIB / 2])).toEqual([1, 1, 1, 1, 1, 2]);
});

it('is a metric of a server with a data directory, which stays ready', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  const app = await startApp({ access: 'team', plan: 'none', storage: { file: join(directory, 'mail.db') } });
  const headers = { host: 'localhost', authorization: `Bearer ${TEST_KEY}` };
  const { body } = await app.http.inject({ url: '/metrics', headers });
  const [, free] = /^svc_disk_free_bytes (\d+(?:\.\d+)?(?:e\+\d+)?)$/m.exec(body) ?? [];
  const [, size] = /^svc_disk_size_bytes (\d+(?:\.\d+)?(?:e\+\d+)?)$/m.exec(body) ?? [];
  expect(Number(free)).toBeGreaterThan(0);
  expect(Number(size)).toBeGreaterThanOrEqual(Number(free));
  expect((await app.http.inject({ url: '/readyz', headers })).statusCode).toBe(200);
  await app.closeClean();
  rmSync(directory, { recursive: true });
});
