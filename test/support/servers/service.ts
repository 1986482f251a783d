import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type DevServer,
  type Finished,
  type Ready,
  type RunOptions,
  start,
  startDev,
  svc,
  temporaryDirectory,
} from '../cli/binary.js';

/**
 * Runs the same scenarios on several kinds of server that a command can use: the local server of the data directory,
 * running or not, and a remote one, which is known by its base URL and key only and has no control API, like the hosted
 * service. All scenarios of one call share a server.
 */

export interface Service {
  /** Runs a command in `folder`, with the server in its environment. */
  run(args: string[], options?: RunOptions): Promise<Finished>;
  /** Returns what a successful command prints with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the command prints, types would promise what they check
  data(args: string[], options?: RunOptions): Promise<any>;
  /** Starts a command in `folder` that runs until it is stopped. It is stopped after the scenarios at the latest. */
  start(args: string[]): ChildProcess;
  /** Calls the server as an application does. Starts a server for the duration of the call where none is running. */
  reach<T>(use: (ready: Ready) => Promise<T>): Promise<T>;
  /** Returns the environment that names the server, once it is running. */
  env(): Record<string, string>;
  /** A folder that is empty when the scenarios begin. */
  readonly folder: string;
  readonly kind: Kind;
}

type Kind = 'local' | 'embedded' | 'remote';
type Scenarios = (service: Service) => void;

const names: Record<Kind, string> = {
  local: 'a local server',
  embedded: 'no server running',
  remote: 'a remote service',
};

/**
 * Runs scenarios without a running server, and on a remote one. A running local server answers the same requests as the
 * remote one; `onEveryLocalServer` tests commands that call its control API.
 */
export function onEveryServer(name: string, scenarios: Scenarios): void {
  onServers(['embedded', 'remote'], name, scenarios);
}

/** Runs scenarios that use the control API. test/script-contract tests every such command on a remote service. */
export function onEveryLocalServer(name: string, scenarios: Scenarios): void {
  onServers(['local', 'embedded'], name, scenarios);
}

function onServers(kinds: Kind[], name: string, scenarios: Scenarios): void {
  describe.each(kinds.map((kind) => [names[kind], kind] as const))(`${name}, with %s`, (_, kind) => {
    const directory = temporaryDirectory();
    const dataDir = join(directory.path, '.svc');
    const children: ChildProcess[] = [];
    let dev: DevServer | undefined;
    let env: Record<string, string> = { SVC_DATA_DIR: dataDir, SVC_CONFIG_DIR: join(directory.path, '.config') };
    const startServer = (...place: string[]) => startDev(['--plan', 'none', ...place]);

    beforeAll(async () => {
      if (kind === 'local') dev = await startServer('--data-dir', dataDir);
      if (kind !== 'remote') return;
      dev = await startServer('--in-memory', '--no-control');
      const { base_url, api_key } = dev.ready;
      env = { ...env, SVC_BASE_URL: base_url, SVC_API_KEY: api_key };
    });
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL');
      await dev?.stop();
      directory.remove();
    });

    const run = (args: string[], options: RunOptions = {}) =>
      svc(args, { cwd: directory.path, ...options, env: { ...env, ...options.env } });
    scenarios({
      run,
      async data(args, options) {
        const { code, stdout, stderr } = await run([...args, '--json'], options);
        expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
        return JSON.parse(stdout);
      },
      start(args) {
        const child = start(args, { cwd: directory.path, env });
        children.push(child);
        return child;
      },
      async reach(use) {
        if (dev) return use(dev.ready);
        const passing = await startServer('--data-dir', dataDir);
        try {
          return await use(passing.ready);
        } finally {
          await passing.stop();
        }
      },
      env: () => env,
      folder: directory.path,
      kind,
    });
  });
}
