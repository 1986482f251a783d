import { Client } from '../client/client.js';
import { UnreachableError } from '../client/failures.js';
import type { RetryNotice } from '../client/retry.js';
import { SERVICE_PREFIX } from '../contract/routes.js';
import { version } from '../version.js';
import { findDataDir } from './data-dir.js';
import { type Embedded, openEmbedded } from './embedded.js';
import { UsageError } from './exit-codes.js';
import { DEFAULT_TIMEOUT_SECONDS, networkFetch } from './network.js';
import { pause } from './pause.js';
import { findProfile, readProfiles } from './profiles.js';
import { findRunningServer } from './running-server.js';

/**
 * Which server a command talks to: flag, then environment, then the chosen profile, then the data directory's running
 * server, then none: the work is done in-process.
 */

export interface TargetFlags {
  'base-url'?: string | undefined;
  'api-key'?: string | undefined;
  'data-dir'?: string | undefined;
  profile?: string | undefined;
  timeout?: number | undefined;
  retries?: number | undefined;
  /** Whether a send may be tried again. */
  retry?: boolean | undefined;
}

/** How often a call that may be repeated is tried again, unless told otherwise. */
export const DEFAULT_RETRIES = 3;

/** A server that was chosen, and why. */
export type Choice =
  | { kind: 'remote' | 'local'; baseUrl: string; apiKey: string; why: string }
  | { kind: 'embedded'; dataDir: string; apiKey: string | undefined; why: string };

export interface Target {
  client: Client;
  kind: Choice['kind'];
  baseUrl: string;
  /** Ends the use of the target; in-process, runs what is due first. */
  finish(): Promise<void>;
}

export const userAgent = `svc-cli/${version}`;

export async function chooseTarget(flags: TargetFlags, env: NodeJS.ProcessEnv, cwd: string): Promise<Choice> {
  const dataDir = findDataDir(flags['data-dir'], env, cwd);
  const running = await findRunningServer(dataDir);
  const named = namedServer(flags, env);
  const apiKey = keyFor(flags, env, named);
  if (named) {
    const { baseUrl, why } = named;
    const local = running?.base_url === baseUrl ? running : undefined;
    const key = apiKey ?? local?.api_key;
    if (!key)
      throw new UsageError(`No API key for ${baseUrl}.`, 'Set SVC_API_KEY, or make a profile with "svc profiles add".');
    return { kind: local ? 'local' : 'remote', baseUrl, apiKey: key, why };
  }
  if (running) {
    const why = `the local server of ${dataDir} is running`;
    return { kind: 'local', baseUrl: running.base_url, apiKey: apiKey ?? running.api_key, why };
  }
  return { kind: 'embedded', dataDir, apiKey, why: 'no local server is running' };
}

/** What is to be told while calls are under way. */
export interface Notices {
  onRetry?: (notice: RetryNotice) => void;
  onWarning?: ((text: string) => void) | undefined;
}

/** @throws UnreachableError when a running server is wanted and there is none. */
export async function openTarget(
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  cwd: string,
  wanted: Notices & { running?: boolean } = {},
): Promise<Target> {
  const choice = await chooseTarget(flags, env, cwd);
  if (choice.kind === 'embedded' && wanted.running) {
    throw new UnreachableError(`the local server of ${choice.dataDir}`, new Error('it is not running'));
  }
  return openChoice(choice, flags, env, wanted);
}

export async function openChoice(
  choice: Choice,
  flags: TargetFlags = {},
  env: NodeJS.ProcessEnv = process.env,
  { onRetry, onWarning }: Notices = {},
): Promise<Target> {
  if (choice.kind === 'embedded') return inProcess(await openEmbedded(choice.dataDir), choice.apiKey, onWarning);
  const { kind, baseUrl, apiKey } = choice;
  const client = new Client({
    baseUrl,
    apiKey,
    userAgent,
    onWarning,
    fetch: networkFetch(baseUrl, { timeoutSeconds: flags.timeout ?? DEFAULT_TIMEOUT_SECONDS, env }),
    retry: {
      retries: flags.retries ?? DEFAULT_RETRIES,
      repeatSends: flags.retry ?? false,
      pause: (milliseconds) => pause(milliseconds),
      ...(onRetry && { onRetry }),
    },
  });
  return { client, kind, baseUrl, finish: async () => {} };
}

export interface NamedServer {
  baseUrl: string;
  apiKey?: string;
  why: string;
}

/** The key that flag, environment or profile gives. */
export function keyFor(flags: TargetFlags, env: NodeJS.ProcessEnv, named: NamedServer | undefined): string | undefined {
  // A variable that is set to nothing is none, as CI systems leave one whose secret is missing.
  return flags['api-key'] ?? ((flags.profile === undefined && env.SVC_API_KEY) || named?.apiKey);
}

/** The server that flag, environment or profile names; undefined for the local one. */
export function namedServer(flags: TargetFlags, env: NodeJS.ProcessEnv): NamedServer | undefined {
  const flag = flags['base-url'];
  if (flag) return { baseUrl: checkBaseUrl(flag, '--base-url'), why: '--base-url' };
  if (flags.profile === undefined && env.SVC_BASE_URL) {
    return { baseUrl: checkBaseUrl(env.SVC_BASE_URL, 'SVC_BASE_URL'), why: 'SVC_BASE_URL' };
  }
  const asked = flags.profile ?? env.SVC_PROFILE;
  const file = readProfiles(env);
  const name = asked ?? file.current;
  const profile = findProfile(file, name);
  if (!profile) return undefined;
  const source = flags.profile ? '--profile' : env.SVC_PROFILE ? 'SVC_PROFILE' : 'svc profiles use';
  return { baseUrl: profile.base_url, apiKey: profile.api_key, why: `profile ${name} (${source})` };
}

function inProcess(embedded: Embedded, apiKey = embedded.apiKey, onWarning?: Notices['onWarning']): Target {
  const { baseUrl, fetch } = embedded;
  const client = new Client({ baseUrl, apiKey, userAgent, fetch, onWarning });
  return { client, kind: 'embedded', baseUrl, finish: () => embedded.finish() };
}

/** @throws UsageError that does not repeat a password. */
export function checkBaseUrl(value: string, source: string): string {
  if (URL.canParse(value) && (new URL(value).username || new URL(value).password)) {
    throw new UsageError(`${source} must not hold a user name or a password.`, 'The key goes into SVC_API_KEY.');
  }
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new UsageError(
      `${source} must be an http or https URL that ends with ${SERVICE_PREFIX}, not ${JSON.stringify(value)}.`,
    );
  }
  return value.replace(/\/$/, '');
}
