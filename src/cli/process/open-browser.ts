import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserLaunchers, type CommandLine } from '../../system.js';
import { pause } from './write-stdout.js';

/** Time in which a launcher reports that it found no browser. A browser itself continues to run. */
const LAUNCH_MS = 1_000;

/**
 * Opens a file or an http address in the browser: that of the variable BROWSER, or the system's. Returns whether one
 * was started. BROWSER is a command, or several separated as in PATH; `%s` in it is replaced by the address.
 */
export async function openInBrowser(target: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  for (const command of [...chosenBrowsers(target, env), ...browserLaunchers(target, env)]) {
    if (await starts(command)) return true;
  }
  return false;
}

function chosenBrowsers(target: string, { BROWSER = '' }: NodeJS.ProcessEnv): CommandLine[] {
  const url = /^https?:/.test(target) ? target : pathToFileURL(target).href;
  return BROWSER.split(delimiter).flatMap((entry) => {
    const [program, ...args] = entry.split(/\s+/).filter((word) => word !== '');
    if (program === undefined) return [];
    const named = args.map((arg) => arg.replaceAll('%s', url));
    return [[program, ...(args.some((arg) => arg.includes('%s')) ? named : [...args, url])] as const];
  });
}

async function starts([program, ...args]: CommandLine): Promise<boolean> {
  const windowsVerbatimArguments = program === 'cmd.exe';
  const child = spawn(program, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments });
  const launched = new AbortController();
  try {
    await once(child, 'spawn');
    const exited = once(child, 'exit').then(([code]) => code === 0);
    return await Promise.race([exited, pause(LAUNCH_MS, launched.signal).then(() => true)]);
  } catch {
    // The program does not exist or cannot be executed.
    return false;
  } finally {
    launched.abort();
    child.unref();
  }
}
