import type { Client } from '../../../client/client.js';
import { isLoopback } from '../../../contract/vocabulary/domains.js';
import { DEFAULT_HTTP_PORT, DEFAULT_SMTP_PORT } from '../../../contract/vocabulary/routes.js';
import { webhookUrlProblem } from '../../../contract/vocabulary/webhooks/url.js';
import { nextCommand } from '../../command/next-command.js';
import { dataDirPath } from '../../data-dir/find.js';
import { CommandError, UsageError } from '../../errors/exit-codes.js';
import type { TargetFlags } from '../../flags/target.js';
import { PortInUseError } from '../../server/listen-errors.js';
import { type LocalServer, startLocalServer } from '../../server/local-server.js';
import { chooseTarget, openTarget, type TargetChoice } from '../../target/target.js';
import type { ListenOptions } from './options.js';
import { RemoteListenSource } from './remote-source.js';
import { listenForAttempts } from './session.js';
import type { ListenAttempt, ListenLine, ListenSource } from './source.js';

/**
 * Selects the server for `svc webhooks listen`: a remote service, the running local server, or a new local server for
 * the duration of the command.
 */

export interface ListenTarget {
  source: ListenSource;
  baseUrl: string;
  /** The server that this command has started. */
  own: LocalServer | undefined;
  /** Warnings about the data directory. */
  warnings: readonly string[];
}

/** Opens the target. @throws UsageError when the flags do not match the server. */
export async function openListenTarget(
  flags: TargetFlags,
  options: ListenOptions,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<ListenTarget> {
  const choice = await chooseTarget(flags, env, cwd);
  if (choice.kind === 'remote') {
    // Only for a message. The directory is not used, so it may be one that is refused.
    const dataDir = dataDirPath(flags, env, cwd);
    const source = async (publicUrl: string) => {
      const { client, baseUrl } = await openTarget(flags, env, cwd);
      const command = (line: string) => nextCommand(line, flags);
      return new RemoteListenSource(client, baseUrl, { ...options, publicUrl }, command);
    };
    return openRemote({ ...choice, dataDir }, options.publicUrl, source);
  }
  if (options.publicUrl !== undefined) {
    throw new UsageError(
      '--public-url cannot be used with the local server, which posts to --forward-to itself.',
      'Omit it, or select a remote service with --base-url or --profile.',
    );
  }
  const { warnings = [] } = choice;
  if (choice.kind !== 'embedded') {
    // Without retries by the client: a lost connection is reported at once, and the session reconnects.
    const once = { ...flags, retries: 0 };
    const connect = async () => (await openTarget(once, env, cwd, { running: true })).client;
    return {
      source: new LocalListenSource(connect, options, async () => {}),
      baseUrl: choice.baseUrl,
      own: undefined,
      warnings,
    };
  }
  if (choice.conflict) throw choice.conflict;
  checkForwardUrl(options.forwardTo);
  const own = await startOwnServer(choice.dataDir);
  const target = await openTarget(flags, env, cwd).catch(async (error: unknown) => {
    await own.close();
    throw error;
  });
  const finish = async () => {
    await target.finish();
    await own.close();
  };
  return {
    source: new LocalListenSource(async () => target.client, options, finish),
    baseUrl: target.baseUrl,
    own,
    // Events of a server on another data directory do not come here.
    warnings: choice.notice === undefined ? warnings : [...warnings, choice.notice],
  };
}

async function openRemote(
  { baseUrl, why, dataDir }: Exclude<TargetChoice, { kind: 'embedded' }> & { dataDir: string },
  publicUrl: string | undefined,
  source: (publicUrl: string) => Promise<ListenSource>,
): Promise<ListenTarget> {
  if (publicUrl === undefined) throw publicUrlMissing(baseUrl, why, dataDir);
  return { source: await source(publicUrl), baseUrl, own: undefined, warnings: [] };
}

/**
 * Returns the error for a missing --public-url. A base URL of this machine may be meant as the local server, but it
 * counts as remote.
 */
function publicUrlMissing(baseUrl: string, why: string, dataDir: string): UsageError {
  if (isLoopback(new URL(baseUrl).hostname)) {
    return new UsageError(
      `${baseUrl} (${why}) is not the server of the data directory ${dataDir}, so it counts as a remote service, which requires --public-url.`,
      'If it is a local server, pass its data directory with --data-dir instead. For another service, pass a public ' +
        'https URL that leads to this machine, and the local port it leads to: --public-url https://… --port 4444.',
    );
  }
  return new UsageError(
    `${baseUrl} (${why}) is a remote service; it cannot post to this machine without --public-url.`,
    'Pass a public https URL that leads to this machine, such as a tunnel, and the local port it leads to: ' +
      '--public-url https://… --port 4444.',
  );
}

/** Checks the URL as a local server does that allows no additional hosts. A running server checks it itself. */
function checkForwardUrl(url: string): void {
  const problem = webhookUrlProblem(url);
  if (problem !== undefined) throw new UsageError(`--forward-to ${problem}, not ${url}.`);
}

async function startOwnServer(dataDir: string): Promise<LocalServer> {
  const options = { host: '127.0.0.1', dataDir, inMemory: false, apiKey: undefined };
  return startLocalServer({ ...options, httpPort: DEFAULT_HTTP_PORT, smtpPort: DEFAULT_SMTP_PORT }).catch(
    (error: unknown) => {
      // Other commands find this server by its server.json, so it can use any port.
      if (error instanceof PortInUseError) return startLocalServer({ ...options, httpPort: 0, smtpPort: 0 });
      throw error;
    },
  );
}

/** Listens to a local server, which posts to the receiver itself and reports each attempt. */
class LocalListenSource implements ListenSource {
  constructor(
    /** Called for every connection, because a restarted server may have another address. */
    private readonly connect: () => Promise<Client>,
    private readonly options: ListenOptions,
    private readonly finish: () => Promise<void>,
  ) {}

  lines(signal: AbortSignal): AsyncIterable<ListenLine> {
    const { forwardTo, events, to, headers } = this.options;
    const header = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const query = { forward_to: forwardTo, events: events?.join(','), to, header };
    return listenForAttempts(this.connect, query, signal);
  }

  async replay({ delivery_id }: ListenAttempt): Promise<void> {
    if (delivery_id === null) throw new CommandError('This attempt has no delivery to replay.');
    const client = await this.connect();
    await client.control('deliveries.replay', { body: { delivery_id } });
  }

  close(): Promise<void> {
    return this.finish();
  }
}
