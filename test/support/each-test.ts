import { afterEach, beforeEach } from 'vitest';
import { type DevServer, startDev, temporaryDirectory } from './cli/binary.js';

/** What each test of a group has to itself. */
export interface OwnFolder {
  /** Empty when the test begins, and gone after it. */
  readonly path: string;
  /** Starts a server, on this folder unless told otherwise, that ends with the test at the latest. */
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
