import { afterEach, beforeEach } from 'vitest';
import { type DevServer, startDev, temporaryDirectory } from './cli/binary.js';

/** A folder for each test of a group. */
export interface OwnFolder {
  /** The path. The folder is empty when the test begins, and is deleted after it. */
  readonly path: string;
  /** Starts a server, by default on this folder. It is stopped after the test at the latest. */
  startServer(args?: string[]): Promise<DevServer>;
}

export function folderOfEachTest(): OwnFolder {
  const servers: DevServer[] = [];
  let folder: ReturnType<typeof temporaryDirectory>;

  beforeEach(() => {
    folder = temporaryDirectory();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop('SIGKILL');
    folder.remove();
  });

  return {
    get path() {
      return folder.path;
    },
    async startServer(args = ['--data-dir', folder.path]) {
      const server = await startDev(args);
      servers.push(server);
      return server;
    },
  };
}
