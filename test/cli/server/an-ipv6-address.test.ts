import { expect, it } from 'vitest';
import { BINARY } from '../../support/cli/binary.js';
import { runUntilStopped } from '../../support/cli/shell-runs.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

it('is printed in brackets before its port', async () => {
  const line = `exec ${process.execPath} ${BINARY} dev --host ::1 --in-memory --http-port 0 --smtp-port 0 --no-dashboard`;
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path };

  const { output } = await runUntilStopped(line, { cwd: folder.path, env }, /SMTP +\S+\n/);

  expect(output).toMatch(/^ {2}SMTP +\[::1\]:\d+$/m);
});
