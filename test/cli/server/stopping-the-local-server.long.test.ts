import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { fileGone } from '../../support/files.js';
import { openSmtp, type SmtpSession } from '../../support/mail/smtp-session.js';
import { request } from '../../support/servers/server-calls.js';

/**
 * A stop is promised within a second. What could delay it (a kept-alive connection, a receiver that does not answer,
 * half a request) would delay it for five seconds and more, so this bound is reliable on a busy machine too.
 */
const STOP_MS = 4_000;

describe('stopping svc dev', () => {
  const folder = folderOfEachTest();
  let dev: DevServer;

  beforeEach(async () => {
    dev = await folder.startServer();
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('exits with 0 on %s, and removes server.json', async (signal) => {
    expect(existsSync(join(folder.path, 'server.json'))).toBe(true);

    await expectPromptStop(signal);

    expect(existsSync(join(folder.path, 'server.json'))).toBe(false);
  });

  it('ends open event streams', async () => {
    const stream = await request(dev.ready, '/_svc/events');

    await expectPromptStop('SIGTERM');

    // The stream ends normally, it does not break off.
    await expect(stream.text()).resolves.toBeTypeOf('string');
  });

  it('does not wait for an SMTP session that is idle between two messages', async () => {
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');

    await expectPromptStop('SIGTERM');
  });

  it('does not wait for an SMTP session in the middle of a message, and stores no part of it', async () => {
    const session = await startMessage();
    session.write('Subject: half\r\n\r\nnot fin');

    await expectPromptStop('SIGTERM');

    expect(await storedSubjects()).toEqual([]);
  });

  it('does not wait for HTTP connections: one kept open, one with half a request, one with half a body', async () => {
    await request(dev.ready, '/v1/emails');
    const { hostname, port } = new URL(dev.ready.base_url);
    for (const bytes of [
      'GET /v1/ema',
      `POST /v1/emails HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${dev.ready.api_key}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"to":`,
    ]) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(bytes);
    }
    // A complete exchange after them: the server has received their bytes by now.
    await request(dev.ready, '/v1/emails');

    await expectPromptStop('SIGINT');
  });

  it('does not wait for a webhook receiver that does not answer', async () => {
    const receiver = createServer();
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const listening = await request(
      dev.ready,
      `/_svc/listen?forward_to=${encodeURIComponent(`http://127.0.0.1:${port}/`)}`,
    );
    expect(listening.status).toBe(200);
    const asked = once(receiver, 'request');
    await request(dev.ready, '/v1/emails', send('waiting'));
    await asked;

    await expectPromptStop('SIGTERM');

    receiver.closeAllConnections();
    receiver.close();
  });

  it('keeps every email that it has acknowledged, and those in progress', async () => {
    const session = await startMessage();
    session.write('Subject: by SMTP\r\n\r\nhello\r\n');
    const subjects = Array.from({ length: 50 }, (_, index) => `by REST ${index}`);
    const acknowledged: string[] = [];
    const calls = subjects.map(async (subject) => {
      const response = await request(dev.ready, '/v1/emails', send(subject));
      if (response.status === 201) acknowledged.push(subject);
    });
    await Promise.any(calls);

    const [reply] = await Promise.all([session.say('.'), dev.stop('SIGTERM'), Promise.allSettled(calls)]);

    if (reply?.startsWith('250 ')) acknowledged.push('by SMTP');
    expect(acknowledged).not.toEqual([]);
    expect(await storedSubjects()).toEqual(expect.arrayContaining(acknowledged));
  });

  it('exits at once on a second signal', async () => {
    // A message in progress delays the stop for a moment.
    const session = await startMessage();
    session.write('Subject: held open\r\n\r\n');
    const exited = once(dev.child, 'exit');
    const gone = fileGone(join(folder.path, 'server.json'));
    dev.child.kill('SIGINT');
    await gone;

    dev.child.kill('SIGINT');

    // By the signal, which a shell shows as 130, and not by its own exit code 0.
    expect(await exited).toEqual([null, 'SIGINT']);
  });

  async function startMessage(): Promise<SmtpSession> {
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    await session.say('MAIL FROM:<app@example.test>');
    await session.say('RCPT TO:<ada@example.test>');
    await session.say('DATA');
    return session;
  }

  /** Measured by the process's exit: a timeout would only report that it was too late. */
  async function expectPromptStop(signal: NodeJS.Signals): Promise<void> {
    const late = AbortSignal.timeout(STOP_MS);
    const exited = once(dev.child, 'exit', { signal: late });
    dev.child.kill(signal);
    expect(await exited).toEqual([0, null]);
  }

  async function storedSubjects(): Promise<string[]> {
    const { stdout } = await svc(['emails', 'list', '--limit', '100', '--json', '--data-dir', folder.path]);
    return JSON.parse(stdout).emails.map(({ subject }: { subject: string }) => subject);
  }
});

describe('svc dev stop', () => {
  const folder = folderOfEachTest();

  it('reports what it waits for when the server takes long', async () => {
    const slow = join(folder.path, 'slow.cjs');
    writeFileSync(
      slow,
      `process.on('SIGTERM', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4e3))`,
    );
    const env = { NODE_OPTIONS: `--require "${slow}"` };
    const { child, ready } = await startDev(['--data-dir', folder.path], { env });
    const exited = once(child, 'exit');

    const { code, stderr } = await svc(['dev', 'stop', '--data-dir', folder.path]);

    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^Waiting for the server \\(pid ${ready.pid}\\): .*\nStopped http:.*\n$`));
    expect(await exited).toEqual([0, null]);
  });

  // Other systems than Linux cannot distinguish such a process from a running one.
  it.skipIf(process.platform !== 'linux')('does not wait for a parent that never reaps its child', async () => {
    const script = '"$0" "$1" dev --http-port 0 --smtp-port 0 --json --data-dir "$2" & exec sleep 60';
    const parent = spawn('sh', ['-c', script, process.execPath, BINARY, folder.path], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(parent.stdout, 'readable');

    expect(await svc(['dev', 'stop', '--data-dir', folder.path])).toMatchObject({ code: 0 });

    parent.kill('SIGKILL');
  });
});

function send(subject: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'ada@example.test', from: 'app@example.test', subject, html: 'x' }),
  };
}
