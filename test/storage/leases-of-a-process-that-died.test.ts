import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { claimOf } from './conformance/jobs.js';
import { NOON } from './records.js';

let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

it('jobs that a dead process had claimed can be claimed at once', async () => {
  const [file, copy] = [join(directory.path, 'mail.db'), join(directory.path, 'copy.db')];
  const living = openSqliteStore({ file });
  await living.write((tx) => tx.jobs.add({ kind: 'email.parse', runAt: NOON, payload: { emailId: 'msg_a' } }));
  await living.write((tx) => tx.jobs.claim(claimOf()));
  // The contents of the disk if the process is killed now.
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);

  const next = openSqliteStore({ file: copy });
  expect(await next.write((tx) => tx.jobs.claim(claimOf()))).toMatchObject([{ payload: { emailId: 'msg_a' } }]);

  await Promise.all([living.close(), next.close()]);
});
