import { fstatSync } from 'node:fs';
import { isInForeground } from './foreground.js';

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
export function canRedraw(env: NodeJS.ProcessEnv): boolean {
  // ink does not redraw either when these are set.
  const inCi = Object.keys(env).some((name) => /^(CI|CI_.*|CONTINUOUS_INTEGRATION)$/.test(name));
  return env.TERM !== 'dumb' && !inCi;
}
