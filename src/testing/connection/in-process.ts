import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { App } from '../../app/app.js';
import { lazy } from '../../contract/vocabulary/lazy.js';
import { packageDirectory } from '../../package-directory.js';
import { CLOSED, type Connection, type ServerAddress } from './connection.js';
import type { ServerSettings } from './messages.js';

type Bundle = (name: string) => unknown;
interface LoaderModule {
  openBundle(root: string, outside: NodeJS.Require, program: string): Promise<Bundle>;
}
interface ServerModule {
  runServer(settings: ServerSettings): Promise<RunningServer>;
}

/** Runs a server in this process. Fake timers and replaced network functions of the program reach it. */
export async function runInProcess(settings: ServerSettings): Promise<Connection & { address: ServerAddress }> {
  const { runServer } = (await openServerBundle())('testing-server') as ServerModule;
  const { app, address, sleep } = await runServer(settings);
  let closed = false;
  return {
    address,
    sleep,
    async fetch(url, init) {
      if (closed) throw new Error(CLOSED);
      return app.fetch(url, init);
    },
    close() {
      closed = true;
      return app.close();
    },
  };
}

/** Opens the bundle of the package, once. */
const openServerBundle = lazy(async () => {
  const root = join(packageDirectory(), 'dist');
  const load = createRequire(join(root, 'loader.js'));
  return (load('./loader.js') as LoaderModule).openBundle(root, load, 'test server');
});

export interface RunningServer {
  app: App;
  address: ServerAddress;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
