import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startServer, type TestServer, WaitError } from '../../src/testing/index.js';
import { createInbox } from '../../src/testing/mail/inbox.js';
import { startReceiver } from '../support/servers/receiver.js';

const FROM = 'Shop <shop@example.test>';

describe('an inbox of the test kit', () => {
  let svc: TestServer;
  const send = (to: string, subject: string, more: { html?: string; tags?: string[] } = {}) =>
    svc.client.call('emails.send', { body: { to, from: FROM, subject, html: `<p>${subject}</p>`, ...more } });

  beforeAll(async () => {
    vi.stubEnv('SVC_BASE_URL', undefined);
    svc = await startServer();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await svc.close();
  });
  beforeEach(() => svc.reset());

  it('returns the email that a wait began before', async () => {
    const inbox = svc.inbox('ada@example.test');
    const waiting = inbox.waitFor({ subject: /RESET/i, from: 'shop@example.test' });
    await send('ada@example.test', 'Welcome');
    await send('grace@example.test', 'Reset your password');
    const { id } = await send('ada@example.test', 'Reset your password');

    expect(await waiting).toMatchObject({ id, subject: 'Reset your password', from: FROM });
  });

  it('returns the newest match, and with "since" only later ones', async () => {
    const inbox = svc.inbox();
    await send(inbox.address, 'Code 1');
    await send(inbox.address, 'Code 2');
    const newest = await inbox.waitFor({ subject: 'code' });
    const next = inbox.waitFor({ subject: 'code', since: newest });
    await send(inbox.address, 'Code 3');

    expect(newest.subject).toBe('Code 2');
    expect((await next).subject).toBe('Code 3');
    expect((await inbox.waitForCount(3)).map(({ subject }) => subject)).toEqual(['Code 1', 'Code 2', 'Code 3']);
  });

  it('shows what arrived instead, and where the test waited', async () => {
    const inbox = svc.inbox('ada@example.test');
    await send('ada@example.test', 'Welcome to the shop');

    const error = await inbox.waitFor({ subject: /reset/i, timeout: 1 }).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(WaitError);
    const { message, stack } = error as WaitError;
    expect(message).toContain('Timed out after 1ms waiting for an email.');
    expect(message).toContain('Inbox: ada@example.test\nQuery: subject:/reset/i');
    expect(message).toMatch(/Welcome to the shop"\n\s+subject:\/reset\/i {2}found: Welcome to the shop/);
    expect(stack?.split('\n').find((line) => line.startsWith('    at '))).toContain('waiting-for-emails.test.ts');
  });

  it('shows how many emails matched, if they are too few or too many', async () => {
    const inbox = svc.inbox();
    for (let sent = 0; sent < 12; sent += 1) await send(inbox.address, `Mail ${sent}`);
    await expect(inbox.waitForCount(13, { timeout: 1 })).rejects.toThrow('waiting for 13 emails, 12 matched');

    const client = { control: async () => ({ emails: [], total: 1_001 }) } as unknown as TestServer['client'];
    await expect(createInbox({ client, since: 'start' }).all()).rejects.toThrow(/More than 1000 emails match/);
  });

  it('finds emails by any recipient', async () => {
    const { address: cc } = svc.inbox();
    const body = { to: 'ada@example.test', cc: [cc], from: FROM, subject: 'Copy', html: '<p>Hi</p>' };
    await svc.client.call('emails.send', { body });

    expect(await svc.emails.waitFor({ to: cc })).toMatchObject({ subject: 'Copy' });
    expect(await svc.emails.all({ search: `header:to=${cc}` })).toEqual([]);
  });

  it('checks that no email arrives', async () => {
    const inbox = svc.inbox();
    await inbox.waitForNone({ timeout: 1 });
    await send(inbox.address, 'Newsletter');

    await expect(inbox.waitForNone({ subject: 'news', timeout: 1 })).rejects.toThrow(/and none should.*"Newsletter"/s);
    await inbox.waitForNone({ subject: 'invoice', timeout: 1 });
  });

  it('finds and deletes the emails of its address only', async () => {
    const [ada, grace] = [svc.inbox(), svc.inbox()];
    for (const inbox of [ada, grace]) await send(inbox.address, 'Hello', { tags: ['a', 'b'] });
    await send(ada.address, 'Bye');

    expect(await ada.all({ tag: ['a', 'b'] })).toHaveLength(1);
    expect(await ada.delete({ subject: 'bye' })).toBe(1);
    expect(await ada.clear()).toBe(1);
    expect(await grace.all()).toHaveLength(1);
  });

  it('returns attachments, the raw message and later states of an email', async () => {
    const inbox = svc.inbox();
    const attachments = [
      { filename: 'invoice.txt', content: Buffer.from('Grüße').toString('base64'), contentType: 'text/plain' },
    ];
    await svc.client.call('emails.send', {
      body: { to: inbox.address, from: FROM, subject: 'Invoice', html: '<p>Hi</p>', attachments },
    });
    const email = await inbox.waitFor({ attachment: 'invoice' });

    expect((await email.attachment(/\.txt$/)).text()).toBe('Grüße');
    await expect(email.attachment('terms.pdf')).rejects.toThrow(/no attachment terms.pdf.*invoice.txt/s);
    expect(await email.raw()).toContain('Subject: Invoice');
    await svc.simulate(email, 'opened');
    expect(await email.waitFor({ event: 'email.opened' })).toMatchObject({ id: email.id });
  });

  it('gives 16 parallel workers of one server only their own emails', async () => {
    const workers = Array.from({ length: 16 }, (_, number) => ({ number, inbox: svc.inbox() }));

    await Promise.all(
      workers.map(async ({ number, inbox }) => {
        await Promise.all(Array.from({ length: 20 }, () => send(inbox.address, `Mail of worker ${number}`)));
        const emails = await inbox.waitForCount(20);
        expect(new Set(emails.map(({ subject }) => subject))).toEqual(new Set([`Mail of worker ${number}`]));
      }),
    );
  });

  it('explains criteria that it cannot use', async () => {
    const inbox = svc.inbox();
    await expect(inbox.waitFor({ subject: /x/g })).rejects.toThrow('the flag "g" of /x/g is not supported');
    await expect(inbox.waitFor({ subjekt: 'x' } as object)).rejects.toThrow(
      '"subjekt" is not a criterion of an email. Did you mean "subject"? Use from, to,',
    );
    await expect(inbox.waitFor({ subject: '' })).rejects.toThrow('subject must be a non-empty string');
    await expect(inbox.waitFor({ search: 'from:(' })).rejects.toThrow('at column 6');
    await expect(inbox.all({ search: 'subject:a) OR (subject:b' })).rejects.toThrow('Invalid query');
    await expect(inbox.waitForCount(0)).rejects.toThrow(/whole number from 1 to 1000, not 0. Use waitForNone/);
    for (const criteria of ['reset', /reset/, ['reset']]) {
      await expect(inbox.waitFor(criteria as never)).rejects.toThrow('Criteria must be an object such as');
      await expect(inbox.delete(criteria as never)).rejects.toThrow('Criteria must be an object such as');
      await expect(svc.webhooks.waitFor('email.sent', criteria as never)).rejects.toThrow(TypeError);
    }
    for (const since of ['now', 0, new Date(0), null]) {
      await expect(inbox.waitFor({ since } as never)).rejects.toThrow('since must be an email that the test received');
      await expect(svc.webhooks.waitFor('email.sent', { since } as never)).rejects.toThrow('since must be a delivery');
    }
    await expect(svc.webhooks.waitFor('email.sent', { too: 'a@b.test' } as never)).rejects.toThrow(
      'Did you mean "to"?',
    );
    await expect(svc.webhooks.waitFor('email.sent', { to: /a/ } as never)).rejects.toThrow('to must be a string');
    const untyped = inbox as unknown as Record<
      'waitFor' | 'waitForNone' | 'waitForCount',
      (...args: unknown[]) => unknown
    >;
    await expect(untyped.waitFor({}, 10)).rejects.toThrow(
      'Unexpected argument after the criteria. Put the time-out into them: waitFor({ timeout: 10 }).',
    );
    await expect(untyped.waitForNone({}, '2s')).rejects.toThrow('waitForNone({ timeout: "2s" })');
    await expect(untyped.waitForCount(2, {}, { timeout: 1 })).rejects.toThrow("waitForCount(2, { timeout: '10s' })");
    expect(() => svc.inbox('ada')).toThrow('inbox() needs an address');
    expect(() => svc.inbox('*@example.test')).toThrow('inbox() needs one address, not the pattern');
  });

  it('waits for a webhook that its receiver accepted', async () => {
    const receiver = await startReceiver();
    await svc.client.call('webhooks.create', { body: { url: receiver.url, events: ['email.bounced'] } });
    const { id } = await send('bounced@simulator.test', 'Hello');

    const delivery = await svc.webhooks.waitFor('email.bounced', { email: id });

    expect(delivery).toMatchObject({
      status: 200,
      attempts: 1,
      event: { data: { email_id: id, bounce_type: 'hard' } },
    });
    await expect(svc.webhooks.waitFor('email.opened', { timeout: 1 })).rejects.toThrow(/subscribed to email.opened/);
    await expect(svc.webhooks.waitFor('email.bounced', { since: delivery, timeout: 1 })).rejects.toThrow('Timed out');

    for (const [name, value] of Object.entries(svc.env)) vi.stubEnv(name, value);
    await using later = await startServer();
    vi.stubEnv('SVC_BASE_URL', undefined);
    await expect(later.webhooks.waitFor('email.bounced', { timeout: 1 })).rejects.toThrow('Timed out');
    await receiver.close();
  });
});
