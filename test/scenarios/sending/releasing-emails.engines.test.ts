import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { Relay } from '../../../src/core/mail/release/releases.js';
import { deliverAll } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { unusedPort } from '../../support/servers/ports.js';
import { type RelayServer, reply, startRelayServer } from '../../support/servers/relay-server.js';

/** Tests the release of captured emails to a real SMTP server. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a relay and a server that releases emails to it. */
async function start(
  settings: Partial<Relay> = {},
  options: SMTPServerOptions = {},
): Promise<{ app: TestApp; server: RelayServer }> {
  const server = await startRelayServer(options);
  closers.push(() => server.close());
  const app = await startApp({ relay: server.relay({ allow: ['*@corp.test'], ...settings }) });
  closers.push(() => app.closeClean());
  return { app, server };
}

const KEPT = 'From: shop@example.test\r\nTo: ada@corp.test\r\nSubject: Hi\r\n\r\n..dots\r\nHello\r\n';
const RAW = KEPT.replace('Subject', 'X-Service-Tags: a\r\nBcc: eve@example.test,\r\n bob@example.test\r\nSubject');

async function capture(app: TestApp, to = ['ada@corp.test']): Promise<string> {
  const address = { host: '127.0.0.1', port: 0 };
  const { smtp } = await app.listen({ http: address, smtp: address });
  const [accepted = ''] = await deliverAll(smtp, [{ bytes: Buffer.from(RAW), to }], 'bounce@example.test');
  // The reply waits for the parser for a limited time only.
  await app.call('POST', '/_svc/settle', {});
  return /msg_\w+/.exec(accepted)?.[0] ?? '';
}

const send = async (app: TestApp, to: string | string[]) =>
  (
    await app.call('POST', '/v1/emails', {
      ...{ to, from: 'Shop <shop@example.test>', subject: 'Hi', html: '<a href="https://shop.example/">Shop</a>' },
    })
  ).json.data.id as string;

const release = (app: TestApp, id: string, body: object = {}) => app.call('POST', `/_svc/emails/${id}/release`, body);

const releasesOf = async (app: TestApp, id: string) => (await app.read(`/_svc/emails/${id}`)).releases;

