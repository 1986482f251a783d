import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from '../data-dir/server-file.js';
import { UsageError } from '../errors/exit-codes.js';
import { STOP_SIGNALS } from '../process/signals.js';
import { runUntilStopped } from '../process/until-stopped.js';
import { type LocalServerOptions, startLocalServer } from './local-server.js';
import { findRunningServer } from './running-server.js';

export interface ExecServerOptions extends Required<Pick<LocalServerOptions, 'plan' | 'retrySchedule' | 'strict'>> {
  /** A flag that a running server would not follow. */
  serverFlag: string | undefined;
}

/**
 * Runs with the running server of a data directory, if one is given, else with a new one in memory, on free ports,
 * which then ends. A signal during the start of that one cancels the run, and leaves nothing behind.
 * @throws UsageError when one is running and a flag was given that it would not follow.
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
    // Contains only what leads svc inside the command to the server, which it then treats as a local one.
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
