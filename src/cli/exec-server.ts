import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, writeRunningServer } from './data-dir.js';
import { startLocalServer } from './local-server.js';
import { findRunningServer } from './running-server.js';

/** The server for a command that `dev exec` runs. */
export interface ExecServer {
  server: RunningServer;
  dataDir: string;
  /** Ends it, if it was started for the command. */
  close(): Promise<void>;
}

/** The running server of a data directory, else a fresh one in memory, on free ports. */
export async function openExecServer(dataDir: string, fresh: boolean): Promise<ExecServer> {
  const running = fresh ? undefined : await findRunningServer(dataDir);
  if (running) return { server: running, dataDir, close: async () => {} };
  const own = await startLocalServer({
    host: '127.0.0.1',
    httpPort: 0,
    smtpPort: 0,
    dataDir: null,
    apiKey: undefined,
  });
  // Holds server.json alone, so that svc inside the command knows the server for a local one.
  const directory = mkdtempSync(join(tmpdir(), 'svc-exec-'));
  writeRunningServer(directory, own.address);
  return {
    server: own.address,
    dataDir: directory,
    async close() {
      rmSync(directory, { recursive: true, force: true });
      await own.close();
    },
  };
}
