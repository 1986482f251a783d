import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import nodemailer from 'nodemailer';
import { WebSocket } from 'ws';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../../scripts/test-clients.js';
import { startDev } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import { unusedPort } from '../support/servers/ports.js';

/** Starts svc with the API of Mailpit, and the real Mailpit. */

export const skipped = skippedWithout('Mailpit', isComplete('mailpit'), 'npm run test-clients');

export interface Server {
  url: string;
  smtpPort: number;
  stop(): Promise<unknown>;
}

export interface Answer {
  status: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
  body: any;
}

export async function startSvc(args: string[] = []): Promise<Server & { key: string }> {
  const dev = await startDev(['--in-memory', '--plan', 'none', '--mailpit', ...args]);
  const { base_url, smtp, api_key } = dev.ready;
  // Nothing reads the lines of events.
  dev.child.stdout?.resume();
  return { url: new URL(base_url).origin, smtpPort: smtp.port, key: api_key, stop: () => dev.stop() };
}

export async function startMailpit(): Promise<Server> {
  const [http, smtp] = [await unusedPort(), await unusedPort()];
  const args = [
    '-l',
    `127.0.0.1:${http}`,
    '-s',
    `127.0.0.1:${smtp}`,
    '--disable-version-check',
    '--enable-chaos',
    '--allow-internal-http-requests',
  ];
  const child = spawn(programs.mailpit, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TZ: 'UTC' },
  });
  await untilItListens(child);
  const exited = once(child, 'exit');
  return {
    url: `http://127.0.0.1:${http}`,
    smtpPort: smtp,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

async function untilItListens({ stdout, stderr }: ChildProcess): Promise<void> {
  const started = [stdout, stderr].map(
    (stream) =>
      new Promise<void>((resolve) => {
        if (!stream) return;
        createInterface({ input: stream }).on('line', (line) => {
          if (line.includes('accessible via')) resolve();
        });
      }),
  );
  await Promise.race(started);
}

export async function call(server: Server, method: string, path: string, body?: unknown): Promise<Answer> {
  const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(server.url + path, { method, redirect: 'manual', ...payload });
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '');
  const text = await response.text();
  return { status: response.status, type, body: type === 'application/json' ? JSON.parse(text) : text };
}

interface Report {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
  Data: any;
}

/** Opens the WebSocket for changes. `until` takes the messages of this type in their order, and waits for the next. */
export async function listen({ url }: Server, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events`, { headers });
  const all: Report[] = [];
  const taken = new Set<Report>();
  const arrived = new EventTarget();
  socket.on('message', (data) => {
    all.push(JSON.parse(String(data)));
    arrived.dispatchEvent(new Event('report'));
  });
  const closed = once(socket, 'close');
  await once(socket, 'open');
  return {
    all,
    socket,
    closed,
    async until(type: string, matches: (data: Report['Data']) => boolean = () => true): Promise<Report['Data']> {
      for (;;) {
        const found = all.find((each) => each.Type === type && !taken.has(each) && matches(each.Data));
        if (found) {
          taken.add(found);
          return found.Data;
        }
        await once(arrived, 'report');
      }
    },
    async close() {
      socket.close();
      await closed;
    },
  };
}

/** Returns a function that sends a message over SMTP on one connection. */
export function sender({ smtpPort }: Server) {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
  });
  return {
    send: (raw: string, envelope: { from: string; to: string[] }) => transport.sendMail({ raw, envelope }),
    close: () => transport.close(),
  };
}
