import { setMaxListeners } from 'node:events';
import { type AnswerReader, Client } from '../../client/client.js';
import { ApiFailure, type UnreachableError } from '../../client/failures.js';
import type { Exchange, RetryNotice } from '../../client/retry.js';
import { CommandEndedError, endAfter } from '../../client/time-limit.js';
import type { Fetch } from '../../client/wire-request.js';
import { DOUBTFUL, orUnconfirmed } from '../../client/writes.js';
import type { OperationName } from '../../contract/service/endpoints.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { OWN_USER_AGENT } from '../../contract/vocabulary/headers.js';
import { lazy } from '../../contract/vocabulary/lazy.js';
import { readWarnings } from '../../contract/vocabulary/warnings.js';
import { version } from '../../version.js';
import { type FoundDataDir, locateDataDir, takeDataDir, warningLine } from '../data-dir/find.js';
import { readRunningServer } from '../data-dir/server-file.js';
import { CommandError, STOP_SIGNALS, type StopSignal, UsageError } from '../errors/exit-codes.js';
import { startAdvice } from '../errors/fs-errors.js';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_SECONDS, type TargetFlags } from '../flags/target.js';
import { checkBaseUrl } from '../flags/values/urls.js';
import { systemNow } from '../output/local-time.js';
import { pause } from '../process/write-stdout.js';
import { type ApiKeyWithSource, checkKey, keyAdvice } from './api-key-source.js';
import { type Embedded, openEmbedded } from './embedded.js';
import { networkFetch } from './network-fetch.js';
import { currentProfile, findProfile, readProfiles } from './profiles.js';
import {
  adviceForServerAt,
  findRunningServer,
  notRunning,
  otherServerConflict,
  otherServerNotice,
} from './running-server.js';

/**
 * Decides which server a command uses. In order of precedence: the flag, the environment, the selected profile, and the
 * running server of the data directory. Without any of them, the command works in-process.
 */

/** The selected server, and why it was selected. */
export type TargetChoice = (
  | { kind: 'remote'; baseUrl: string; apiKey: string; why: string }
  /** `now` is the time of the server’s clock when it was found. */
  | { kind: 'local'; baseUrl: string; apiKey: string; why: string; now: string }
  | { kind: 'embedded'; dataDir: string; apiKey: string | undefined; why: string }
) & {
  /** The setting that contains the key; undefined for a local server's own key, which svc reads itself. */
  keySource?: string | undefined;
  /** Whether the local server was selected because no setting names a server. */
  isDefault?: true;
  /** Warnings about the data directory that the choice comes from. */
  warnings?: readonly string[];
  /** The nearest `.svc/`, if it was not used. */
  skipped?: string | undefined;
  /** Names a running server that the command does not use, because it is on another data directory. */
  notice?: string | undefined;
  /** Why no command may use the data directory: nothing names it, and a server is running on another one. */
  conflict?: UnreachableError | undefined;
};

export interface Target {
  client: Client;
  kind: TargetChoice['kind'];
  baseUrl: string;
  /** The nearest `.svc/`, if it was not used. */
  skipped?: string | undefined;
  /**
   * Returns the time of the service’s clock, in milliseconds since 1970. For a remote server, it is this machine’s
   * time.
   */
  now(): number;
  /** Closes the target. In-process, it first runs the jobs that are due. */
  finish(): Promise<void>;
}

export const userAgent = OWN_USER_AGENT + version;

export async function chooseTarget(flags: TargetFlags, env: NodeJS.ProcessEnv, cwd: string): Promise<TargetChoice> {
  const located = locateDataDir(flags, env, cwd);
  const named = namedServer(flags, env);
  // A remote server requires neither a usable data directory nor a local server that responds.
  if (named && named.baseUrl !== urlOfRunningServer(located))
    return remoteChoice(named, keyFor(flags, env, named), env);
  const { path: dataDir, skipped, trustedBy, isUnnamed, ...found } = takeDataDir(located, flags);
  const warnings = found.warnings.map(warningLine);
  const trust = trustedBy === undefined ? '' : `, trusted through ${trustedBy}`;
  const running = await findRunningServer(dataDir);
  const given = keyFor(flags, env, named);
  const keySource = given?.source;
  if (named) {
    const { baseUrl, why } = named;
    if (running?.base_url !== baseUrl) return remoteChoice(named, given, env);
    const apiKey = given?.value ?? running.api_key;
    return { kind: 'local', baseUrl, apiKey, keySource, why, warnings, now: running.now };
  }
  const isDefault = true;
  if (running) {
    const why = `the local server of ${dataDir} is running${trust}`;
    const { base_url: baseUrl, api_key, now } = running;
    const apiKey = given?.value ?? api_key;
    return { kind: 'local', baseUrl, apiKey, keySource, isDefault, why, warnings, skipped, now };
  }
  const why = `no local server is running${trust && ` on ${dataDir}${trust}`}`;
  // A directory on the command line was chosen on purpose.
  const notice = flags['data-dir'] === undefined ? await otherServerNotice(dataDir) : undefined;
  const conflict = isUnnamed ? await otherServerConflict(dataDir) : undefined;
  const embedded = { kind: 'embedded', dataDir, apiKey: given?.value, keySource, isDefault } as const;
  return { ...embedded, why, warnings, skipped, notice, conflict };
}

