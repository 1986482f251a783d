import { expect, it } from 'vitest';
import { createDataDir, writeRunningServer } from '../../../src/cli/data-dir/data-dir.js';
import { identityOf } from '../../../src/cli/process/process-identity.js';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { answers, startScripted } from '../../support/servers/scripted-server.js';

/** Tests the exit code of an email that was sent, when the server then does not respond. */

const SENT = { id: 'msg_01k9m3v5w7x9y1z3a5b7c9d1e3', status: 'sent', to: 'ada@example.test', scheduled_at: null };

it('an email that was sent is a success, also if its inspection fails', async () => {
  const folder = temporaryDirectory();
  const health = answers({ instance: 'x', now: '2026-03-01T12:00:00.000Z' });
  const server = await startScripted([
    (response, asked) => {
      if (asked.path === '/_svc/health') health(response, asked);
      else if (asked.method === 'POST') answers(SENT, 201)(response, asked);
      else response.destroy();
    },
  ]);
  createDataDir(folder.path);
  writeRunningServer(folder.path, {
    pid: process.pid,
    process: identityOf(process.pid) ?? null,
    instance: 'x',
    base_url: server.baseUrl,
    smtp: { host: '127.0.0.1', port: 1025 },
    data_dir: folder.path,
    started_at: 'now',
    api_key: 'svc_test_x',
    webhook_secret: 'whsec_x',
  });

  const sent = await svc(['emails', 'send', '--to', 'ada@example.test', '--retries', '0', '--data-dir', folder.path]);

  expect(server.asked.map(({ path }) => path)).toContain(`/_svc/emails/${SENT.id}`);
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining(SENT.id) });
  await server.close();
  folder.remove();
});
