import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from '../data-dir/server-file.js';
import { UsageError } from '../errors/exit-codes.js';
import { STOP_SIGNALS } from '../process/signals.js';
import { runUntilStopped } from '../process/until-stopped.js';
import { type LocalServerOptions, startLocalServer } from './local-server.js';
import { findRunningServer } from './running-server.js';

export interface ExecServerOptions
  extends Required<Pick<LocalServerOptions, 'plan' | 'retrySchedule' | 'deliveryDelayMs' | 'strict'>>,
    Pick<LocalServerOptions, 'domains' | 'retention'> {
  /** A given flag that has no effect on a server that is already running. */
  serverFlag: string | undefined;
}

/**
 * Calls `run` with the running server of the data directory, if one is given and running. Otherwise it starts a server
 * in memory, on free ports, and stops it afterwards. A signal during its start cancels the run.
 * @throws UsageError when a server is running and a flag has no effect on it.
 */
export async function withExecServer(
  dataDir: string | undefined,
  { serverFlag, ...behaviour }: ExecServerOptions,
  run: (server: RunningServer, dataDir: string) => Promise<void>,
): Promise<void> {
  const running = dataDir === undefined ? undefined : await findRunningServer(dataDir);
  if (running && serverFlag !== undefined) {
    throw new UsageError(
      `--${serverFlag} has no effect on a server that is already running: ${running.base_url} (pid ${running.pid}).`,
      'Add --fresh to start a separate server.',
    );
  }
  if (running && dataDir !== undefined) return run(running, dataDir);
  await runUntilStopped(async (stopping) => {
    // This directory only contains the server's address and key, so that svc inside the command treats the server as a
    // local one.
    const directory = mkdtempSync(join(tmpdir(), 'svc-exec-'));
    try {
      const own = await startLocalServer({
        host: '127.0.0.1',
        httpPort: 0,
        smtpPort: 0,
        dataDir: directory,
        inMemory: true,
        apiKey: undefined,
        ...behaviour,
      });
      try {
        if (!stopping.aborted) await run(own.address, directory);
      } finally {
        await own.close();
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }, STOP_SIGNALS);
}
