import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../../client/client.js';
import type { Fetch } from '../../../client/wire-request.js';
import { CA_CERT_FILE } from '../../../storage/data-dir-files.js';
import type { RunningServer } from '../../data-dir/server-file.js';
import { STOP_SIGNALS, UsageError } from '../../errors/exit-codes.js';
import { runUntilStopped } from '../../process/signals.js';
import { networkFetch } from '../../target/network-fetch.js';
import { findRunningServer } from '../../target/running-server.js';
import { userAgent } from '../../target/target.js';
import { type LocalServerOptions, startLocalServer } from '../local-server.js';

export interface ExecServerOptions
  extends Required<
      Pick<
        LocalServerOptions,
        'plan' | 'retrySchedule' | 'receiverStatuses' | 'sendingLimits' | 'deliveryDelayMs' | 'strict'
      >
    >,
    Pick<LocalServerOptions, 'domains' | 'retention' | 'smtp'> {
  /** A given flag that has no effect on a server that is already running. */
  serverFlag: string | undefined;
}

/** The server that a command runs with. */
export interface ExecServer {
  address: RunningServer;
  dataDir: string;
  client: Client;
  /** Whether it only runs for this command. */
  isOwn: boolean;
  /** Aborted by the first signal. */
  stopping: AbortSignal;
}

/** The signal for a server of another process: a first ^C ends this one at once. */
const NEVER = new AbortController().signal;

/** Time limit of a call to a server that another process runs. */
const TIMEOUT_SECONDS = 30;

/**
 * Calls `run` with the running server of the data directory, if one is given and running. Otherwise it starts a server
 * in memory, on free ports, and stops it afterwards. A signal during its start cancels the run.
 * @throws UsageError when a server is running and a flag has no effect on it.
 */
export async function withExecServer(
  dataDir: string | undefined,
  { serverFlag, smtp, ...behaviour }: ExecServerOptions,
  run: (server: ExecServer) => Promise<void>,
): Promise<void> {
  const running = dataDir === undefined ? undefined : await findRunningServer(dataDir);
  if (running && serverFlag !== undefined) {
    throw new UsageError(
      `--${serverFlag} has no effect on a server that is already running: ${running.base_url} (pid ${running.pid}).`,
      'Add --fresh to start a separate server.',
    );
  }
  if (running && dataDir !== undefined) {
    const fetch = networkFetch(running.base_url, { timeoutSeconds: TIMEOUT_SECONDS, env: process.env });
    return run({ address: running, dataDir, client: clientOf(running, fetch), isOwn: false, stopping: NEVER });
  }
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
        ...(smtp && { smtp: { ...smtp, caFile: join(directory, CA_CERT_FILE) } }),
      });
      try {
        const { address, app } = own;
        const client = clientOf(address, app.fetch);
        if (!stopping.aborted) await run({ address, dataDir: directory, client, isOwn: true, stopping });
      } finally {
        await own.close();
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }, STOP_SIGNALS);
}

function clientOf({ base_url, api_key }: RunningServer, fetch: Fetch): Client {
  return new Client({ baseUrl: base_url, apiKey: api_key, userAgent, fetch });
}
