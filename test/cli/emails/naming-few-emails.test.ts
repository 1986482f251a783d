import { expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { data } from '../../support/servers/server-calls.js';

const folder = folderOfEachTest();

it('names three emails that do not match and counts the others, and names the newest before it deletes it', async () => {
  const dev = await folder.startServer();
  const run = (...args: string[]) => svc(['emails', ...args], { env: { SVC_DATA_DIR: folder.path } });
  for (let count = 0; count < 5; count += 1) {
    const body = { to: `ada${count}@example.test`, from: 'a@example.test', subject: `Hi ${count}`, html: 'x' };
    const headers = { 'content-type': 'application/json' };
    await data(dev.ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(body) });
  }

  const waited = await run('wait', '--to', 'eve@example.test', '--since', 'start', '--timeout', '1ms');
  const deleted = await run('delete', 'latest');

  expect(waited.code).toBe(3);
  expect(waited.stderr.match(/ada\d@example\.test, "?Hi|Hi \d/g)).toHaveLength(3);
  expect(waited.stderr).toMatch(/^ {2}and 2 more$/m);
  expect(deleted.code).toBe(2);
  expect(deleted.stderr).toContain(`delete the email "Hi 4" to ada4@example.test on ${dev.ready.base_url}`);
});
