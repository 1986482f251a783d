import { afterAll, beforeAll } from 'vitest';
import { type Receiver, type Respond, startReceiver } from '../servers/receiver.js';
import { type DevServer, startDev, temporaryDirectory } from './binary.js';

export interface ServerAndReceiver {
  /** The flag with which commands find the server. */
  dataDir: readonly string[];
  server: DevServer;
  receiver: Receiver;
}

/** Starts a server and a receiver of webhooks before the tests of a suite, and stops them afterwards. */
export function serverAndReceiver(respond?: Respond): ServerAndReceiver {
  const directory = temporaryDirectory();
  const dataDir = ['--data-dir', directory.path];
  const local = { dataDir } as unknown as ServerAndReceiver;
  beforeAll(async () => {
    local.server = await startDev(dataDir);
    local.receiver = await startReceiver(respond);
  });
  afterAll(async () => {
    await local.server?.stop();
    await local.receiver?.close();
    directory.remove();
  });
  return local;
}
