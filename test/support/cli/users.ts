import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type DevServer, ROOT, type RunOptions, startDev, svc, temporaryDirectory } from './binary.js';

/**
 * Creates users who share a machine. Only root can run programs as other users, so tests with two users run as root
 * only, as in CI.
 */

export const isRoot = process.getuid?.() === 0;
const VICTIM = 54_321;
const ATTACKER = 12_345;
/** Lists the files of an installed svc. */
const INSTALLED = [
  ...['bin', 'dist', 'templates', 'oclif.manifest.json', 'package.json'],
  ...['lib', 'build/Release/better_sqlite3.node', 'package.json'].map((part) => `node_modules/better-sqlite3/${part}`),
  ...['node_modules/bindings', 'node_modules/file-uri-to-path'],
];

interface Person {
  /** Undefined where the tests run as this user. */
  uid: number | undefined;
  home: string;
  /** Runs svc as this user, who has only a home directory. */
  svc(args: string[], options?: RunOptions): ReturnType<typeof svc>;
  startDev(args: string[], options?: RunOptions): Promise<DevServer>;
  /** Makes this user the owner of a directory and its content. */
  give(path: string): void;
  /** Starts an idle process, and waits until it runs. */
  startBystander(): Promise<ChildProcess>;
}

export interface Machine {
  /** A directory that every user can enter. */
  path: string;
  victim: Person;
  attacker: Person;
  remove(): void;
}

/** A copy of svc for the users of several machines, who keep what it compiles. */
export interface Installation {
  path: string;
  remove(): void;
}

export function installForUsers(): Installation {
  const installation = temporaryDirectory();
  chmodSync(installation.path, 0o755);
  if (isRoot) copyOfSvc(installation.path);
  return installation;
}

export function openMachine(installation: Installation): Machine {
  const { path, remove } = temporaryDirectory();
  chmodSync(path, 0o755);
  const person = (name: string, uid: number | undefined): Person => {
    const home = join(path, name);
    mkdirSync(home);
    const give = (directory: string) => {
      if (uid !== undefined) spawnSync('chown', ['-R', '-h', `${uid}:${uid}`, directory]);
    };
    give(home);
    const cache = join(installation.path, name);
    mkdirSync(cache, { recursive: true });
    give(cache);
    const as = ({ env, ...options }: RunOptions = {}): RunOptions => ({
      cwd: home,
      ...(isRoot && { binary: join(installation.path, 'bin/run.js') }),
      ...options,
      env: { HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: cache, ...env },
      ...(uid !== undefined && { uid }),
    });
    return {
      uid,
      home,
      svc: (args, options) => svc(args, as(options)),
      startDev: (args, options) => startDev(args, as(options)),
      give,
      async startBystander() {
        const child = spawn('sleep', ['600'], { stdio: 'ignore', ...(uid !== undefined && { uid, gid: uid }) });
        await once(child, 'spawn');
        return child;
      },
    };
  };
  return {
    path,
    victim: person('victim', isRoot ? VICTIM : undefined),
    attacker: person('attacker', isRoot ? ATTACKER : undefined),
    remove,
  };
}

/** Copies svc to where every user can run it, because only the owner may be able to read the project's directory. */
function copyOfSvc(path: string): void {
  for (const part of INSTALLED) cpSync(join(ROOT, part), join(path, part), { recursive: true });
  execFileSync('chmod', ['-R', 'a+rX', path]);
}

export interface Listener {
  baseUrl: string;
  port: number;
  /** Method, path and key of every request. */
  received: string[];
  close(): Promise<void>;
}

/** Starts a server that claims to be a given instance, and records its requests. */
export async function startImpostor(instance: string, port = 0): Promise<Listener> {
  const received: string[] = [];
  const server = createServer(({ method, url, headers }: IncomingMessage, response) => {
    received.push(`${method} ${url} ${headers.authorization ?? ''}`.trim());
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { instance, emails: [] } }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    baseUrl: `http://127.0.0.1:${bound}/v1`,
    port: bound,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
