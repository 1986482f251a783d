import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Relay } from '../../../src/core/mail/release/releases.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { deliverAll } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { unusedPort } from '../../support/servers/ports.js';
import { type RelayServer, reply, startRelayServer } from '../../support/servers/relay-server.js';

/** Tests automatic releases: to relays that take their time, that refuse recipients, and that lead back to svc. */

const ADDRESS = { host: '127.0.0.1', port: 0 };
const MINUTE_MS = 60_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SlowRelay extends RelayServer {
  /** The recipients of the messages that came in whole, in order. */
  taken: string[];
  /** Accepts the messages that wait, and those to come. */
  accept(): void;
}

/** Starts a relay that receives messages and does not reply to them. */
async function startSlowRelay(): Promise<SlowRelay> {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  let accepts = false;
  const server = await startRelayServer({
    onData(stream, { envelope }, callback) {
      stream.resume().once('end', () => {
        taken.push(envelope.rcptTo.map(({ address }) => address).join());
        if (accepts) callback(null, 'taken');
        else waiting.push(() => callback(null, 'taken'));
      });
    },
  });
  closers.push(() => server.close());
  return {
    ...server,
    taken,
    accept() {
      accepts = true;
      for (const each of waiting.splice(0)) each();
    },
  };
}

/** Starts a server that releases emails to corp.test automatically. */
async function start(relay: Relay, storage?: { file: string }): Promise<TestApp> {
  const app = await startApp({ relay, ...(storage && { storage }) });
  await app.listen({ http: ADDRESS, smtp: ADDRESS });
  return app;
}

async function startFor(server: RelayServer, settings: Partial<Relay> = {}): Promise<TestApp> {
  const app = await start(server.relay({ auto: ['*@corp.test'], ...settings }));
  closers.push(() => app.closeClean());
  return app;
}

const send = async (app: TestApp, ...to: string[]) =>
  (await app.call('POST', '/v1/emails', { to, from: 'shop@example.test', subject: 'Hi', html: 'Hi' })).json.data
    .id as string;

const releasesOf = async (app: TestApp, id: string) => (await app.read(`/_svc/emails/${id}`)).releases;

describe('a relay that takes minutes to reply to a message', () => {
  it('gets the message once, although the lease of the job ends', async () => {
    const relay = await startSlowRelay();
    const app = await startFor(relay);
    const id = await send(app, 'ada@corp.test');
    await expect.poll(() => relay.taken).toEqual(['ada@corp.test']);

    for (const minutes of [2, 4]) {
      app.clock.systemNow = () => Date.now() + minutes * MINUTE_MS;
      // Makes the pool look for jobs.
      await send(app, `bob${minutes}@corp.test`);
      await expect.poll(() => relay.taken.at(-1)).toBe(`bob${minutes}@corp.test`);
    }
    relay.accept();
    await app.drain();

    expect(relay.taken).toEqual(['ada@corp.test', 'bob2@corp.test', 'bob4@corp.test']);
    expect(await releasesOf(app, id)).toMatchObject([{ error: null }]);
  });

  it('gets the message once, although the clock is moved by hours meanwhile', async () => {
    const relay = await startSlowRelay();
    const app = await startFor(relay);
    app.clock.freeze();
    const id = await send(app, 'ada@corp.test');
    await expect.poll(() => relay.taken).toEqual(['ada@corp.test']);

    const { status, json } = await app.call('POST', '/_svc/clock/advance', { by: '6h', wait: '1s' });

    expect([status, json.data.cut_short]).toEqual([200, 0]);
    expect(await releasesOf(app, id)).toEqual([]);
    relay.accept();
    await app.drain();
    await app.call('POST', '/_svc/clock/advance', { by: '6h' });
    expect(relay.taken).toEqual(['ada@corp.test']);
    expect(await releasesOf(app, id)).toMatchObject([{ error: null }]);
  });

  it('does not delay the end of the server, which records the attempt and repeats it at the next start', async () => {
    const directory = temporaryDirectory();
    closers.push(async () => directory.remove());
    const storage = { file: join(directory.path, 'mail.db') };
    const relay = await startSlowRelay();
    const settings = relay.relay({ auto: ['*@corp.test'] });
    const first = await start(settings, storage);
    const id = await send(first, 'ada@corp.test');
    await expect.poll(() => relay.taken).toHaveLength(1);

    const began = Date.now();
    await first.closeClean();
    expect(Date.now() - began).toBeLessThan(30_000);

    relay.accept();
    const next = await start(settings, storage);
    closers.push(() => next.closeClean());
    await expect
      .poll(() => releasesOf(next, id))
      .toMatchObject([{ error: 'the attempt was ended: the server was stopped', reply: null }, { error: null }]);
    expect(relay.taken).toHaveLength(2);
  });

  it('is given up after the time for a reply', async () => {
    const relay = await startSlowRelay();
    const app = await startFor(relay, { replyTimeoutMs: 300 });
    const id = await send(app, 'ada@corp.test');
    await expect.poll(() => releasesOf(app, id)).toMatchObject([{ error: expect.stringMatching(/Timeout/) }]);
  });
});

