import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from './data-dir.js';
import { UsageError } from './exit-codes.js';
import { type LocalServerOptions, startLocalServer } from './local-server.js';
import { findRunningServer } from './running-server.js';

/** The server for a command that `dev exec` runs. */
export interface ExecServer {
  server: RunningServer;
  dataDir: string;
  /** Ends it, if it was started for the command. */
  close(): Promise<void>;
}

export interface ExecServerWishes extends Required<Pick<LocalServerOptions, 'plan' | 'retrySchedule' | 'strict'>> {
  /** One of its own, even when one is running. */
  fresh: boolean;
  /** A flag that a running server would not follow. */
  given: string | undefined;
}

/**
 * The running server of a data directory, else a fresh one in memory, on free ports.
 * @throws UsageError when one is running and a flag was given that it would not follow.
 */
export async function openExecServer(
  dataDir: string,
  { fresh, given, ...behaviour }: ExecServerWishes,
): Promise<ExecServer> {
  const running = fresh ? undefined : await findRunningServer(dataDir);
  if (running && given !== undefined) {
    throw new UsageError(
      `--${given} is for a server of the command's own, and one is running already: ${running.base_url} (pid ${running.pid}).`,
      'Add --fresh to have one of its own beside it.',
    );
  }
  if (running) return { server: running, dataDir, close: async () => {} };
  // Holds nothing but what leads svc inside the command to the server, which it then knows for a local one.
  const directory = mkdtempSync(join(tmpdir(), 'svc-exec-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const own = await startLocalServer({
    host: '127.0.0.1',
    httpPort: 0,
    smtpPort: 0,
    dataDir: directory,
    inMemory: true,
    apiKey: undefined,
    ...behaviour,
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    server: own.address,
    dataDir: directory,
    async close() {
      await own.close();
      remove();
    },
  };
}
