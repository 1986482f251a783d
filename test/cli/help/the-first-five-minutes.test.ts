import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { hmacByPython } from '../../support/cli/tools.js';
import { data } from '../../support/servers/server-calls.js';

interface Posted {
  headers: IncomingHttpHeaders;
  body: string;
}

describe('the first five minutes', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dataDir: string;
  let dev: DevServer | undefined;
  const children: ReturnType<typeof spawn>[] = [];

  beforeEach(() => {
    folder = temporaryDirectory();
    dataDir = join(folder.path, 'data');
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await dev?.stop();
    dev = undefined;
    folder.remove();
  });

  it.each([
    ['a running server', true],
    ['no running server', false],
  ])('with %s: events reach a receiver on this machine, signed as Python signs', async (_, running) => {
    if (running) dev = await startDev(['--data-dir', dataDir]);
    const receiver = await receive();
    const listening = await listen(receiver.url);
    expect(listening.ready).toMatchObject({ event: 'ready', url: receiver.url });

    const sent = await run(['emails', 'send', '--to', 'delivered@simulator.test']);
    const delivered = await receiver.until('email.delivered');

    expect(JSON.parse(delivered.body)).toMatchObject({
      type: 'email.delivered',
      version: '1.0',
      data: { email_id: sent.id, to: 'delivered@simulator.test' },
    });
    expect(delivered.headers['x-service-signature']).toBe(hmacByPython(delivered.body, listening.ready.secret));
    const types: string[] = [];
    while (!types.includes('email.delivered')) {
      const { event, type, status } = JSON.parse((await listening.lines.next()).value);
      expect({ event, status }).toEqual({ event: 'attempt', status: 200 });
      types.push(type);
    }
    expect(types).toEqual(['email.sent', 'email.delivered']);

    listening.child.kill('SIGINT');
    expect(await listening.exited).toEqual([130, null]);
    receiver.close();
    if (running) return;
    // Its server has ended, and the email remains.
    expect((await run(['emails', 'list'])).emails).toMatchObject([{ id: sent.id, status: 'delivered' }]);
  });

  it('commands talk HTTP to the running server', async () => {
    dev = await startDev(['--data-dir', dataDir]);

    const sent = await run(['emails', 'send', '--to', 'ada@example.test', '--subject', 'over HTTP']);

    // Only the server process itself can print this.
    const event = JSON.parse((await dev.lines.next()).value);
    expect(event).toMatchObject({ type: 'email.sent', data: { email_id: sent.id, subject: 'over HTTP' } });
    expect((await run(['emails', 'get', sent.id])).html).toBe((await data(dev.ready, `/v1/emails/${sent.id}`)).html);
  });

  it('commands work without a server, on the database that a server then uses', async () => {
    const sent = await run(['emails', 'send', '--to', 'ada@example.test', '--subject', 'without a server']);
    expect(await run(['emails', 'get', 'latest'])).toMatchObject({ id: sent.id, status: 'delivered' });

    dev = await startDev(['--data-dir', dataDir]);

    expect((await data(dev.ready, '/v1/emails')).emails).toMatchObject([
      { id: sent.id, subject: 'without a server', status: 'delivered' },
    ]);
  });

  it('sends what it is given: names, copies, files, tags, text from a pipe', async () => {
    const sent = await svc(
      [
        ...[
          'emails',
          'send',
          '--to',
          'Ada <ada@example.test>',
          '--to',
          'bob@example.test',
          '--cc',
          'carol@example.test',
        ],
        ...['--bcc', 'dan@example.test', '--from', 'Shop <shop@example.test>', '--reply-to', 'help@example.test'],
        ...[
          '--subject',
          'Grüße',
          '--html',
          '<p>hi</p>',
          '--text-file',
          '-',
          '--attach',
          BINARY,
          '--tag',
          'a',
          '--tag',
          'b',
        ],
        ...['--data-dir', dataDir, '--json'],
      ],
      { input: 'from a pipe: ß\n' },
    );
    expect(sent).toMatchObject({ code: 0, stderr: '' });

    dev = await startDev(['--data-dir', dataDir]);
    const { id } = JSON.parse(sent.stdout);
    expect(await data(dev.ready, `/v1/emails/${id}`)).toMatchObject({
      to: 'Ada <ada@example.test>, bob@example.test',
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'from a pipe: ß\n',
      tags: ['a', 'b'],
    });
    expect(await data(dev.ready, `/_svc/emails/${id}`)).toMatchObject({
      reply_to: 'help@example.test',
      recipients: [{ kind: 'to' }, { kind: 'to' }, { kind: 'cc' }, { kind: 'bcc' }],
      attachments: [{ filename: 'run.js' }],
    });
  });

  // biome-ignore lint/suspicious/noExplicitAny: whatever the command prints
  async function run(args: string[]): Promise<any> {
    const { code, stdout, stderr } = await svc([...args, '--json', '--data-dir', dataDir]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  async function listen(url: string) {
    const args = ['webhooks', 'listen', '--forward-to', url, '--json', '--data-dir', dataDir];
    const child = spawn(process.execPath, [BINARY, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const ready = JSON.parse((await lines.next()).value) as { event: string; url: string; secret: string };
    return { child, exited, lines, ready };
  }
});

/** Starts a receiver of webhooks that answers 200 and keeps the bytes it got. */
async function receive() {
  const server = createServer();
  const waiting = new Map<string, (posted: Posted) => void>();
  const got = new Map<string, Posted>();
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const posted = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    response.end('ok');
    const { type } = JSON.parse(posted.body) as { type: string };
    got.set(type, posted);
    waiting.get(type)?.(posted);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    /** Waits for the first event of a type. */
    until: (type: string) =>
      new Promise<Posted>((resolve) => {
        const posted = got.get(type);
        if (posted) resolve(posted);
        else waiting.set(type, resolve);
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
