import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, TEST_KEY } from '../../support/servers/app.js';
import { exportFrom } from '../../support/state.js';

/** Tests a client that disconnects in the middle of its archive. */

it('an interrupted import changes nothing, leaves nothing behind, and reports one line', async () => {
  const directory = temporaryDirectory();
  let told = () => {};
  const reported = new Promise<void>((resolve) => {
    told = resolve;
  });
  const faults: unknown[] = [];
  const app = await startApp({
    storage: { file: join(directory.path, 'mail.db') },
    onInternalError: (fault) => {
      faults.push(fault);
      told();
    },
  });
  try {
    const { baseUrl } = await app.listen({
      http: { host: '127.0.0.1', port: 0 },
      smtp: { host: '127.0.0.1', port: 0 },
    });
    const archive = await exportFrom(app);
    const call = request(new URL('/_svc/import', baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/gzip' },
    });
    call.on('error', () => {});
    call.write(archive.subarray(0, archive.length >> 1));
    await once(call, 'socket');
    await new Promise((resolve) => call.write('', resolve));
    call.destroy();

    await reported;
    expect(faults).toEqual(['The client closed the connection before the request was complete.']);
    expect(readdirSync(directory.path).filter((name) => name.startsWith('transfer-'))).toEqual([]);
    expect((await app.call('GET', '/v1/emails')).status).toBe(200);
  } finally {
    await app.close();
    directory.remove();
  }
});
