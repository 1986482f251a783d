import type { Client } from '../../../client/client.js';
import { isLoopback } from '../../../contract/vocabulary/parsers/loopback.js';
import { webhookUrlProblem } from '../../../contract/vocabulary/parsers/webhook-url.js';
import { dataDirPath } from '../../data-dir/find.js';
import { UsageError } from '../../errors/exit-codes.js';
import type { TargetFlags } from '../../flags/target.js';
import {
  DEFAULT_HTTP_PORT,
  DEFAULT_SMTP_PORT,
  type LocalServer,
  PortInUseError,
  startLocalServer,
} from '../../server/local-server.js';
import { chooseTarget, openTarget, type TargetChoice } from '../../target/target.js';
import { LocalListenSource } from './local-source.js';
import type { ListenOptions } from './options.js';
import { RemoteListenSource } from './remote-source.js';
import type { ListenSource } from './source.js';

/** Where `webhooks listen` listens: a remote service, the running local server, or one of its own for as long as it runs. */

export interface ListenTarget {
  source: ListenSource;
  baseUrl: string;
  /** The server that this command runs itself. */
  own: LocalServer | undefined;
  /** What to tell the user of the data directory. */
  warnings: readonly string[];
}

/** @throws UsageError when the flags do not fit the server. */
export async function openListenTarget(
  flags: TargetFlags,
  options: ListenOptions,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<ListenTarget> {
  const choice = await chooseTarget(flags, env, cwd);
  if (choice.kind === 'remote') {
    // Not used, only named in a message: it may be one that is refused.
    const dataDir = dataDirPath(flags, env, cwd);
    return openRemote({ ...choice, dataDir }, options, async () => (await openTarget(flags, env, cwd)).client);
  }
  if (options.publicUrl !== undefined) {
    throw new UsageError(
      '--public-url cannot be used with the local server, which posts to --forward-to itself.',
      'Omit it, or select a remote service with --base-url or --profile.',
    );
  }
  checkForwardUrl(options.forwardTo);
  const { warnings = [] } = choice;
  if (choice.kind !== 'embedded') {
    // No retries of the client's: a server that went away is said at once, and the session tries again by itself.
    const once = { ...flags, retries: 0 };
    const connect = async () => (await openTarget(once, env, cwd, { running: true })).client;
    return {
      source: new LocalListenSource(connect, options, async () => {}),
      baseUrl: choice.baseUrl,
      own: undefined,
      warnings,
    };
  }
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
    warnings,
  };
}

async function openRemote(
  { baseUrl, why, dataDir }: Exclude<TargetChoice, { kind: 'embedded' }> & { dataDir: string },
  options: ListenOptions,
  connect: () => Promise<Client>,
): Promise<ListenTarget> {
  const { publicUrl } = options;
  if (publicUrl === undefined) throw publicUrlMissing(baseUrl, why, dataDir);
  return {
    source: new RemoteListenSource(await connect(), baseUrl, { ...options, publicUrl }),
    baseUrl,
    own: undefined,
    warnings: [],
  };
}

/** A server of this machine may be meant as the local one, which a base URL alone does not make it. */
function publicUrlMissing(baseUrl: string, why: string, dataDir: string): UsageError {
  if (isLoopback(new URL(baseUrl).hostname)) {
    return new UsageError(
      `${baseUrl} (${why}) is not the server of the data directory ${dataDir}, so it counts as a remote service, which requires --public-url.`,
      'Pass the server’s data directory with --data-dir, and omit the base URL.',
    );
  }
  return new UsageError(
    `${baseUrl} (${why}) is a remote service; it cannot post to this machine without --public-url.`,
    'Pass a public https URL that leads to this machine, such as a tunnel, and the local port it leads to: ' +
      '--public-url https://… --port 4444.',
  );
}

/** The local server posts where it would post for a webhook. */
function checkForwardUrl(url: string): void {
  const problem = webhookUrlProblem(url);
  if (problem !== undefined) throw new UsageError(`--forward-to ${problem}, not ${url}.`);
}

async function startOwnServer(dataDir: string): Promise<LocalServer> {
  const options = { host: '127.0.0.1', dataDir, inMemory: false, apiKey: undefined };
  return startLocalServer({ ...options, httpPort: DEFAULT_HTTP_PORT, smtpPort: DEFAULT_SMTP_PORT }).catch(
    (error: unknown) => {
      // Other commands find this server by its server.json, whatever its ports are.
      if (error instanceof PortInUseError) return startLocalServer({ ...options, httpPort: 0, smtpPort: 0 });
      throw error;
    },
  );
}
