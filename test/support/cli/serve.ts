import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type RunOptions, start } from './binary.js';

/** Runs `svc serve` as a process of its own. */

export const ADMIN_KEY = 'svc_test_teamadmin0123456789';

export interface TeamServer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever is printed, types would promise what they check
  ready: any;
  child: ChildProcess;
  /** The lines of stderr so far. */
  log: string[];
  /** Resolves with the first object of the log that fits, also one that is logged later. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  logged(fits: (line: any) => boolean): Promise<any>;
  exited: Promise<number | null>;
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server on free ports, and waits until it is ready. The delay of a drain is short unless one is given. */
export async function startServe(args: string[], options: RunOptions = {}): Promise<TeamServer> {
  const env = { SVC_API_KEY: ADMIN_KEY, ...options.env };
  const delay = args.includes('--drain-delay') ? [] : ['--drain-delay', '0'];
  const port = args.includes('--http-port') ? [] : ['--http-port', '0'];
  const child = start(['serve', ...port, '--smtp-port', '0', '--json', ...delay, ...args], {
    ...options,
    env,
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const log: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stderr! }).on('line', (line) => {
    log.push(line);
    for (const look of waiting) look();
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), exited.then(() => undefined)]);
  if (!first || first.done) throw new Error(`svc serve did not start: ${log.join('\n')}`);
  return {
    ready: JSON.parse(first.value),
    ...{ child, log, exited },
    logged: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = log.map((line) => JSON.parse(line)).find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}
