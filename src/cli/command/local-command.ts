import { svcCommand } from '../data-dir/svc-command.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { LOCAL_PROFILE, readProfiles } from '../target/profiles.js';
import { type NamedServer, namedServer } from '../target/target.js';

/** Returns the server that the environment or the current profile selects instead of this one. */
export function otherServer(baseUrl: string | undefined): NamedServer | undefined {
  try {
    const named = namedServer({}, process.env);
    return named?.baseUrl === baseUrl ? undefined : named;
  } catch (error) {
    // The commands report invalid settings themselves.
    if (error instanceof CommandError || error instanceof UsageError) return undefined;
    throw error;
  }
}

/** Returns the name of the profile that commands use: undefined with SVC_BASE_URL, "?" if profiles cannot be read. */
export function profileInUse(env: NodeJS.ProcessEnv): string | undefined {
  if (env.SVC_BASE_URL) return undefined;
  try {
    return env.SVC_PROFILE || readProfiles(env).current;
  } catch (error) {
    if (error instanceof CommandError) return '?';
    throw error;
  }
}

/**
 * Returns a command line to copy that uses the local server of a data directory, whatever profile is in use. `baseUrl`
 * is its address while it runs, `env` the environment of the shell that the command is for.
 */
export function localCommand(
  command: string,
  dataDir: string,
  { baseUrl, env }: { baseUrl?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  return `${svcCommand(command, dataDir, env)}${otherServer(baseUrl) ? ` --profile ${LOCAL_PROFILE}` : ''}`;
}
