import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEvents } from '../../support/events.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { detailOf, recipientsOf, send, typesOf } from '../../support/simulation.js';

describe('outcomes by header', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });

  afterEach(() => app.closeClean());

  it('applies to every recipient, before magic recipients and rules', async () => {
    await app.call('POST', '/_svc/rules', { to: '*', outcome: 'complained' });
    const to = ['delivered@simulator.test', 'ada@example.test'];
    const id = await send(app, to, { headers: { 'x-service-simulate': 'bounced' } });
    await app.drain();

    expect(await recipientsOf(app, id)).toEqual({
      'delivered@simulator.test': 'bounced',
      'ada@example.test': 'bounced',
    });
  });

  it('is kept for a scheduled email until it is sent', async () => {
    const scheduled_at = new Date(app.clock.now() + 60_000).toISOString();
    const id = await send(app, 'ada@example.test', { scheduled_at, headers: { 'x-service-simulate': 'opened' } });

    await app.call('POST', '/_svc/clock/advance', { by: '1m' });

    expect(await typesOf(app, id)).toEqual(['sent', 'delivered', 'opened']);
  });

  it('is refused with an unknown value, and nothing is stored', async () => {
    const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: 'Hi' };
    const refused = await app.call('POST', '/v1/emails', body, { 'x-service-simulate': 'boounced' });

    expect(refused.status).toBe(422);
    expect(refused.json.error).toMatchObject({ code: 'validation_error', details: [{ path: 'X-Service-Simulate' }] });
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(0);
  });

  it('fails with upstream_error for upstream-error after the checks of the request, and stores nothing', async () => {
    const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: 'Hi' };
    const simulate = { 'x-service-simulate': 'Upstream-Error' };
    expect((await app.call('POST', '/v1/emails', { ...body, html: undefined }, simulate)).status).toBe(422);

    const failed = await app.call('POST', '/v1/emails', body, simulate);

    expect([failed.status, failed.json.error.code]).toEqual([500, 'upstream_error']);
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(0);
    expect((await app.call('GET', '/v1/analytics/emails')).json.data.total.sent).toBe(0);
    const { paths } = (await app.call('GET', '/v1/openapi.json')).json;
    expect(paths['/emails'].post.responses['500'].$ref).toMatch(/Upstream/);
  });

  async function sendBySmtp(headerLines: string, recipients: string[], isLast: string): Promise<string> {
    const events = readEvents(app);
    const { smtp } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
    const session = await openSmtp(smtp);
    await session.reply();
    for (const line of [
      'EHLO test',
      'MAIL FROM:<shop@example.test>',
      ...recipients.map((to) => `RCPT TO:<${to}>`),
      'DATA',
    ]) {
      expect(await session.say(line)).toMatch(/^[23]/);
    }
    const accepted = await session.say(
      `Subject: Hi\r\nFrom: shop@example.test\r\n${headerLines}\r\nHi https://shop.test/a\r\n.`,
    );
    session.socket.end();
    await events.until(({ type }) => type === isLast);
    await events.stop();
    await app.drain();
    return /msg_\w+/.exec(accepted ?? '')?.[0] ?? '';
  }

  it('is read from a message over SMTP in the same form', async () => {
    const id = await sendBySmtp('x-service-simulate:  Clicked \r\n', ['ada@example.test'], 'email.clicked');

    expect(await typesOf(app, id)).toEqual(['sent', 'delivered', 'clicked']);
    // Opens of messages over SMTP are not tracked.
    expect(await detailOf(app, id)).toMatchObject({ opens_count: 0, clicks_count: 1 });
  });

  it('is ignored over SMTP with an unknown value, and the email reports that', async () => {
    const id = await sendBySmtp('X-Service-Simulate: boounced\r\n', ['complained@simulator.test'], 'email.complained');

    const { warnings, status } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
    expect(status).toBe('complained');
    expect(warnings).toMatchObject([{}, { code: 'unverified_domain' }]);
    expect(warnings[0]).toEqual({
      code: 'ignored_outcome',
      level: 'warning',
      path: 'X-Service-Simulate',
      message: expect.stringMatching(/^must be one of .*, not "boounced"; the header is ignored$/),
      advice: 'Correct the value of the header.',
      strict_status: 422,
    });
  });
});
