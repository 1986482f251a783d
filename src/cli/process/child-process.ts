import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import spawn from 'cross-spawn';
import { CommandError, STOP_SIGNALS, signalExitCode } from '../errors/exit-codes.js';

/**
 * Runs a command in the foreground with these variables added to the environment, forwards signals to it, and returns
 * its exit code. When a signal ended the command, that is 128 plus the signal's number, as in a shell.
 * On Windows, a command can be a script such as npm, which Node itself does not start.
 * @throws CannotRunError when the command does not exist or is not executable.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  variables: Record<string, string>,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  const passOn = (signal: NodeJS.Signals) => {
    // A terminal sends ^C to the child as well, so forwarding it would send it twice.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, passOn);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? (signal === null ? 128 : signalExitCode(signal));
  } catch (error) {
    throw new CannotRunError(command, error as NodeJS.ErrnoException);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, passOn);
  }
}

/** The exit codes of a shell for a command that does not exist, or cannot be executed. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

class CannotRunError extends CommandError {
  readonly oclif: { exit: number };

  constructor(command: string, error: NodeJS.ErrnoException) {
    super(`Cannot run ${JSON.stringify(command)}: ${reasonOf(error)}.`);
    this.oclif = { exit: error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE };
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'command not found';
  if (code === 'EACCES') return 'permission denied';
  return message;
}

/**
 * Returns the number of files and connections that this process may have open at once; undefined where the system does
 * not show it. Node.js raises the limit of a shell to the highest that the user may set.
 */
export function openFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