describe('a release', () => {
  it('sends the message without headers for svc and Bcc, with its envelope, and is listed with the email', async () => {
    const { app, server } = await start();
    const id = await capture(app);

    const { status, json } = await release(app, id);

    expect(status).toBe(200);
    expect(json.data).toEqual({
      released_at: expect.any(String),
      relay: `127.0.0.1:${server.port}`,
      mail_from: 'bounce@example.test',
      rcpt_to: ['ada@corp.test'],
      reply: expect.stringMatching(/^250 /),
      error: null,
      rejected: [],
    });
    expect(server.received).toEqual([
      {
        ...{ mailFrom: 'bounce@example.test', rcptTo: ['ada@corp.test'], secure: false, user: undefined },
        bytes: expect.stringContaining(KEPT),
      },
    ]);
    expect(server.received[0]?.bytes.replace(KEPT, '')).toMatch(
      new RegExp(`^Received: by svc\\.localhost \\(svc release\\) id ${id};\r\n\t[\\w ,:]+ \\+0000\r\n$`),
    );
    expect(await releasesOf(app, id)).toEqual([json.data]);
    expect((await app.read(`/_svc/emails/${id}`)).recipients).toMatchObject([{ status: 'delivered' }]);
  });

  it('sends an email from REST to other recipients, without tracking', async () => {
    const { app, server } = await start();
    const id = await send(app, 'ada@example.test');

    expect((await release(app, id, { to: ['Bob <bob@corp.test>'] })).status).toBe(200);

    expect(server.received).toMatchObject([{ mailFrom: 'shop@example.test', rcptTo: ['bob@corp.test'] }]);
    expect(server.received[0]?.bytes).toContain('https://shop.example/');
    expect(server.received[0]?.bytes).not.toContain('/t/');
  });

  it('needs a relay, and recipients that are allowed', async () => {
    const alone = await startApp();
    closers.push(() => alone.closeClean());
    const without = await release(alone, await send(alone, 'ada@corp.test'));
    expect([without.status, without.json.error.hint]).toEqual([409, expect.stringContaining('--relay')]);

    const { app, server } = await start();
    const id = await send(app, ['ada@corp.test', 'eve@example.test']);
    const refused = await release(app, id);
    expect([refused.status, refused.json.error]).toEqual([
      403,
      expect.objectContaining({
        code: 'authorization_error',
        message: 'eve@example.test is not an allowed recipient of a release.',
        hint: expect.stringContaining('*@corp.test'),
      }),
    ]);
    expect((await release(app, id, { to: ['x@evil.test'] })).status).toBe(403);
    expect((await release(app, id, { to: ['x@corp.test.evil.test'] })).status).toBe(403);
    expect((await release(app, id, { to: [] })).status).toBe(422);
    expect((await release(app, 'msg_none')).status).toBe(404);
    expect(server.received).toEqual([]);
    expect(await releasesOf(app, id)).toEqual([]);

    const closed = await start({ allow: [] });
    const nothing = await release(closed.app, await send(closed.app, 'ada@corp.test'));
    expect([nothing.status, nothing.json.error.hint]).toEqual([
      403,
      expect.stringContaining('No recipient is allowed'),
    ]);
  });

  it('reports the reply of the server to recipients as upstream_error, and records it', async () => {
    const { app } = await start(
      {},
      { onRcptTo: (_address, _session, callback) => callback(reply(550, 'No such user here')) },
    );
    const id = await send(app, 'ada@corp.test');
    const { status, json } = await release(app, id);
    expect([status, json.error.code]).toEqual([500, 'upstream_error']);
    expect(json.error.message).toMatch(/^127\.0\.0\.1:\d+: every recipient was refused: 550 .*No such user here$/);
    expect(await releasesOf(app, id)).toMatchObject([
      { reply: expect.stringMatching(/^550 /), error: expect.stringContaining('No such user here') },
    ]);
  });

  it('names recipients that were refused while others were accepted', async () => {
    const { app, server } = await start(
      {},
      {
        onRcptTo: ({ address }, _session, callback) =>
          callback(address.startsWith('bob') ? reply(550, 'Unknown bob') : null),
      },
    );
    const id = await send(app, ['ada@corp.test', 'bob@corp.test']);
    const { status, json } = await release(app, id);
    expect(status).toBe(200);
    expect(json.data.rejected).toEqual([
      { address: 'bob@corp.test', reply: expect.stringMatching(/^550 .*Unknown bob/) },
    ]);
    expect(await releasesOf(app, id)).toEqual([json.data]);
    expect(server.received).toMatchObject([{ rcptTo: ['ada@corp.test'] }]);
  });

  it.each<[string, SMTPServerOptions, RegExp]>([
    [
      'of a sender',
      { onMailFrom: (_a, _s, done) => done(reply(421, 'Try later')) },
      /the sender was refused: 421 .*Try later/,
    ],
    ['of a connection', { onConnect: (_s, done) => done(reply(554, 'Go away')) }, /failed: .*554 .*Go away/],
    [
      'of a message',
      {
        onData(stream, _session, done) {
          stream.resume().on('end', () => done(reply(552, 'Too spammy')));
        },
      },
      /the message was refused: 552 .*Too spammy/,
    ],
  ])('reports a refusal %s', async (_, options, expected) => {
    const { app } = await start({}, options);
    const { status, json } = await release(app, await send(app, 'ada@corp.test'));
    expect([status, json.error.code, json.error.message]).toEqual([
      500,
      'upstream_error',
      expect.stringMatching(expected),
    ]);
  });

  it('warns that the message may have been sent, if the relay does not reply to it', async () => {
    const { app } = await start({ replyTimeoutMs: 300 }, { onData: (stream) => void stream.resume() });
    const { json } = await release(app, await send(app, 'ada@corp.test'));
    expect([json.error.code, json.error.hint]).toEqual([
      'upstream_error',
      expect.stringContaining('may have accepted the message'),
    ]);
  });

  it('logs in, and reports a refused login without the password', async () => {
    const login = { user: 'relay', password: 'right', required: true };
    const accepted = await start({ login });
    const id = await send(accepted.app, 'ada@corp.test');
    expect((await release(accepted.app, id)).status).toBe(200);
    expect(accepted.server.received).toMatchObject([{ user: 'relay' }]);

    const { app } = await start({ login: { ...login, password: 'wrong-secret' } });
    const { json } = await release(app, await send(app, 'ada@corp.test'));
    expect(json.error.message).toMatch(/the login failed: 535 .*Bad credentials/);
    expect(JSON.stringify(json)).not.toContain('wrong-secret');

    const { app: other } = await start({ login }, { disabledCommands: ['AUTH'] });
    const without = await release(other, await send(other, 'ada@corp.test'));
    expect(without.json.error.message).toMatch(/the login failed/);
  });

  it('uses STARTTLS or TLS, and refuses a certificate that is not valid, or a server without TLS', async () => {
    const upgraded = await start({ tls: 'starttls', verifyCertificate: false });
    expect((await release(upgraded.app, await send(upgraded.app, 'ada@corp.test'))).status).toBe(200);
    expect(upgraded.server.received).toMatchObject([{ secure: true }]);
    const wrapped = await start({ tls: 'tls', verifyCertificate: false }, { secure: true });
    expect((await release(wrapped.app, await send(wrapped.app, 'ada@corp.test'))).status).toBe(200);

    const failures: [Partial<Relay>, SMTPServerOptions][] = [
      [{ tls: 'starttls' }, {}],
      [{ tls: 'tls' }, { secure: true }],
      [{ tls: 'starttls' }, { disabledCommands: ['STARTTLS'] }],
    ];
    for (const [settings, options] of failures) {
      const { app, server } = await start(settings, options);
      const { status, json } = await release(app, await send(app, 'ada@corp.test'));
      expect([status, json.error.message]).toEqual([500, expect.stringMatching(/: TLS failed: /)]);
      expect(server.received).toEqual([]);
    }
  });

  it('reports a refused connection', async () => {
    const port = await unusedPort();
    const app = await startApp({
      relay: {
        ...{ host: '127.0.0.1', port, tls: 'none', login: null, verifyCertificate: true },
        ...{ allow: ['*'], auto: [] },
      },
    });
    closers.push(() => app.closeClean());
    const { json } = await release(app, await send(app, 'ada@corp.test'));
    expect(json.error.message).toMatch(/the connection failed: .*ECONNREFUSED/);
    expect(json.error.hint).toBe('Try again later.');
  });
});