/**
 * Returns the target for a remote server. @throws UsageError without a key, because no data directory has one for it.
 */
async function remoteChoice(
  { baseUrl, why }: NamedServer,
  given: ApiKeyWithSource | undefined,
  env: NodeJS.ProcessEnv,
): Promise<TargetChoice> {
  if (given) return { kind: 'remote', baseUrl, apiKey: given.value, keySource: given.source, why };
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const advice = isLocal ? await adviceForServerAt(baseUrl) : undefined;
  if (advice !== undefined) throw new UsageError(`No API key for ${baseUrl}.`, advice);
  throw new UsageError(
    `No API key for ${baseUrl}.`,
    isLocal
      ? `The local server of this data directory is not running at that address. ${startAdvice(baseUrl, env)} For another server, set SVC_API_KEY.`
      : 'Set SVC_API_KEY, or create a profile with "svc profiles add".',
  );
}

/** Returns the address in a data directory's server.json; undefined if the directory is refused or the file cannot be used. */
function urlOfRunningServer({ path, refusal }: FoundDataDir): string | undefined {
  if (refusal) return undefined;
  try {
    return readRunningServer(path)?.server.base_url;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** Callbacks for messages during calls. */
export interface TargetListeners {
  onRetry?: (notice: RetryNotice) => void;
  onWarning?: ((text: string) => void) | undefined;
  onNotice?: ((text: string) => void) | undefined;
  onDeviation?: ((text: string) => void) | undefined;
  /** Called with each answer of the service as it was received; a refusal has no operation. */
  onAnswer?: ((answer: Exchange, operation?: OperationName) => void) | undefined;
}

/** What a command needs of its target. */
export interface Requirements {
  /** Needs a running server. */
  running?: boolean;
  /** Advice must work in another shell than that of this command. */
  anyShell?: boolean;
}

/** Opens the target. @throws UnreachableError when a running server is required and none runs. */
export async function openTarget(
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  cwd: string,
  wanted: TargetListeners & Requirements = {},
): Promise<Target> {
  const choice = await chooseTarget(flags, env, cwd);
  if (choice.kind === 'embedded' && wanted.running) {
    throw await notRunning(choice.dataDir, wanted);
  }
  if (choice.kind === 'embedded' && choice.conflict) throw choice.conflict;
  for (const warning of choice.warnings ?? []) wanted.onWarning?.(warning);
  if (choice.notice !== undefined) wanted.onNotice?.(choice.notice);
  return openChoice(choice, flags, env, wanted);
}

export async function openChoice(
  choice: TargetChoice,
  flags: TargetFlags = {},
  env: NodeJS.ProcessEnv = process.env,
  notices: TargetListeners = {},
): Promise<Target> {
  const { onRetry, onWarning } = notices;
  if (choice.kind === 'embedded') return inProcess(await openEmbedded(choice.dataDir), choice, onWarning);
  const { kind, baseUrl, apiKey, skipped } = choice;
  const seconds = flags['max-time'];
  const end = new AbortController();
  if (seconds !== undefined) endAfter(seconds, end);
  const endsAt = seconds === undefined ? undefined : systemNow() + seconds * 1_000;
  // Each call listens to it, and a command may make many.
  setMaxListeners(0, end.signal);
  const interrupts = endOnSignal(end);
  const client = new Client({
    baseUrl,
    apiKey,
    userAgent,
    onWarnings: warningsFor(onWarning),
    answers: kind === 'remote' || notices.onAnswer ? remoteAnswers(notices) : { lost: orUnconfirmed },
    keyAdvice: keyAdvice(choice),
    fetch: interrupts.from(
      networkFetch(baseUrl, {
        timeoutSeconds: flags.timeout ?? DEFAULT_TIMEOUT_SECONDS,
        env,
        ended: end.signal,
      }),
    ),
    retry: {
      retries: flags.retries ?? DEFAULT_RETRIES,
      repeatSends: flags.retry ?? false,
      localOutages: flags.retries !== undefined || flags.retry === true,
      pause: (milliseconds) => pause(milliseconds, end.signal),
      now: systemNow,
      ...(endsAt !== undefined && { timeLeft: () => endsAt - systemNow() }),
      ...(onRetry && { onRetry }),
    },
  });
  const now = choice.kind === 'local' ? () => Date.parse(choice.now) : systemNow;
  return { client, kind, baseUrl, skipped, now, finish: async () => interrupts.ignore() };
}

/**
 * Ends the command's calls with ^C and the other signals that stop a command, from its first write on: the user learns
 * that it may have been carried out. A second signal ends the process. Commands that handle one themselves are left alone.
 */
function endOnSignal(end: AbortController) {
  const interrupt = (signal: NodeJS.Signals) => end.abort(new CommandEndedError('interrupted', signal as StopSignal));
  return {
    from:
      (fetch: Fetch): Fetch =>
      (url, init) => {
        const isWatched = init.method === 'GET' || end.signal.aborted;
        for (const signal of isWatched ? [] : STOP_SIGNALS) {
          if (process.listenerCount(signal) === 0) process.once(signal, interrupt);
        }
        return fetch(url, init);
      },
    ignore() {
      for (const signal of STOP_SIGNALS) process.removeListener(signal, interrupt);
    },
  };
}

/** Reads the answers of a service that may differ from svc's. Loaded with the first, because zod takes time to load. */
export function remoteAnswers({ onDeviation, onAnswer }: TargetListeners): AnswerReader {
  const reader = lazy(() => import('../../client/tolerant-reader.js'));
  return {
    async read(name, call, exchange) {
      onAnswer?.(exchange, name);
      const answer = (await reader()).readAnswer(name, call, exchange.text);
      if (answer.deviation !== undefined) onDeviation?.(answer.deviation);
      return answer;
    },
    async failure(status, text, headers) {
      onAnswer?.({ status, text, headers });
      return (await reader()).readFailure(status, text, headers);
    },
    lost: (method, error, baseUrl) =>
      method !== 'GET' && error instanceof ApiFailure && isDoubtful(error)
        ? error.withHint(DOUBTFUL)
        : orUnconfirmed(method, error, baseUrl),
  };
}

const NOT_IMPLEMENTED = 501;

/** Returns whether a failure leaves open what the service did: something in front of it may have answered. */
function isDoubtful({ status, hint }: ApiFailure): boolean {
  return status >= 500 && status !== NOT_IMPLEMENTED && hint === undefined;
}

export interface NamedServer {
  baseUrl: string;
  key?: ApiKeyWithSource;
  why: string;
}

/**
 * Returns the key from the flag, the environment or the profile.
 * @throws UsageError when it is not a valid key.
 */
export function keyFor(
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  named: NamedServer | undefined,
): ApiKeyWithSource | undefined {
  const given = explicitKey(flags, env) ?? named?.key;
  if (given) checkKey(given.value, given.source);
  return given;
}

function explicitKey(flags: TargetFlags, env: NodeJS.ProcessEnv): ApiKeyWithSource | undefined {
  if (flags['api-key'] !== undefined) return { value: flags['api-key'], source: '--api-key' };
  // The key belongs to the server of SVC_BASE_URL.
  if (namesLocalServer(flags) && env.SVC_BASE_URL) return undefined;
  // An empty variable counts as unset: CI systems set one when its secret is missing.
  return flags.profile === undefined && env.SVC_API_KEY ? { value: env.SVC_API_KEY, source: 'SVC_API_KEY' } : undefined;
}

/** Returns whether `--data-dir` alone selects the server. It overrides variables and the current profile. */
function namesLocalServer(flags: TargetFlags): boolean {
  return flags['data-dir'] !== undefined && !flags['base-url'] && flags.profile === undefined;
}

/** Returns the server from the flag, the environment or the profile; undefined for the local one. */
export function namedServer(flags: TargetFlags, env: NodeJS.ProcessEnv): NamedServer | undefined {
  const flag = flags['base-url'];
  if (flag) return { baseUrl: checkBaseUrl(flag, '--base-url'), why: '--base-url' };
  if (namesLocalServer(flags)) return undefined;
  if (flags.profile === undefined && env.SVC_BASE_URL) {
    return { baseUrl: checkBaseUrl(env.SVC_BASE_URL, 'SVC_BASE_URL'), why: 'SVC_BASE_URL' };
  }
  const file = readProfiles(env);
  const asked = flags.profile ?? (env.SVC_PROFILE || undefined);
  const source = flags.profile !== undefined ? '--profile' : asked !== undefined ? 'SVC_PROFILE' : 'svc profiles use';
  const profile =
    asked === undefined
      ? currentProfile(file, env)
      : findProfile(file, asked, flags.profile === undefined ? source : undefined);
  if (!profile) return undefined;
  const name = `profile ${asked ?? file.current}`;
  return { baseUrl: profile.base_url, key: { value: profile.api_key, source: name }, why: `${name} (${source})` };
}

/** Returns a function that passes on the warnings of a response. Notes and infos are omitted. */
export function warningsFor(listener: TargetListeners['onWarning']): (header: string) => void {
  return (header) => {
    for (const { level, text } of readWarnings(header)) if (level === 'warning') listener?.(text);
  };
}

function inProcess(embedded: Embedded, choice: TargetChoice, onWarning: TargetListeners['onWarning']): Target {
  const { baseUrl, fetch, now, apiKey: ownKey } = embedded;
  const apiKey = choice.apiKey ?? ownKey;
  const client = new Client({
    baseUrl,
    apiKey,
    userAgent,
    fetch,
    onWarnings: warningsFor(onWarning),
    keyAdvice: keyAdvice(choice),
  });
  return { client, kind: 'embedded', baseUrl, skipped: choice.skipped, now, finish: () => embedded.finish() };
}
