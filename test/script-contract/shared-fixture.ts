import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type DevServer, ROOT, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { installPackage } from '../support/cli/package.js';
import { type RecordingProxy, startRecordingProxy } from '../support/servers/recording-proxy.js';
import { STRAY_SECRET, WRONG_KEY } from './expectations.js';

/** What all runs share: the installed package, a server with everything, and one in the shape of the service. */
export interface SharedFixture {
  /** The installed binary. */
  binary: string;
  folder: ReturnType<typeof temporaryDirectory>;
  proxy: RecordingProxy;
  /** A server with a control API and a data directory. */
  local: DevServer;
  /** A server without either, as far as svc can see: it is reached by its base URL and a key. */
  remote: DevServer;
  servers: DevServer[];
  /** What no failing run may show. */
  secrets: string[];
  /** Starts a server that no other run uses. */
  startServer(args: string[]): Promise<DevServer>;
}

export async function openSharedFixture(): Promise<SharedFixture> {
  const folder = temporaryDirectory();
  const { app, command: binary } = await installPackage(folder.path);
  // The user's package, which commands that take pictures need.
  symlinkSync(join(ROOT, 'node_modules/playwright-core'), join(app, 'node_modules/playwright-core'), 'dir');
  const servers: DevServer[] = [];
  const startServer = async (args: string[]) => {
    const server = await startDev(['--plan=none', ...args], { binary, cwd: folder.path });
    servers.push(server);
    return server;
  };
  const remote = await startServer(['--in-memory', '--no-control']);
  const { host, port } = remote.ready.smtp;
  const relay = ['--relay', `smtp://${host}:${port}?tls=none`, '--relay-allow', '*'];
  const local = await startServer(['--data-dir', join(folder.path, 'local'), ...relay]);
  const given = [local, remote].flatMap(({ ready: { api_key, webhook_secret } }) => [api_key, webhook_secret]);
  const secrets = [...given, WRONG_KEY, STRAY_SECRET];
  return { binary, folder, proxy: await startRecordingProxy(), local, remote, servers, secrets, startServer };
}

/** Closes what was opened, even if only a part was. */
export async function closeSharedFixture(shared: SharedFixture | undefined): Promise<void> {
  await shared?.proxy.close();
  for (const { child } of shared?.servers ?? []) child.kill('SIGKILL');
  shared?.folder.remove();
}