describe('a relay that refuses recipients', () => {
  const attempts: string[] = [];
  beforeEach(() => {
    attempts.length = 0;
  });

  const refusing = async (codes: Record<string, number[]>, options: SMTPServerOptions = {}) => {
    const server = await startRelayServer({
      onRcptTo({ address }, _session, callback) {
        const [name = ''] = address.split('@');
        attempts.push(name);
        const code = codes[name]?.shift();
        callback(code === undefined ? null : reply(code, `Not ${name}`));
      },
      ...options,
    });
    closers.push(() => server.close());
    const app = await startFor(server);
    app.clock.freeze();
    return { app, server };
  };
  const advance = (app: TestApp) => app.call('POST', '/_svc/clock/advance', { by: '2h' });

  it('gets only those again that it refused for now', async () => {
    const { app, server } = await refusing({ bob: [550, 550], carol: [451, 451] });
    const id = await send(app, 'ada@corp.test', 'bob@corp.test', 'carol@corp.test');
    await advance(app);

    expect(attempts).toEqual(['ada', 'bob', 'carol', 'carol', 'carol']);
    expect(server.received.map(({ rcptTo }) => rcptTo)).toEqual([['ada@corp.test'], ['carol@corp.test']]);
    expect(await releasesOf(app, id)).toMatchObject([
      { error: null, rejected: [{ address: 'bob@corp.test' }, { address: 'carol@corp.test' }] },
      { error: expect.stringContaining('451'), rejected: [{ address: 'carol@corp.test' }] },
      { error: null, rejected: [] },
    ]);
  });

  it('gets those of a message again whose recipients were all refused, unless the refusal is final', async () => {
    const { app } = await refusing({ bob: [550], carol: [450] });
    await send(app, 'bob@corp.test', 'carol@corp.test');
    await advance(app);
    expect(attempts).toEqual(['bob', 'carol', 'carol']);
  });

  it('gets no message again that it refused with 5xx', async () => {
    let count = 0;
    const { app } = await refusing(
      {},
      {
        onData(stream, _session, done) {
          count += 1;
          stream.resume().on('end', () => done(reply(554, 'Spam')));
        },
      },
    );
    const id = await send(app, 'ada@corp.test');
    await advance(app);
    expect(count).toBe(1);
    expect(await releasesOf(app, id)).toMatchObject([{ error: expect.stringContaining('554') }]);
  });
});

