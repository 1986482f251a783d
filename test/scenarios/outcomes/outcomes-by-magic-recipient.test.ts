import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomes } from '../../../src/contract/vocabulary/outcomes.js';
import { eventsOf } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { detailOf, recipientsOf, send, typesOf } from '../../support/simulation.js';

/** The result of each outcome by itself, without advancing time. */
const expected: Record<(typeof outcomes)[number], { status: string; types: string[] }> = {
  delivered: { status: 'delivered', types: ['sent', 'delivered'] },
  bounced: { status: 'bounced', types: ['sent', 'bounced'] },
  'soft-bounced': { status: 'bounced', types: ['sent', 'bounced'] },
  complained: { status: 'complained', types: ['sent', 'delivered', 'complained'] },
  dropped: { status: 'sent', types: ['dropped'] },
  opened: { status: 'delivered', types: ['sent', 'delivered', 'opened'] },
  clicked: { status: 'delivered', types: ['sent', 'delivered', 'opened', 'clicked'] },
  deferred: { status: 'sent', types: ['sent'] },
  none: { status: 'sent', types: ['sent'] },
};

describe('outcomes by magic recipient', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });

  afterEach(() => app.closeClean());

  it.each(outcomes)('%s@simulator.test, with a label or without, in any case', async (outcome) => {
    for (const to of [`${outcome}@simulator.test`, `Ada <${outcome.toUpperCase()}+order-7@Simulator.test>`]) {
      const id = await send(app, to);
      await app.drain();
      expect({ status: (await detailOf(app, id)).status, types: await typesOf(app, id) }).toEqual(expected[outcome]);
    }
  });

  it('gives each recipient of one email its own outcome, and the email the worst', async () => {
    const to = ['opened@simulator.test', 'bounced@simulator.test', 'ada@example.test', 'nobody@simulator.test'];
    const id = await send(app, to, { bcc: 'complained@simulator.test' });
    await app.drain();

    expect(await recipientsOf(app, id)).toEqual({
      'opened@simulator.test': 'delivered',
      'bounced@simulator.test': 'bounced',
      'ada@example.test': 'delivered',
      'nobody@simulator.test': 'delivered',
      'complained@simulator.test': 'complained',
    });
    expect((await detailOf(app, id)).status).toBe('complained');
  });

  it('delivers to a name that is not an outcome, and warns in the response and the email of a likely misspelling', async () => {
    const body = {
      to: ['bounce@simulator.test', 'ada@example.test'],
      from: 'a@b.test',
      subject: 'Hi',
      html: '<p>Hi</p>',
    };
    // The note about the sender's domain is sent once.
    await app.call('POST', '/v1/emails', { ...body, to: 'ada@example.test' });
    const { headers, json } = await app.call('POST', '/v1/emails', body);
    const message =
      'bounce@simulator.test does not name an outcome, so its email is delivered (did you mean bounced@simulator.test?)';
    expect(headers['x-service-warning']).toEqual([`simulator_recipient; to: ${message}`]);
    expect((await app.call('GET', `/_svc/emails/${json.data.id}`)).json.data).toMatchObject({
      status: 'delivered',
      warnings: [{ code: 'simulator_recipient', message }],
    });

    const { headers: both } = await app.call('POST', '/v1/emails', { ...body, to: 'zz@simulator.test', subjekt: 'Hi' });
    expect([both['x-service-warning']].flat().join(', ')).toMatch(
      /^unknown_field; subjekt: .*, simulator_recipient; to: zz@\S+ does not name an outcome.*outcomes: delivered, /,
    );
  });

  it('does not warn of such a name when a rule or the header decides', async () => {
    await app.call('POST', '/_svc/rules', { to: '*@simulator.test', outcome: 'none', times: 1 });
    const body = { to: 'bounce@simulator.test', from: 'a@b.test', subject: 'Hi', html: '<p>Hi</p>' };
    await app.call('POST', '/v1/emails', { ...body, to: 'ada@example.test' });
    const byRule = await app.call('POST', '/v1/emails', body);
    const byHeader = await app.call('POST', '/v1/emails', body, { 'x-service-simulate': 'opened' });

    for (const { status, headers } of [byRule, byHeader]) {
      expect({ status, warning: headers['x-service-warning'] }).toEqual({ status: 201, warning: undefined });
    }
  });

  it('uses a provider’s typical values', async () => {
    const hard = await send(app, 'bounced@simulator.test');
    const soft = await send(app, 'soft-bounced@simulator.test');
    const complaint = await send(app, 'complained@simulator.test');
    const click = await send(app, 'clicked@simulator.test');
    await app.drain();

    expect(await eventsOf(app, hard, 'email.bounced')).toEqual([
      {
        email_id: hard,
        to: 'bounced@simulator.test',
        bounced_at: new Date(app.clock.now()).toISOString(),
        bounce_type: 'hard',
        reason: (await detailOf(app, hard)).bounce_reason,
        smtp_response: expect.stringMatching(/^550 5\.\d\.\d+ <bounced@simulator\.test>: \S/),
      },
    ]);
    expect(await eventsOf(app, soft, 'email.bounced')).toMatchObject([
      { bounce_type: 'soft', smtp_response: expect.stringMatching(/^4\d\d 4\.\d\.\d+ /) },
    ]);
    expect(await eventsOf(app, complaint, 'email.complained')).toMatchObject([
      { complaint_type: 'abuse', feedback_id: expect.stringMatching(/^fbl_[0-9a-f]{24}$/) },
    ]);
    expect(await eventsOf(app, click, 'email.clicked')).toMatchObject([
      { url: 'https://shop.test/o/7', ip_address: expect.any(String), user_agent: expect.stringMatching(/^Mozilla/) },
    ]);
    expect(await detailOf(app, click)).toMatchObject({ opens_count: 1, clicks_count: 1 });
  });

  it('gives the same values for the same address in every run', async () => {
    const [first, second] = [await send(app, 'bounced+a@simulator.test'), await send(app, 'bounced+a@simulator.test')];
    await app.drain();

    const responses = await Promise.all([first, second].map((id) => eventsOf(app, id, 'email.bounced')));
    expect(responses[0]?.[0]?.smtp_response).toBe(responses[1]?.[0]?.smtp_response);
  });

  it('uses a label that is a complaint type or a drop reason', async () => {
    const fraud = await send(app, 'complained+fraud@simulator.test');
    const suppressed = await send(app, 'dropped+suppressed@simulator.test');
    const invalid = await send(app, 'dropped+whatever@simulator.test');
    await app.drain();

    expect(await eventsOf(app, fraud, 'email.complained')).toMatchObject([{ complaint_type: 'fraud' }]);
    expect(await eventsOf(app, suppressed, 'email.dropped')).toMatchObject([{ reason: 'suppressed' }]);
    expect(await eventsOf(app, invalid, 'email.dropped')).toMatchObject([{ reason: 'invalid_address' }]);
  });

  it('reports an email whose every recipient was dropped as sent, with sent_at', async () => {
    const sent = await app.call('POST', '/v1/emails', {
      to: 'dropped@simulator.test',
      from: 'shop@example.test',
      subject: 'Hi',
      html: 'Hi',
    });
    expect(sent.json.data.status).toBe('sent');
    expect(await detailOf(app, sent.json.data.id)).toMatchObject({
      status: 'sent',
      sent_at: sent.json.data.created_at,
    });
  });
});
