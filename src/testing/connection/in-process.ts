import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageDirectory } from '../../package-directory.js';
import type { RunningServer, ServerSettings } from '../server/run-server.js';
import type { Connection, ServerAddress } from './connection.js';

type Bundle = (name: string) => unknown;
interface LoaderModule {
  openBundle(root: string, outside: NodeJS.Require, program: string): Promise<Bundle>;
}
interface ServerModule {
  runServer(settings: ServerSettings): Promise<RunningServer>;
}

let bundle: Promise<Bundle> | undefined;

/** Runs a server in this process. Fake timers and replaced network functions of the program reach it. */
export async function runInProcess(settings: ServerSettings): Promise<Connection & { address: ServerAddress }> {
  const { runServer } = (await openServerBundle())('testing-server') as ServerModule;
  const { app, address, sleep } = await runServer(settings);
  return { address, fetch: app.fetch, sleep, close: () => app.close() };
}

/** Opens the bundle of the package, which the thread of the kit uses too. */
export function openServerBundle(): Promise<Bundle> {
  bundle ??= open(join(packageDirectory(), 'dist'));
  return bundle;
}

async function open(root: string): Promise<Bundle> {
  const load = createRequire(join(root, 'loader.js'));
  return (load('./loader.js') as LoaderModule).openBundle(root, load, 'test server');
}
