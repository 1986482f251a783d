import { Client } from '../client/client.js';
import { NoControlError } from '../client/failures.js';
import { CALL_MS } from '../client/time-limit.js';
import { userAgent } from '../client/typed-calls.js';
import { waitForEmails } from '../client/wait-for-emails.js';
import { PORT_MAX, planNames } from '../contract/vocabulary/limits.js';
import type { ServerOptions, TestServer } from './api/server.js';
import { runInProcess } from './connection/in-process.js';
import type { ServerSettings } from './connection/messages.js';
import { connectByThread } from './connection/thread-connection.js';
import { millisecondsOf, uniqueName } from './mail/criteria.js';
import { unknownName } from './mail/links.js';
import type { WaitListener } from './mail/wait.js';
import { ConnectedServer } from './test-server.js';

/** Domain of the addresses of inboxes. */
const DOMAIN = 'example.test';

/**
 * Starts a server in memory, on free ports. If `SVC_BASE_URL` is set, as in `svc dev exec`, connects to that server
 * instead.
 * @throws TypeError when an option is invalid, Error when the server cannot be started or reached.
 */
export function startServer(options: ServerOptions = {}): Promise<TestServer> {
  return startWatched(options);
}

/** Starts a server as `startServer` does. `onWait` is called with each email that a wait has returned. */
export async function startWatched(options: ServerOptions, onWait?: WaitListener): Promise<TestServer> {
  checkOptions(options);
  const { SVC_BASE_URL: baseUrl } = process.env;
  if (baseUrl && !options.fresh) return connect(baseUrl, options, onWait);
  const settings = settingsOf(options);
  const parts = { since: 'start', lastEvent: 0, domain: DOMAIN, variables: {}, onWait };
  if (options.inProcess) {
    const server = await runInProcess(settings);
    return new ConnectedServer({ ...parts, address: server.address, connection: server });
  }
  const connection = await connectByThread({ kind: 'server', settings });
  if (!connection.address) throw new Error('The server of the test kit has no address.');
  return new ConnectedServer({ ...parts, address: connection.address, connection });
}

/** Connects to a server that is running. */
async function connect(baseUrl: string, options: ServerOptions, onWait: WaitListener | undefined): Promise<TestServer> {
  const option = serverOptions.find((name) => options[name] !== undefined && options[name] !== false);
  if (option !== undefined) {
    throw new TypeError(
      `The option "${option}" has no effect on the server that SVC_BASE_URL names, ${baseUrl}. ` +
        'Start that server with the option, or pass fresh: true to start another one.',
    );
  }
  const { SVC_API_KEY: apiKey, SVC_SINCE: since } = process.env;
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(
      `SVC_BASE_URL must be a URL such as "http://127.0.0.1:8025/v1", not ${JSON.stringify(baseUrl)}.`,
    );
  }
  if (!apiKey) {
    throw new TypeError(
      'SVC_BASE_URL is set and SVC_API_KEY is not. Set both, or pass fresh: true to start a separate server.',
    );
  }
  const connection = await connectByThread({ kind: 'network' });
  try {
    const client = new Client({ baseUrl, apiKey, userAgent, fetch: connection.fetch });
    const info = await client.control('info', {}, { timeoutMs: CALL_MS }).catch(explainTarget);
    const { smtp, webhook_secret: webhookSecret, last_event: lastEvent } = info;
    const address = { baseUrl, apiKey, smtp, webhookSecret };
    if (options.workspace !== undefined) {
      const { workspace, domain } = await createWorkspace(client, options.workspace);
      const { name, api_key } = workspace;
      const variables = { SVC_SINCE: 'start', SVC_SMTP_USER: name, SVC_SMTP_PASSWORD: api_key };
      const own = { ...address, apiKey: api_key };
      return new ConnectedServer({ address: own, connection, since: 'start', lastEvent, domain, variables, onWait });
    }
    // Earlier emails do not count, unless the environment names an earlier start.
    const start = since ?? (await waitForEmails(client, { query: '', timeout_ms: 1 })).cursor;
    const variables = { SVC_SINCE: start };
    return new ConnectedServer({ address, connection, since: start, lastEvent, domain: DOMAIN, variables, onWait });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Creates a workspace that owns the addresses of a domain, so that it also gets what the application sends to them. */
async function createWorkspace(client: Client, prefix: string) {
  const suffix = uniqueName();
  const domain = `w-${suffix}.${DOMAIN}`;
  const body = { name: `${prefix}-${suffix}`, addresses: [`*@${domain}`] };
  return { workspace: await client.control('workspaces.create', { body }, { timeoutMs: CALL_MS }), domain };
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

/** Checks the options of startServer(). Programs in JavaScript have no types that would. */

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

const known = new Set<string>([...serverOptions, 'fresh', 'workspace']);

/** A shorter form of the names that the server allows. */
const WORKSPACE = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** @throws TypeError that names the option, and the values that it can have. */
function checkOptions(options: ServerOptions): void {
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw unknownName(name, 'an option of startServer()', [...known]);
  }
  const { workspace, plan, domains, retrySchedule } = options;
  check(
    'workspace',
    workspace,
    '1 to 40 lower-case letters, digits, dots, hyphens or underscores',
    (name) => typeof name === 'string' && WORKSPACE.test(name),
  );
  check('plan', plan, `one of ${planNames.join(', ')}`, (name) => planNames.includes(name));
  check('domains', domains, 'an array of domain names', (names) => Array.isArray(names));
  check('retrySchedule', retrySchedule, "an array of delays such as ['200ms', '1s']", (delays) =>
    Array.isArray(delays),
  );
  for (const name of ['strict', 'inProcess', 'fresh'] as const) {
    check(name, options[name], 'true or false', (value) => typeof value === 'boolean');
  }
  for (const name of ['httpPort', 'smtpPort'] as const) check(name, options[name], 'a port from 0 to 65535', isPort);
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) >= 0 && Number(port) <= PORT_MAX;
}

function check<Value>(name: string, value: Value | undefined, form: string, isValid: (value: Value) => boolean): void {
  if (value === undefined || isValid(value)) return;
  throw new TypeError(`${name} must be ${form}, not ${JSON.stringify(value)}.`);
}
