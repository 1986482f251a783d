import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { App, AppOptions, CloseGrace, ListenAddress, Listening } from '../../app/app.js';
import { isUnspecified } from '../../contract/vocabulary/domains.js';
import type { Retention } from '../../contract/vocabulary/retention.js';
import { relayName } from '../../contract/vocabulary/smtp.js';
import { type Claim, claimDataDir, claimIfFree } from '../data-dir/claim.js';
import { databaseFile, newCredentials, readOrCreateCredentials } from '../data-dir/data-dir.js';
import { registerServer, unregisterServer } from '../data-dir/registry.js';
import { type Credentials, isOwnAddress, type RunningServer } from '../data-dir/server-file.js';
import { dataDirArgument, OTHER_TERMINAL } from '../data-dir/svc-command.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { openFileLimit } from '../process/child-process.js';
import { identityOf } from '../process/process-identity.js';
import { checkResponses, reportMigration, unusableStore } from '../target/embedded.js';
import { connectionLimits } from './connection-limits.js';
import { explainListenError } from './listen-errors.js';
import { type SmtpSettings, smtpFacts, smtpListeners, smtpOptions, tlsFor } from './tls/smtp-settings.js';
import type { ServerTls } from './tls/tls-files.js';

/** The path where other commands find the server, and where it stores email. */
export type ServerPlace =
  | { inMemory: false; dataDir: string }
  /**
   * Stores nothing on disk. Without a data directory, or when another server uses it, commands cannot find this server.
   */
  | { inMemory: true; dataDir: string | null }
  /** Stores email in PostgreSQL. Commands find this server by its address only. */
  | { inMemory: false; dataDir: null; database: string };

export type LocalServerOptions = ServerPlace & ServerOptions;

interface ServerOptions
  extends Pick<
    AppOptions,
    | 'plan'
    | 'strict'
    | 'domains'
    | 'control'
    | 'dns'
    | 'retrySchedule'
    | 'receiverStatuses'
    | 'sendingLimits'
    | 'deliveryDelayMs'
    | 'retention'
    | 'onInternalError'
    | 'onNotice'
    | 'onMigration'
    | 'allowedWebhookHosts'
    | 'externalUrl'
    | 'basePath'
    | 'inboxPassword'
    | 'relay'
    | 'mailpit'
    | 'access'
    | 'httpTls'
    | 'trustedProxies'
    | 'signIn'
    | 'onRequest'
    | 'onAttempt'
    | 'onSmtpSession'
  > {
  host: string;
  httpPort: number;
  smtpPort: number;
  /** TLS, logins and LMTP (default: none of them, and any login). */
  smtp?: SmtpSettings;
  /** Host names to accept in addition to the machine's own, as in URLs. */
  allowedHosts?: readonly string[];
  /** The API key to use instead of a generated one. */
  apiKey: string | undefined;
  /** The secret that signs requests of temporary webhooks, to use instead of that of the data directory. */
  webhookSecret?: string | undefined;
  /** Whether commands on other data directories may name this server. */
  registered?: boolean;
  /** Whether the user gets the link of the inbox. To create it, the server looks up whether it needs a code. */
  showsInbox?: boolean;
}

export interface LocalServer {
  app: App;
  address: RunningServer;
  /** The data directory that other commands find this server by; null when they cannot find it. */
  foundIn: string | null;
  /** The address that it listens on. */
  host: string;
  /** The URL at which browsers reach it; undefined for its own address. */
  externalUrl: string | undefined;
  /** The address that opens the web inbox in a browser on this machine; null if it is not shown. */
  inbox: string | null;
  /** Whether it serves the control API. */
  control: boolean;
  /** The emails that it deletes by itself. */
  retention: Retention;
  close(grace?: CloseGrace): Promise<void>;
}

/**
 * Starts the local server in this process and writes `server.json`.
 * @throws PortInUseError, or another CommandError when the data directory cannot be used or already has a running
 * server.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const claim = await claimFor(options);
  try {
    return await startClaimed(options, claim);
  } catch (error) {
    claim?.release();
    throw error;
  }
}

/** Claims the data directory. A server in memory runs without a claim when another server has it. */
async function claimFor({ dataDir, inMemory }: ServerPlace): Promise<Claim | undefined> {
  if (dataDir === null) return undefined;
  return inMemory ? claimIfFree(dataDir).catch(() => undefined) : claimDataDir(dataDir);
}

