import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { OWNER_ONLY, PRIVATE } from '../../file-modes.js';
import { dataDirPath } from '../data-dir/find.js';
import { isOwnAddress, readRunningServer } from '../data-dir/server-file.js';
import { CommandError, NotFoundError, UsageError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { makeDirectory, writeFileAtomically } from '../process/files.js';

/**
 * Manages profiles, which are named servers with their keys. They are stored in the user's configuration directory,
 * readable by the owner only.
 */

export const LOCAL_PROFILE = 'local';

export interface Profile {
  base_url: string;
  api_key: string;
}

export interface ProfileFile {
  /** The profile that commands use by default; `local` is the local server. */
  current: string;
  profiles: Record<string, Profile>;
}

/** Returns the user's configuration directory. */
export function configDirectory(env: NodeJS.ProcessEnv): string {
  return env.SVC_CONFIG_DIR || envPaths('svc', { suffix: '' }).config;
}

function profileFile(env: NodeJS.ProcessEnv): string {
  return join(configDirectory(env), 'profiles.json');
}

/**
 * Returns the profiles. @throws CommandError when the file exists but cannot be read, because ignoring it would select
 * another server.
 */
export function readProfiles(env: NodeJS.ProcessEnv): ProfileFile {
  const file = profileFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: LOCAL_PROFILE, profiles: {} };
    throw new CommandError(
      `${file} cannot be read: ${describeFileError(error)}`,
      'Make it readable for this user, or name another directory with SVC_CONFIG_DIR.',
    );
  }
  try {
    const { current, profiles } = JSON.parse(text) as ProfileFile;
    if (typeof current === 'string' && typeof profiles === 'object' && profiles !== null) return { current, profiles };
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read: ${(error as Error).message}`,
      'Fix the file, or remove it to start without profiles.',
    );
  }
  throw new CommandError(
    `${file} does not contain valid profiles.`,
    'Fix the file, or remove it to start without profiles.',
  );
}

/** Writes the profiles. @throws CommandError when the file cannot be written; it is then unchanged. */
export function writeProfiles(env: NodeJS.ProcessEnv, value: ProfileFile): void {
  const file = profileFile(env);
  try {
    makeDirectory(dirname(file), PRIVATE);
    writeFileAtomically(file, `${JSON.stringify(value, null, 2)}\n`, { mode: OWNER_ONLY });
  } catch (error) {
    throw new CommandError(
      `${file} cannot be written: ${describeFileError(error)}`,
      'Set SVC_CONFIG_DIR to use another directory.',
    );
  }
}

/** Returns the profile of that name; undefined for `local`. `source` is the variable or file that the name is from. */
export function findProfile({ profiles }: ProfileFile, name: string, source?: string): Profile | undefined {
  if (name === LOCAL_PROFILE) return undefined;
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found) return found;
  const nearest = nearestName(name, [LOCAL_PROFILE, ...Object.keys(profiles)]);
  throw new NotFoundError(
    `Profile ${JSON.stringify(name)}${source === undefined ? '' : ` (from ${source})`} not found.`,
    nearest
      ? `Did you mean ${nearest}?`
      : 'List profiles with "svc profiles list", or create one with "svc profiles add".',
  );
}

/** Returns the profile that is used by default. */
export function currentProfile(file: ProfileFile, env: NodeJS.ProcessEnv): Profile | undefined {
  return findProfile(file, file.current, `"current" in ${profileFile(env)}`);
}

/** Masks a key, so that people recognize it but cannot use it. */
export function maskKey(key: string): string {
  return `${key.slice(0, 'svc_live_'.length)}…${key.slice(-4)}`;
}

/**
 * Refuses the local server's key for another server. `svc dev env` sets it in the shell, where it would be used by
 * mistake.
 * @throws UsageError for such a key.
 */
export function refuseLocalKey(key: string, baseUrl: string, env: NodeJS.ProcessEnv): void {
  if (!key.startsWith('svc_test_') || isOwnAddress(new URL(baseUrl).hostname)) return;
  if (key !== runningServerKey(env) && !(key === env.SVC_API_KEY && isLoopbackUrl(env.SVC_BASE_URL))) return;
  throw new UsageError(
    `This is the API key of the local server, and ${baseUrl} is another server.`,
    'Pass that server’s key on stdin with --api-key-stdin, or unset SVC_API_KEY and SVC_BASE_URL first.',
  );
}

function runningServerKey(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return readRunningServer(dataDirPath({}, env, process.cwd()))?.server.api_key;
  } catch (error) {
    // An unusable server.json is a problem of other commands.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function isLoopbackUrl(url = ''): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