describe('with --auto-release', () => {
  it('emails to matching recipients are released automatically, others are not', async () => {
    const { app, server } = await start({ allow: [], auto: ['*@corp.test'] });
    const both = await send(app, ['ada@corp.test', 'eve@example.test']);
    const none = await send(app, 'eve@example.test');
    const received = await capture(app);
    await app.read(`/_svc/emails/${received}`);
    await app.drain();

    expect(server.received.map(({ rcptTo }) => rcptTo)).toEqual([['ada@corp.test'], ['ada@corp.test']]);
    expect(await releasesOf(app, both)).toMatchObject([{ rcpt_to: ['ada@corp.test'], error: null }]);
    expect(await releasesOf(app, received)).toHaveLength(1);
    expect(await releasesOf(app, none)).toEqual([]);
  });

  it('a scheduled email is released when it is sent, a suppressed recipient never', async () => {
    const { app, server } = await start({ auto: ['*@corp.test'] });
    app.clock.freeze();
    await app.call('POST', '/_svc/suppressions', { address: 'bob@corp.test' });
    await app.call('POST', '/v1/emails', {
      ...{ to: ['ada@corp.test', 'bob@corp.test'], from: 'shop@example.test', subject: 'Later', html: 'x' },
      scheduled_at: new Date(app.clock.now() + 60_000).toISOString(),
    });
    await app.drain();
    expect(server.received).toEqual([]);

    await app.call('POST', '/_svc/clock/advance', { by: '1m' });

    expect(server.received.map(({ rcptTo }) => rcptTo)).toEqual([['ada@corp.test']]);
  });

  it('a failed release is retried later', async () => {
    let failures = 2;
    const { app, server } = await start(
      { auto: ['*@corp.test'] },
      { onMailFrom: (_a, _s, done) => done(failures-- > 0 ? reply(451, 'Greylisted') : null) },
    );
    app.clock.freeze();
    const id = await send(app, 'ada@corp.test');
    await app.drain();
    expect(await releasesOf(app, id)).toMatchObject([{ error: expect.stringContaining('Greylisted') }]);

    await app.call('POST', '/_svc/clock/advance', { by: '6m' });

    expect(await releasesOf(app, id)).toMatchObject([{}, { error: expect.stringContaining('451') }, { error: null }]);
    expect(server.received).toHaveLength(1);
  });
});
