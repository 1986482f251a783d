import { expect, it } from 'vitest';
import { startListening } from '../../support/cli/listening.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { holdPort } from '../../support/servers/ports.js';

const folder = folderOfEachTest();

it('starts the local server of webhooks listen on a free port', async () => {
  const env = { SVC_DATA_DIR: folder.path };
  let held: Awaited<ReturnType<typeof holdPort>>;
  let port: string | undefined;
  do {
    held = await holdPort(8025);
    const listening = await startListening(['--forward-to', ':1'], { env, json: false });
    const { stderr } = await listening.stop('SIGTERM');
    held?.close();
    port = /started one at http:\/\/127\.0\.0\.1:(\d+)\/v1/.exec(stderr)?.[1];
    // Another process that used the port may have released it before the server started.
  } while (!held && port === '8025');

  expect(port).toMatch(/^\d+$/);
  expect(port).not.toBe('8025');
});
