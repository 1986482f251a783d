import { execFileSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';

/** Finds out what the terminal can be used for. */

interface TerminalStream {
  isTTY?: boolean;
}

/**
 * Returns whether a live view can use the screen: stdin and stdout are terminals that can redraw, and the process is
 * not a background job.
 */
export function canShowView(
  env: NodeJS.ProcessEnv,
  { stdin, stdout }: { stdin: TerminalStream; stdout: TerminalStream } = process,
): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && canRedraw(env) && isInForeground();
}

/**
 * Returns whether a line of stderr can be redrawn. stderr must be a terminal that no other program writes to, as one at
 * the other end of a pipe may. Scripts that read JSON get no such line.
 */
export function canShowProgress(env: NodeJS.ProcessEnv, json: boolean): boolean {
  if (process.stderr.isTTY !== true || !canRedraw(env)) return false;
  return process.stdout.isTTY === true || (!json && fstatSync(process.stdout.fd).isFile());
}

/** Returns whether a person uses the terminal, and it can redraw lines. */
function canRedraw(env: NodeJS.ProcessEnv): boolean {
  // ink does not redraw either when these are set.
  const inCi = Object.keys(env).some((name) => /^(CI|CI_.*|CONTINUOUS_INTEGRATION)$/.test(name));
  return env.TERM !== 'dumb' && !inCi;
}

/**
 * Returns whether this process may use its terminal; true where the system does not report it. The system stops a
 * background job (`svc dev &`) as soon as it reads a key or changes a terminal setting.
 */
export function isInForeground(): boolean {
  try {
    // proc(5): after the name in parentheses, the process group is the third field, and the foreground group of the
    // terminal the sixth.
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return group === foreground;
  } catch {
    return askPs();
  }
}

function askPs(): boolean {
  try {
    const [group, foreground] = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return group === foreground;
  } catch {
    return true;
  }
}

/**
 * Returns whether the user can answer a prompt: stdin and stderr are terminals, outside of CI, and --no-input was not
 * given.
 */
export function canPrompt(env: NodeJS.ProcessEnv, input: boolean): boolean {
  return input && process.stdin.isTTY === true && process.stderr.isTTY === true && canRedraw(env);
}