describe('messages that are not released automatically', () => {
  it('a message that another svc has released', async () => {
    const startOne = async (port: number) => {
      const relay: Relay = {
        ...{ host: '127.0.0.1', port, tls: 'none', login: null },
        ...{ verifyCertificate: true, allow: [], auto: ['*@corp.test'] },
      };
      const app = await startApp({ relay });
      closers.push(() => app.closeClean());
      return { app, ...(await app.listen({ http: ADDRESS, smtp: ADDRESS })) };
    };
    // The relay of the first leads to the second, whose port is not known yet.
    let back = 0;
    const way = createServer((socket) => {
      const target = connect(back, '127.0.0.1');
      pipeline(socket, target, socket, () => {});
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    closers.push(async () => void way.close());
    const { app: other, smtp } = await startOne((way.address() as AddressInfo).port);
    const { app: one, smtp: first } = await startOne(smtp.port);
    back = first.port;
    const id = await send(one, 'ada@corp.test');
    await one.drain();
    await other.call('POST', '/_svc/settle', {});

    const { emails } = await other.read('/v1/emails');
    expect(emails).toHaveLength(1);
    expect(await releasesOf(other, emails[0].id)).toMatchObject([
      { error: 'not released automatically: it has been released before', reply: null },
    ]);
    expect(await releasesOf(one, id)).toMatchObject([{ error: null }]);
    expect((await one.read('/v1/emails')).emails).toHaveLength(1);
  });

  it('a message without a sender, or with many Received fields', async () => {
    const server = await startRelayServer();
    closers.push(() => server.close());
    const app = await startApp({ relay: server.relay({ auto: ['*@corp.test'] }) });
    closers.push(() => app.closeClean());
    const { smtp } = await app.listen({ http: ADDRESS, smtp: ADDRESS });
    const raw = (received: number) =>
      Buffer.from(`${'Received: by mx.test\r\n'.repeat(received)}Subject: Hi\r\n\r\nHi\r\n`);
    const capture = async (mailFrom: string, received: number) => {
      const [accepted = ''] = await deliverAll(smtp, [{ bytes: raw(received), to: ['ada@corp.test'] }], mailFrom);
      const id = /msg_\w+/.exec(accepted)?.[0] ?? '';
      await app.call('POST', '/_svc/settle', {});
      await app.drain();
      return (await releasesOf(app, id))[0].error;
    };
    expect(await capture('', 0)).toMatch(/without a sender/);
    expect(await capture('a@example.test', 26)).toMatch(/more than 25 Received fields/);
    expect(await capture('a@example.test', 25)).toBeNull();
    expect(server.received).toHaveLength(1);
  });

  it('a message that was added, and a report of a bounce', async () => {
    const server = await startRelayServer();
    closers.push(() => server.close());
    const app = await startApp({ relay: server.relay({ auto: ['*'] }), bounceNotices: true });
    closers.push(() => app.closeClean());
    const { smtp } = await app.listen({ http: ADDRESS, smtp: ADDRESS });
    const message = 'From: a@example.test\r\nTo: ada@corp.test\r\nSubject: Old\r\n\r\nOld\r\n';
    for (const query of ['', '?import_key=1']) {
      const { status } = await app.call('POST', `/_svc/emails${query}`, message, { 'content-type': 'message/rfc822' });
      expect(status).toBe(201);
    }
    const bytes = Buffer.from('X-Service-Simulate: bounced\r\nSubject: Bounce\r\n\r\nx\r\n');
    await deliverAll(smtp, [{ bytes, to: ['bob@corp.test'] }], 'app@example.test');
    await app.call('POST', '/_svc/settle', {});
    await app.drain();

    const { emails } = await app.read('/v1/emails');
    expect(emails.map(({ subject }: { subject: string }) => subject).sort()).toEqual([
      ...['Bounce', 'Old', 'Old', 'Undelivered Mail Returned to Sender'],
    ]);
    expect(server.received.map(({ rcptTo }) => rcptTo)).toEqual([['bob@corp.test']]);
  });
});

it('reports a relay that closes the connection without a greeting', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => void server.close());
  const app = await startApp({
    relay: {
      ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: 'none', login: null },
      ...{ verifyCertificate: true, allow: ['*'], auto: [] },
    },
  });
  closers.push(() => app.closeClean());
  const { json } = await app.call('POST', `/_svc/emails/${await send(app, 'ada@corp.test')}/release`, {});
  expect(json.error).toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(/the connection failed: /),
  });
});

it('keeps releases for a start with a relay', async () => {
  const directory = temporaryDirectory();
  closers.push(async () => directory.remove());
  const storage = { file: join(directory.path, 'mail.db') };
  const first = await start(
    {
      ...{ host: '127.0.0.1', port: await unusedPort(), tls: 'none', login: null },
      ...{ verifyCertificate: true, allow: [], auto: ['*@corp.test'] },
    },
    storage,
  );
  first.clock.freeze();
  const id = await send(first, 'ada@corp.test');
  await first.drain();
  await first.closeClean();
  const without = await startApp({ storage });
  await without.call('POST', '/_svc/clock/advance', { by: '5m' });
  await without.closeClean();

  const server = await startRelayServer();
  closers.push(() => server.close());
  const next = await start(server.relay({ auto: ['*@corp.test'] }), storage);
  closers.push(() => next.closeClean());
  await expect.poll(() => releasesOf(next, id)).toMatchObject([{}, { error: null }]);
  expect(server.received).toHaveLength(1);
});
