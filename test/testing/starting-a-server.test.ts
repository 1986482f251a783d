import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startServer, type TestServer } from '../../src/testing/index.js';

const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html: '<p>Hello</p>' };

describe('a server for tests', () => {
  const servers: TestServer[] = [];
  const start = async (...options: Parameters<typeof startServer>) => {
    const svc = await startServer(...options);
    servers.push(svc);
    return svc;
  };

  beforeEach(() => {
    vi.stubEnv('SVC_BASE_URL', undefined);
    vi.stubEnv('SVC_SINCE', undefined);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const svc of servers.splice(0)) await svc.close();
  });

  it.each([{}, { inProcess: true }])('answers on the addresses in its variables: %o', async (options) => {
    const svc = await start(options);

    const response = await fetch(`${svc.env.SVC_BASE_URL}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${svc.env.SVC_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(EMAIL),
    });

    expect(response.status).toBe(201);
    expect(svc.env).toMatchObject({ SVC_SMTP_HOST: '127.0.0.1', SVC_SMTP_PORT: String(svc.smtp.port) });
    expect((await svc.emails.all()).map(({ subject }) => subject)).toEqual(['Hello']);
  });

  it('stops at the end of a block with "await using"', async () => {
    let baseUrl = '';
    {
      await using svc = await startServer({ inProcess: true });
      baseUrl = svc.baseUrl;
      expect((await fetch(`${baseUrl}/emails`)).status).toBe(401);
    }
    await expect(fetch(`${baseUrl}/emails`)).rejects.toThrow('fetch failed');
  });

  it('reports calls after it was closed', async () => {
    for (const options of [{}, { inProcess: true }]) {
      const svc = await startServer(options);
      await svc.close();
      await svc.close();
      await expect(svc.emails.all()).rejects.toThrow('the test closed this server');
    }
  });

  it('adds and verifies domains, which a strict server requires', async () => {
    const svc = await start({ inProcess: true, strict: true, domains: ['shop.test'] });
    const send = (from: string) => svc.client.call('emails.send', { body: { ...EMAIL, from } });

    await expect(send('a@other.test')).rejects.toMatchObject({ name: 'ApiFailure', status: 403 });
    expect(await send('a@shop.test')).toMatchObject({ status: 'sent' });
  });

  it('deletes data and resets the clock, and keeps its key and domains', async () => {
    const svc = await start({ inProcess: true, domains: ['shop.test'] });
    await svc.client.call('emails.send', { body: EMAIL });
    await svc.rules.add('*@corp.test', 'bounced');
    await svc.clock.advance('2h');

    await svc.reset();

    expect(await svc.emails.all()).toEqual([]);
    expect(await svc.rules.list()).toEqual([]);
    expect((await svc.client.control('clock.get')).offset_ms).toBe(0);
    expect((await svc.client.call('domains.list')).domains).toMatchObject([{ domain: 'shop.test' }]);
  });

  it('connects to the server that SVC_BASE_URL names, and leaves it running', async () => {
    const running = await start({ inProcess: true });
    await running.client.call('emails.send', { body: { ...EMAIL, subject: 'Yesterday' } });
    for (const [name, value] of Object.entries(running.env)) vi.stubEnv(name, value);

    const svc = await start();
    await svc.client.call('emails.send', { body: { ...EMAIL, subject: 'Today' } });
    expect(svc.baseUrl).toBe(running.baseUrl);
    expect((await svc.emails.all()).map(({ subject }) => subject)).toEqual(['Today']);
    await expect(startServer({ strict: true })).rejects.toThrow('pass fresh: true');

    await svc.close();
    expect(await running.emails.all()).toHaveLength(2);
  });

  it('keeps to a workspace of its own on a running server, also with an application that others use', async () => {
    const running = await start({ inProcess: true });
    await running.client.call('emails.send', { body: EMAIL });
    await running.clock.advance('2h');
    for (const [name, value] of Object.entries(running.env)) vi.stubEnv(name, value);

    const [one, two] = [await start({ workspace: 'shop' }), await start({ workspace: 'shop' })];
    const inbox = one.inbox();
    await running.client.call('emails.send', { body: { ...EMAIL, to: inbox.address, subject: 'Shared' } });
    const { SVC_SMTP_USER: user, SVC_SMTP_PASSWORD: pass } = one.env;
    const transport = createTransport({ ...one.smtp, auth: { user, pass } });
    await transport.sendMail({ from: EMAIL.from, to: EMAIL.to, subject: 'SMTP', text: 'Hi' });
    transport.close();

    expect((await inbox.waitFor()).subject).toBe('Shared');
    expect((await one.emails.waitForCount(2)).map(({ subject }) => subject)).toEqual(['Shared', 'SMTP']);
    await two.reset();
    expect(await two.emails.clear()).toBe(0);
    await expect(two.clock.freeze()).rejects.toMatchObject({ status: 403 });
    expect(await one.emails.clear()).toBe(2);
    expect((await running.emails.all()).map(({ subject }) => subject)).toEqual(['Hello']);
    expect((await running.client.control('clock.get')).offset_ms).toBe(7_200_000);
  });

  it('reports that the server stopped during a wait', async () => {
    const running = await start({ inProcess: true });
    for (const [name, value] of Object.entries(running.env)) vi.stubEnv(name, value);
    const svc = await start();

    const waiting = expect(svc.emails.waitFor()).rejects.toThrow('stopped during the wait');
    // The answer shows that the server has the wait, which was sent before.
    await svc.client.call('emails.list');
    await running.close();
    await waiting;
  });

  it('explains what is wrong with its options and its environment', async () => {
    await expect(startServer({ deliveryDelay: 'soon' })).rejects.toThrow('deliveryDelay must be milliseconds');
    await expect(startServer({ domain: 'shop.test' } as object)).rejects.toThrow(
      '"domain" is not an option of startServer(). Did you mean "domains"?',
    );
    await expect(startServer({ apiKey: 'secret' })).rejects.toThrow('must start with svc_test_ or svc_live_');
    await expect(startServer({ workspace: 'My shop' })).rejects.toThrow('workspace must be 1 to 40 lower-case');
    for (const workspace of [7, null]) {
      const options = { workspace } as unknown as { workspace: string };
      await expect(startServer(options)).rejects.toThrow(`not ${workspace}.`);
    }
    await expect(startServer({ plan: 'gold' as 'none' })).rejects.toThrow('plan must be one of free, indie,');
    await expect(startServer({ httpPort: 80_000 })).rejects.toThrow('httpPort must be a port from 0 to 65535');
    await expect(startServer({ domains: ['no domain'] })).rejects.toThrow('domains: "no domain" must be');
    vi.stubEnv('SVC_BASE_URL', '127.0.0.1:9');
    await expect(startServer()).rejects.toThrow('SVC_BASE_URL must be a URL such as');
    vi.stubEnv('SVC_BASE_URL', 'http://127.0.0.1:9/v1');
    vi.stubEnv('SVC_API_KEY', undefined);
    await expect(startServer()).rejects.toThrow('SVC_API_KEY is not');
    vi.stubEnv('SVC_API_KEY', 'svc_test_x');
    await expect(startServer()).rejects.toThrow('Cannot connect to http://127.0.0.1:9/v1');
  });
});
