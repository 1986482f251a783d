import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { App, AppOptions } from '../app.js';
import { DEFAULT_HTTP_PORT } from '../contract/routes.js';
import { checkResponses } from './check-responses.js';
import {
  createDataDir,
  databaseFile,
  newCredentials,
  type RunningServer,
  readOrCreateCredentials,
  removeRunningServer,
  writeRunningServer,
} from './data-dir.js';
import { CommandError } from './exit-codes.js';
import { portOwner } from './port-owner.js';
import { findRunningServer } from './running-server.js';

export { DEFAULT_HTTP_PORT };
export const DEFAULT_SMTP_PORT = 1025;

export interface LocalServerOptions
  extends Pick<AppOptions, 'plan' | 'strict' | 'control' | 'dns' | 'retrySchedule' | 'onFault'> {
  host: string;
  httpPort: number;
  smtpPort: number;
  /** Null keeps everything in memory. */
  dataDir: string | null;
  /** Pins the key. */
  apiKey: string | undefined;
}

export interface LocalServer {
  app: App;
  address: RunningServer;
  close(): Promise<void>;
}

/**
 * Starts the local server in this process and writes `server.json`.
 * @throws CommandError when a port is taken, the data directory cannot be used, or a server runs on it already.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { dataDir, host } = options;
  if (dataDir) {
    createDataDir(dataDir);
    await refuseSecondServer(dataDir);
  }
  const credentials = dataDir ? readOrCreateCredentials(dataDir) : newCredentials();
  const apiKey = options.apiKey ?? credentials.api_key;
  const { createApp } = await import('../app.js');
  const { plan, strict, control, dns, retrySchedule, onFault } = options;
  const app = await createApp({
    storage: dataDir ? { file: databaseFile(dataDir) } : 'memory',
    dataDir,
    apiKey,
    webhookSecret: credentials.webhook_secret,
    allowedHosts: isIP(host) ? [host, `[${host}]`, hostname()] : [host, hostname()],
    ...(plan && { plan }),
    ...(strict !== undefined && { strict }),
    ...(control !== undefined && { control }),
    ...(dns && { dns }),
    ...(retrySchedule && { retrySchedule }),
    ...(onFault && { onFault }),
    checkResponses: checkResponses(process.env),
  }).catch((error: Error) => {
    throw new CommandError(
      error.message,
      'Name another data directory with --data-dir or SVC_DATA_DIR, or use --in-memory.',
    );
  });
  const ports = { http: { host, port: options.httpPort }, smtp: { host, port: options.smtpPort } };
  const { baseUrl, smtp } = await app.listen(ports).catch(async (error: NodeJS.ErrnoException) => {
    await app.close();
    throw explainListenError(error, options);
  });
  const address = {
    pid: process.pid,
    instance: app.instance,
    started_at: new Date(app.clock.systemNow()).toISOString(),
    base_url: baseUrl,
    smtp,
    api_key: apiKey,
    webhook_secret: credentials.webhook_secret,
  };
  if (dataDir) writeRunningServer(dataDir, address);
  return {
    app,
    address,
    async close() {
      // First the file: whoever looks for the server from now on must not find it.
      if (dataDir) removeRunningServer(dataDir, app.instance);
      await app.close();
    },
  };
}

async function refuseSecondServer(dataDir: string): Promise<void> {
  const running = await findRunningServer(dataDir);
  if (!running) return;
  throw new CommandError(
    `A server is already running on this data directory: ${running.base_url} (pid ${running.pid}).`,
    'Use that one, stop it with "svc dev stop", or name another data directory with --data-dir.',
  );
}

function explainListenError(error: NodeJS.ErrnoException & { port?: number }, options: LocalServerOptions): Error {
  const { port } = error;
  const flag = port === options.smtpPort ? '--smtp-port' : '--http-port';
  if (error.code === 'EADDRINUSE') {
    const owner = port === undefined ? undefined : portOwner(port);
    return new CommandError(
      `Port ${port} is in use${owner ? ` by ${owner}` : ''}.`,
      `Stop what uses it, or choose another port with ${flag} (0 picks a free one).`,
    );
  }
  if (error.code === 'EACCES')
    return new CommandError(`Port ${port} may not be used by this user.`, `Choose one above 1023 with ${flag}.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new CommandError(
      `${options.host} is not an address of this machine.`,
      'Name one with --host; 127.0.0.1 is the default.',
    );
  }
  return error;
}
