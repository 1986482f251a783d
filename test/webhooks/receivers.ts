import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';

/** Runs the receivers that docs/webhook-receivers.md shows, as processes of their own. */

export const RECEIVERS = join(ROOT, 'test/fixtures/receivers');

export interface DocumentedReceiver {
  file: string;
  /** The command that serves it. */
  command(file: string, port: number): [program: string, ...args: string[]];
  /** Commands that succeed where it can run, each with the name of what is missing where it fails. */
  needs: [command: [string, ...string[]], need: string][];
}

const node: Omit<DocumentedReceiver, 'file'> = { command: (file) => [process.execPath, file], needs: [] };
const python: Omit<DocumentedReceiver, 'file'> = {
  command: (file) => ['python3', file],
  needs: [[['python3', '--version'], 'python3']],
};

export const documentedReceivers: readonly DocumentedReceiver[] = [
  { file: 'express.js', ...node },
  { file: 'reserializing.js', ...node },
  { file: 'fastify.js', ...node },
  {
    file: 'nextjs-route.js',
    command: (file) => [process.execPath, join(ROOT, 'test/webhooks/serve-route.js'), file],
    needs: [],
  },
  { file: 'http_server.py', ...python },
  {
    file: 'flask_app.py',
    ...python,
    needs: [...python.needs, [['python3', '-c', 'import flask'], 'flask for python3']],
  },
  {
    file: 'receiver.go',
    command: (file) => ['go', 'run', file],
    needs: [[['go', 'version'], 'go']],
  },
  {
    file: 'receiver.php',
    command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
    needs: [[['php', '--version'], 'php']],
  },
  {
    file: 'config.ru',
    command: (file, port) => ['rackup', '--host', '127.0.0.1', '--port', String(port), file],
    needs: [[['rackup', '--version'], 'ruby with rackup']],
  },
];

/** Returns why a receiver cannot run here, for the names of its tests; nothing when it can. */
export function skipReason({ needs }: DocumentedReceiver): string {
  const missing = needs.find(([[program, ...args]]) => spawnSync(program, args).status !== 0)?.[1];
  return missing === undefined ? '' : skippedWithout(missing, false);
}

export interface RunningReceiver {
  url: string;
  /** Every line that it has printed. */
  lines: string[];
  stop(): Promise<void>;
}

/** Starts a receiver and waits for the line in which it names its port. */
export async function startDocumented(receiver: DocumentedReceiver, secret: string): Promise<RunningReceiver> {
  const port = await freePort();
  const [program, ...args] = receiver.command(join(RECEIVERS, receiver.file), port);
  const child = spawn(program, args, {
    cwd: ROOT,
    // Not the cache of these tests: Go would compile its whole library again.
    env: { ...process.env, XDG_CACHE_HOME: undefined, PORT: String(port), SVC_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: `go run` starts the compiled program as a child.
    detached: true,
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  await Promise.race([
    listening(child, port, lines),
    exited.then(() => Promise.reject(new Error(`${receiver.file} did not start:\n${lines.join('\n')}`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    lines,
    async stop() {
      process.kill(-child.pid!, 'SIGKILL');
      await exited;
    },
  };
}

function listening(child: ChildProcess, port: number, lines: string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const input of [child.stdout!, child.stderr!]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line);
        if (line.includes(String(port))) resolve();
      });
    }
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
