import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BINARY, type Ready, temporaryDirectory, text } from '../support/cli/binary.js';
import { integrityOf } from './integrity.js';
import { type Mail, sendByRest, sendBySmtp } from './load.js';
import { eventsUntil, listAll } from './watch.js';

/** Tests a server that may open 64 files, with more clients than it can have connections. */

const CLIENTS = 100;
const MAILS = 20;
const PATIENCE = { timeout: 30_000 };

describe('a server with few file descriptors', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let child: ChildProcess | undefined;
  const sockets: Socket[] = [];

  beforeEach(() => {
    folder = temporaryDirectory();
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    child?.kill('SIGKILL');
    folder.remove();
  });

  function run(limit: number): ChildProcess {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));
    const options = '--http-port 0 --smtp-port 0 --delivery-delay 0 --plan none --json';
    const command = `ulimit -n ${limit}; exec "$0" "$1" dev ${options} --data-dir "$2"`;
    child = spawn('bash', ['-c', command, process.execPath, BINARY, folder.path], { env, stdio: 'pipe' });
    return child;
  }

  it('prints its connections, refuses more, keeps what it acknowledged, and serves afterwards', async () => {
    const server = run(64);
    const stderr = text(server.stderr);
    const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
    const ready = JSON.parse(line) as Ready;
    const kept: string[] = [];
    const senderOf = (name: string) => {
      let made = 0;
      return {
        next: (): Mail | undefined =>
          made < MAILS ? { subject: `${name} ${made++}`, recipients: ['ada@example.test'] } : undefined,
        acknowledged: ({ subject }: Mail) => void kept.push(subject),
      };
    };

    const replies = await Promise.all(Array.from({ length: CLIENTS }, () => greeting(ready)));
    const greeted = replies.filter((reply) => reply.startsWith('220 ')).length;
    expect(greeted).toBe(12);
    expect(replies.filter((reply) => reply.startsWith('421 ')).length).toBeGreaterThan(0);
    // With every connection of SMTP open, the rest of the server works.
    await sendByRest(ready, senderOf('rest, SMTP exhausted'));
    expect(kept).toHaveLength(MAILS);
    const closed = sockets.map((socket) => socket.destroyed || once(socket, 'close'));
    for (const socket of sockets.splice(0)) socket.destroy();
    await Promise.all(closed);

    // More clients than SMTP may have connections, and fewer than HTTP: fetch keeps its connections, which count.
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => sendBySmtp(ready, senderOf(`smtp ${n}`))),
      ...Array.from({ length: 4 }, (_, n) => sendByRest(ready, senderOf(`rest ${n}`))),
    ]);
    // Connections of the load that are still being closed count until they are.
    const emails = await vi.waitFor(() => listAll(ready), PATIENCE);
    const delivered = () => eventsUntil(ready, 'email.delivered', new Map(emails.map(({ id }) => [id, 1])));
    await vi.waitFor(delivered, PATIENCE);
    const listed = await vi.waitFor(() => listAll(ready), PATIENCE);
    expect(listed.map(({ subject }) => subject)).toEqual(expect.arrayContaining(kept));
    const served = async (send: typeof sendBySmtp, name: string) => {
      const before = kept.length;
      await send(ready, senderOf(name));
      return kept.length - before;
    };
    await expect.poll(() => served(sendBySmtp, 'smtp afterwards')).toBe(MAILS);
    await expect.poll(() => served(sendByRest, 'rest afterwards')).toBe(MAILS);

    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
    const printed = await stderr;
    expect(printed).toContain('may open only 64 files, so the server accepts at most 8 HTTP and 12 SMTP connections');
    expect(printed).toContain('ulimit -n 4096');
    expect(printed).not.toContain('    at ');
    expect(integrityOf(folder.path)).toBe('ok');
  });

  it('reports which limit to raise when it cannot listen', async () => {
    const server = run(24);
    const stderr = text(server.stderr);
    expect(await once(server, 'exit')).toEqual([1, null]);
    const { error } = JSON.parse(await stderr) as { error: { message: string; hint: string } };
    expect(error.message).toContain('too many open files');
    expect(error.hint).toContain('ulimit -n 4096');
  });

  /** Returns the first line of a connection; empty if the server closes it without one. */
  async function greeting({ smtp }: Ready): Promise<string> {
    const socket = connect(smtp.port, smtp.host);
    sockets.push(socket);
    socket.on('error', () => {});
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => []);
    return Buffer.isBuffer(chunk) ? String(chunk) : '';
  }
});
