import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { schemaLibraryAmong, traceLoads } from '../../support/cli/bundle.js';
import { startListening } from '../../support/cli/listening.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

/** Loading zod takes longer than these commands need otherwise. */

describe('webhook commands start without the schema library', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let trace: ReturnType<typeof traceLoads>;

  beforeEach(() => {
    folder = temporaryDirectory();
    trace = traceLoads(folder.path);
  });

  afterEach(() => folder.remove());

  it('verify, and explain an invalid signature', async () => {
    const verify = ['webhooks', 'verify', '--secret', 'whsec_1', '--signature', '0'.repeat(64)];
    const { code } = await svc(verify, { env: trace.env, input: '{"type":"email.sent","data":{}}' });

    expect(code).toBe(3);
    expect(trace.files().some((file) => file.endsWith('webhooks/verify.js'))).toBe(true);
    expect(schemaLibraryAmong(trace.files())).toEqual([]);
  });

  it('is recognized in a command that runs a server in its own process', async () => {
    await svc(['emails', 'list', '--data-dir', folder.path], { env: trace.env });

    expect(schemaLibraryAmong(trace.files())).toHaveLength(1);
  });

  describe('with a running server', () => {
    let dev: DevServer;
    let receiver: Receiver;

    beforeEach(async () => {
      dev = await startDev(['--data-dir', folder.path]);
      receiver = await startReceiver();
    });

    afterEach(async () => {
      await receiver.close();
      await dev.stop('SIGKILL');
    });

    it('listen, until it has forwarded an event, and replay', async () => {
      const dataDir = ['--data-dir', folder.path];
      const listening = await startListening(['--forward-to', receiver.url, ...dataDir], { env: trace.env });
      await svc(['webhooks', 'trigger', 'email.sent', ...dataDir]);
      const { event_id } = await listening.next();
      const { code } = await svc(['webhooks', 'replay', event_id, '--to', receiver.url, ...dataDir], {
        env: trace.env,
      });
      await receiver.until(2);
      await listening.stop('SIGTERM');

      expect(code).toBe(0);
      for (const command of ['listen', 'replay']) {
        expect(trace.files().some((file) => file.endsWith(`webhooks/${command}.js`))).toBe(true);
      }
      expect(schemaLibraryAmong(trace.files())).toEqual([]);
    });
  });
});
