import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startServer, type TestServer } from '../../src/testing/index.js';
import { svcTest } from '../../src/testing/vitest.js';

const HTML = '<p>Your code is <b>482913</b>.</p><a href="https://shop.test/reset?token=a1">Reset password</a>';

const test = svcTest({ fresh: true, inProcess: true });

describe('the matchers', () => {
  let svc: TestServer;
  const send = (to: string, html = HTML) =>
    svc.client.call('emails.send', { body: { to, from: 'shop@example.test', subject: 'Reset', html } });

  beforeAll(async () => {
    vi.stubEnv('SVC_BASE_URL', undefined);
    svc = await startServer({ inProcess: true });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await svc.close();
  });
  beforeEach(() => svc.reset());

  it('toHaveReceivedEmail waits for an email, or checks that none comes', async () => {
    const inbox = svc.inbox();
    const arriving = expect(inbox).toHaveReceivedEmail({ subject: 'reset' });
    await send(inbox.address);
    await arriving;

    await expect(inbox).not.toHaveReceivedEmail({ subject: 'welcome', timeout: 1 });
    await expect(expect(inbox).toHaveReceivedEmail({ subject: 'welcome', timeout: 1 })).rejects.toThrow(
      /subject:welcome {2}found: Reset/,
    );
    await expect(expect(inbox).not.toHaveReceivedEmail({ timeout: 1 })).rejects.toThrow('none should');
    await expect(expect(inbox).not.toHaveReceivedEmail({}, { timeout: 1 })).rejects.toThrow('none should');
  });

  it('refuse arguments that they do not have', async () => {
    const inbox = svc.inbox();
    await send(inbox.address);
    const email = await inbox.waitFor();
    const untyped = expect as unknown as (value: unknown) => Record<string, (...args: unknown[]) => unknown>;

    for (const [value, matcher, args] of [
      [inbox, 'toHaveReceivedEmail', [{}, {}, 1]],
      [email, 'toHaveLink', ['reset', {}]],
      [email, 'toHaveCode', ['1', {}]],
    ] as const) {
      await expect((async () => untyped(value)[matcher]?.(...args))()).rejects.toThrow('too many arguments');
    }
    await expect((async () => untyped(inbox).toHaveReceivedEmail?.({}, { timeuot: 1 }))()).rejects.toThrow(
      'Did you mean "timeout"?',
    );
  });

  it('toHaveLink and toHaveCode show what the email has instead', async () => {
    const inbox = svc.inbox();
    await send(inbox.address);
    const email = await inbox.waitFor({ has: ['link', 'code'] });

    expect(email).toHaveLink(/\/reset\?token=/);
    expect(email).toHaveLink({ text: 'password', kind: 'reset' });
    expect(email).not.toHaveLink('unsubscribe');
    expect(email).toHaveCode('482913');
    expect(email.link()).toBe('https://shop.test/reset?token=a1');
    expect(email.code()).toBe('482913');
    expect(() => expect(email).toHaveLink('verify')).toThrow(
      /matches "verify".*https:\/\/shop\.test\/reset\?token=a1/s,
    );
    expect(() => expect(email).toHaveCode('1')).toThrow(/one-time code 1.*482913/s);
    expect(() => email.link('verify')).toThrow('no link that matches "verify"');
    expect(() => expect(email).toHaveLink({ url: 'reset' } as object)).toThrow('"url" is not a criterion of a link');
    expect(() => expect(email).not.toHaveLink(1 as never)).toThrow('A pattern must be a string or a regular');
    expect(() => expect(email).not.toHaveCode(482913 as never)).toThrow('A pattern must be a string or a regular');
  });

  it('toBeDelivered waits for the delivery, and fails at once after a bounce', async () => {
    const inbox = svc.inbox();
    await send(inbox.address);
    await expect(await inbox.waitFor()).toBeDelivered();

    await send('bounced@simulator.test');
    const bounced = await svc.inbox('bounced@simulator.test').waitFor({ event: 'email.bounced' });
    await expect(bounced).not.toBeDelivered();
    await expect(expect(bounced).toBeDelivered()).rejects.toThrow(
      /not delivered: bounced\.\nIts recipients:\n {2}bounced@simulator\.test: bounced/,
    );
  });

  it('toMatchEmailSnapshot compares content without codes and tokens', async () => {
    const inbox = svc.inbox();
    await send(inbox.address);
    const first = await inbox.waitFor({ has: 'code' });
    await send(inbox.address, HTML.replace('482913', '771204').replace('token=a1', 'token=b2'));
    const second = await inbox.waitFor({ has: 'code', since: first });

    expect(first).toMatchEmailSnapshot('reset');
    expect(second.html).not.toBe(first.html);
    expect(second).toMatchEmailSnapshot('reset again');
  });

  it('explain what they were called with', async () => {
    const inbox = svc.inbox();
    expect(() => expect(inbox).toHaveLink()).toThrow('toHaveLink() needs an email');
    expect(() => expect(Promise.resolve()).toHaveCode()).toThrow('Put await before');
    await expect(expect('ada@example.test').toHaveReceivedEmail()).rejects.toThrow('needs an inbox');
  });
});

describe('the fixtures of vitest', () => {
  const seen: string[] = [];

  for (const name of ['one', 'another']) {
    test(`give ${name} test an inbox of its own`, async ({ svc, inbox }) => {
      expect(seen).not.toContain(inbox.address);
      seen.push(inbox.address);
      await svc.client.call('emails.send', {
        body: { to: inbox.address, from: 'shop@example.test', subject: name, html: '<p>Hi</p>' },
      });
      await expect(inbox).toHaveReceivedEmail({ subject: name });
    });
  }
});
