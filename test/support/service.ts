import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type DevServer, type Finished, type RunOptions, startDev, svc, temporaryDirectory } from './binary.js';

/**
 * The same scenarios against every kind of server that a command may meet: the local one of the data directory, running or
 * not, and one that is reached by its base URL and a key alone and has no control API, as the hosted service has none.
 */

export interface Service {
  /** Runs a command in `folder`, with the server in its environment. */
  run(args: string[], options?: RunOptions): Promise<Finished>;
  /** What a command that works prints with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the command prints, types would promise what they check
  data(args: string[], options?: RunOptions): Promise<any>;
  /** The environment that leads to the server, once it is there. */
  env(): Record<string, string>;
  /** Empty when the scenarios begin. */
  readonly folder: string;
}

const kinds: Record<string, { server: string[] | undefined; remote: boolean }> = {
  'a local server': { server: [], remote: false },
  'no server running': { server: undefined, remote: false },
  'a remote service': { server: ['--in-memory', '--no-control'], remote: true },
};

export function onEveryServer(name: string, scenarios: (service: Service) => void): void {
  describe.each(Object.entries(kinds))(`${name}, with %s`, (_, { server, remote }) => {
    const directory = temporaryDirectory();
    const dataDir = join(directory.path, '.svc');
    let dev: DevServer | undefined;
    let env: Record<string, string> = { SVC_DATA_DIR: dataDir, SVC_CONFIG_DIR: join(directory.path, '.config') };

    beforeAll(async () => {
      if (!server) return;
      const place = remote ? server : ['--data-dir', dataDir];
      dev = await startDev(['--plan', 'none', ...place]);
      const { base_url, api_key } = dev.ready;
      if (remote) env = { ...env, SVC_BASE_URL: base_url, SVC_API_KEY: api_key };
    });
    afterAll(async () => {
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
      env: () => env,
      folder: directory.path,
    });
  });
}
