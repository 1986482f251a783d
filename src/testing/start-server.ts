import { Client } from '../client/client.js';
import { NoControlError } from '../client/failures.js';
import { userAgent } from '../client/typed-calls.js';
import type { ServerOptions, TestServer } from './api/server.js';
import { runInProcess } from './connection/in-process.js';
import { connectByThread } from './connection/thread-connection.js';
import { millisecondsOf } from './durations.js';
import type { ServerSettings } from './server/run-server.js';
import { ConnectedServer } from './test-server.js';

/** Options that only a server of the kit's own has. */
const serverOptions = [
  'domains',
  'strict',
  'plan',
  'deliveryDelay',
  'retrySchedule',
  'apiKey',
  'webhookSecret',
  'httpPort',
  'smtpPort',
  'inProcess',
] as const;

const known = new Set<string>([...serverOptions, 'fresh']);

/**
 * Starts a server in memory, on free ports. If `SVC_BASE_URL` is set, as in `svc dev exec`, connects to that server
 * instead.
 * @throws TypeError when an option is invalid, Error when the server cannot be started or reached.
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  for (const name of Object.keys(options)) {
    if (!known.has(name))
      throw new TypeError(`"${name}" is not an option of startServer(). Use ${[...known].join(', ')}.`);
  }
  const { SVC_BASE_URL: baseUrl } = process.env;
  if (baseUrl && !options.fresh) return connect(baseUrl, options);
  const settings = settingsOf(options);
  if (options.inProcess) {
    const server = await runInProcess(settings);
    return new ConnectedServer({ address: server.address, connection: server, since: 'start', variables: {} });
  }
  const connection = await connectByThread({ kind: 'server', settings });
  if (!connection.address) throw new Error('The server of the test kit has no address.');
  return new ConnectedServer({ address: connection.address, connection, since: 'start', variables: {} });
}

/** Connects to a server that is running. */
async function connect(baseUrl: string, options: ServerOptions): Promise<TestServer> {
  const option = serverOptions.find((name) => options[name] !== undefined && options[name] !== false);
  if (option !== undefined) {
    throw new TypeError(
      `The option "${option}" has no effect on the server that SVC_BASE_URL names, ${baseUrl}. ` +
        'Start that server with the option, or pass fresh: true to start another one.',
    );
  }
  const { SVC_API_KEY: apiKey, SVC_SINCE: since } = process.env;
  if (!apiKey) {
    throw new TypeError(
      'SVC_BASE_URL is set and SVC_API_KEY is not. Set both, or pass fresh: true to start a separate server.',
    );
  }
  const connection = await connectByThread({ kind: 'network' });
  try {
    const client = new Client({ baseUrl, apiKey, userAgent, fetch: connection.fetch });
    const info = await client.control('info', {}).catch(explainTarget);
    // Emails of earlier tests do not count.
    const start = since ?? (await client.control('emails.wait', { body: { query: '', timeout_ms: 1 } })).cursor;
    const address = {
      baseUrl,
      apiKey,
      smtp: info.smtp ?? { host: '127.0.0.1', port: 0 },
      webhookSecret: info.webhook_secret,
    };
    return new ConnectedServer({ address, connection, since: start, variables: { SVC_SINCE: start } });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function explainTarget(error: unknown): never {
  if (!(error instanceof NoControlError)) throw error;
  throw new Error(
    `SVC_BASE_URL names ${error.baseUrl}, which is not a local server with a control API. ` +
      'Unset SVC_BASE_URL, or pass fresh: true to start a server for the tests.',
    { cause: error },
  );
}

function settingsOf(options: ServerOptions): ServerSettings {
  const { domains, strict, plan, apiKey, webhookSecret, httpPort, smtpPort, deliveryDelay, retrySchedule } = options;
  return {
    ...(domains !== undefined && { domains }),
    ...(strict !== undefined && { strict }),
    ...(plan !== undefined && { plan }),
    ...(apiKey !== undefined && { apiKey }),
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...(httpPort !== undefined && { httpPort }),
    ...(smtpPort !== undefined && { smtpPort }),
    ...(deliveryDelay !== undefined && { deliveryDelayMs: millisecondsOf(deliveryDelay, 'deliveryDelay') }),
    ...(retrySchedule !== undefined && {
      retrySchedule: retrySchedule.map((delay) => millisecondsOf(delay, 'retrySchedule')),
    }),
  };
}
