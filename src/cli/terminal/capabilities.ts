import { fstatSync } from 'node:fs';
import { isInForeground } from './foreground.js';

/** What the terminal, if there is one, may be used for. */

interface TerminalStream {
  isTTY?: boolean;
}

/**
 * Whether a live view may take the screen: a terminal on both ends, neither a CI nor a terminal that cannot, and no job in the
 * background.
 */
export function canShowView(
  env: NodeJS.ProcessEnv,
  { stdin, stdout }: { stdin: TerminalStream; stdout: TerminalStream } = process,
): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && canRedraw(env) && isInForeground();
}

/**
 * Whether a line of stderr may be drawn again and again: on a terminal that no other program writes to, as one at the other
 * end of a pipe may; and not for a script that reads JSON.
 */
export function canShowProgress(env: NodeJS.ProcessEnv, json: boolean): boolean {
  if (process.stderr.isTTY !== true || !canRedraw(env)) return false;
  return process.stdout.isTTY === true || (!json && fstatSync(process.stdout.fd).isFile());
}

/** Whether a terminal is one that somebody sits at, and that can do more than take lines. */
export function canRedraw(env: NodeJS.ProcessEnv): boolean {
  // ink keeps still under these too.
  const inCi = Object.keys(env).some((name) => /^(CI|CI_.*|CONTINUOUS_INTEGRATION)$/.test(name));
  return env.TERM !== 'dumb' && !inCi;
}