async function startClaimed(options: LocalServerOptions, claim: Claim | undefined): Promise<LocalServer> {
  const storedIn = options.inMemory ? null : options.dataDir;
  const stored = storedIn === null ? newCredentials() : readOrCreateCredentials(storedIn);
  const credentials = {
    api_key: options.apiKey ?? stored.api_key,
    webhook_secret: options.webhookSecret ?? stored.webhook_secret,
  };
  const tls = await tlsFor(options.smtp, storedIn, [options.host, ...allowedHosts(options)]);
  const app = await createAppFor(options, storedIn, { credentials, tls });
  try {
    const address = await listen(app, options, storedIn, { credentials, tls });
    const foundIn = announce(claim, address, options.inMemory) ? options.dataDir : null;
    const registeredIn = options.registered ? foundIn : null;
    if (registeredIn !== null) registerServer(registeredIn);
    return {
      app,
      address,
      foundIn,
      host: options.host,
      externalUrl: options.externalUrl,
      inbox: options.showsInbox ? await app.inboxLink() : null,
      control: options.control ?? true,
      retention: options.retention ?? { keep: null, maxAgeMs: null, keepIf: null },
      async close(grace) {
        // From now on, commands must not find this server, or start another one while this one has the database open.
        claim?.withdraw();
        if (registeredIn !== null) unregisterServer(registeredIn);
        await app.close(grace);
        claim?.release();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function createAppFor(
  options: LocalServerOptions,
  storedIn: string | null,
  { credentials: { api_key, webhook_secret }, tls }: Own,
): Promise<App> {
  const { createApp } = await import('../../app/create-app.js');
  const { inMemory, dataDir, host, httpPort, smtpPort, registered, showsInbox, smtp, ...appOptions } = options;
  const database = 'database' in options ? options.database : undefined;
  return createApp({
    onMigration: (step) => reportMigration(step),
    ...appOptions,
    ...smtpOptions(smtp, tls),
    storage: storageOf(database, storedIn),
    dataDir: storedIn,
    commandFlags: storedIn === null || options.access === 'team' ? '' : dataDirArgument(storedIn, OTHER_TERMINAL),
    apiKey: api_key,
    webhookSecret: webhook_secret,
    allowedHosts: allowedHosts(options),
    checkResponses: checkResponses(process.env),
    connections: connectionLimits(openFileLimit()),
  }).catch((error: Error) => {
    if (database !== undefined) throw new CommandError(error.message, (error as { advice?: string }).advice);
    throw unusableStore(error, options.access === 'team' ? '' : ', or run "svc dev --in-memory"');
  });
}

function storageOf(database: string | undefined, storedIn: string | null): AppOptions['storage'] {
  if (database !== undefined) return { postgres: database };
  return storedIn === null ? 'memory' : { file: databaseFile(storedIn) };
}

/** What a server has of its own: its secrets and its certificate. */
interface Own {
  credentials: Credentials;
  tls: ServerTls | undefined;
}

/** Listens on all ports. Returns the server's address. */
async function listen(
  app: App,
  options: LocalServerOptions,
  storedIn: string | null,
  { credentials: { api_key, webhook_secret }, tls }: Own,
): Promise<RunningServer> {
  const { host, httpPort, smtpPort } = options;
  const ports = {
    http: { host, port: httpPort },
    smtp: { host, port: smtpPort },
    ...smtpListeners(options.smtp, host),
  };
  const listening = await app.listen(ports).catch((error: NodeJS.ErrnoException) => {
    throw explainListenError(error, options);
  });
  refuseOwnRelay(options.relay, listening);
  return {
    pid: process.pid,
    process: identityOf(process.pid) ?? null,
    instance: app.instance,
    started_at: new Date(app.clock.systemNow()).toISOString(),
    base_url: listening.baseUrl,
    smtp: listening.smtp,
    ...smtpFacts(options.smtp, tls, listening),
    data_dir: storedIn,
    api_key,
    webhook_secret,
  };
}

/** Returns the host names that the server accepts besides those of loopback. */
function allowedHosts({ host, allowedHosts = [], externalUrl }: LocalServerOptions): string[] {
  const own = isIP(host) ? [host, `[${host}]`] : [host];
  const external = externalUrl === undefined ? [] : [new URL(externalUrl).hostname];
  return [...own, hostname(), ...external, ...allowedHosts];
}

/**
 * Writes the server's address, and returns whether other commands can find it. A server in memory does not require this
 * to succeed.
 */
function announce(claim: Claim | undefined, address: RunningServer, inMemory: boolean): boolean {
  try {
    claim?.announce(address);
    return claim !== undefined;
  } catch (error) {
    if (inMemory) return false;
    throw error;
  }
}

/**
 * Checks that the relay is another server.
 * @throws UsageError for the server's own SMTP port: it would receive each message that it releases.
 */
export function refuseOwnRelay(relay: AppOptions['relay'], { smtp, smtps }: Pick<Listening, 'smtp' | 'smtps'>): void {
  if (!relay || ![smtp, smtps].some((each) => each && leadsTo(relay, each))) return;
  throw new UsageError(
    `The relay ${relayName(relay)} is the SMTP port of this server.`,
    'Name another SMTP server with --relay.',
  );
}

function leadsTo(relay: ListenAddress, listening: ListenAddress): boolean {
  if (relay.port !== listening.port) return false;
  const host = canonical(relay.host.toLowerCase());
  // A name may have several addresses, and a server on an unspecified address has all of this machine.
  const isExact = isIP(host) !== 0 && !isUnspecified(host) && !isUnspecified(listening.host);
  return isExact ? host === listening.host : isOwnAddress(host) || host === hostname().toLowerCase();
}

/** Returns the usual form of an address that has several, such as 127.1 and ::ffff:127.0.0.1; a name unchanged. */
function canonical(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  const found = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : host;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(found);
  if (!mapped) return found;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
