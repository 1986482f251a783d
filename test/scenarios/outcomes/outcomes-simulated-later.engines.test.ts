import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { detailOf, recipientsOf, send, typesOf } from '../../support/simulation.js';

describe('simulating an outcome of a sent email', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });

  afterEach(() => app.closeClean());

  const simulate = (id: string, body: object) => app.call('POST', `/_svc/emails/${id}/simulate`, body);

  it('bounces a delivered email, with the reason', async () => {
    const id = await send(app, 'ada@example.test');
    await app.drain();

    const reason = '550 5.1.1 No such user';
    const answer = await simulate(id, { outcome: 'bounced', reason });

    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual({
      id,
      outcome: 'bounced',
      status: 'bounced',
      recipients: [{ address: 'ada@example.test', status: 'bounced' }],
      url: null,
      due_at: null,
    });
    expect(await detailOf(app, id)).toMatchObject({ status: 'bounced', bounce_reason: reason });
    expect(await eventsOf(app, id, 'email.bounced')).toMatchObject([{ reason, smtp_response: reason }]);
  });

  it('clicks the named link for one recipient, with the named browser and address', async () => {
    const id = await send(app, ['ada@example.test', 'bob@example.test']);
    await app.drain();

    const { json } = await simulate(id, {
      outcome: 'clicked',
      recipient: 'Bob@example.test',
      url: 'https://shop.test/other',
      user_agent: 'Test/1',
      ip_address: '192.0.2.9',
    });

    expect(json.data.url).toBe('https://shop.test/other');
    const common = { to: 'bob@example.test', user_agent: 'Test/1', ip_address: '192.0.2.9' };
    expect(await eventsOf(app, id, 'email.opened')).toMatchObject([common]);
    expect(await eventsOf(app, id, 'email.clicked')).toMatchObject([{ ...common, url: 'https://shop.test/other' }]);
  });

  it('does not open the email a second time on a second click', async () => {
    const id = await send(app, 'ada@example.test');
    await app.drain();
    await simulate(id, { outcome: 'clicked' });
    await simulate(id, { outcome: 'clicked' });

    expect(await typesOf(app, id)).toEqual(['sent', 'delivered', 'opened', 'clicked', 'clicked']);
  });

  it('replaces what was still to happen', async () => {
    const id = await send(app, 'deferred@simulator.test');
    await app.drain();
    await simulate(id, { outcome: 'bounced' });
    await app.call('POST', '/_svc/clock/advance', { by: '1h' });

    expect(await typesOf(app, id)).toEqual(['sent', 'bounced']);
  });

  it('keeps a deferred delivery pending indefinitely with none', async () => {
    const id = await send(app, 'deferred@simulator.test');
    await simulate(id, { outcome: 'none' });
    await app.call('POST', '/_svc/clock/advance', { by: '1h' });

    expect(await typesOf(app, id)).toEqual(['sent']);
  });

  it('happens later with a delay', async () => {
    const id = await send(app, 'ada@example.test');
    await app.drain();
    const { json } = await simulate(id, { outcome: 'complained', delay: '2h' });
    expect(json.data.due_at).toBe(new Date(app.clock.now() + 7_200_000).toISOString());
    expect((await detailOf(app, id)).status).toBe('delivered');

    await app.call('POST', '/_svc/clock/advance', { by: 'PT2H' });

    expect((await detailOf(app, id)).status).toBe('complained');
  });

  it('requires the recipient of an email with several, or all of them', async () => {
    const id = await send(app, ['ada@example.test', 'bob@example.test']);
    await app.drain();

    const { status, json } = await simulate(id, { outcome: 'bounced' });

    expect(status).toBe(422);
    expect(json.error).toMatchObject({
      message: `Email ${id} has 2 recipients: ada@example.test, bob@example.test.`,
      details: [{ path: 'recipient' }],
    });
    expect(await typesOf(app, id)).not.toContain('bounced');
    const both = await simulate(id, { outcome: 'bounced', recipient: 'ada@example.test', all: true });
    expect(both.json.error.details).toMatchObject([{ path: 'all', message: 'cannot be combined with recipient' }]);

    await simulate(id, { outcome: 'bounced', recipient: 'ada@example.test' });
    expect(await recipientsOf(app, id)).toMatchObject({
      'ada@example.test': 'bounced',
      'bob@example.test': 'delivered',
    });
  });

  it('applies with all to the recipients that it can apply to', async () => {
    const id = await send(app, ['bounced@simulator.test', 'ada@example.test']);
    await app.drain();
    const answer = await simulate(id, { outcome: 'complained', all: true });

    expect(answer.json.data.recipients).toEqual([{ address: 'ada@example.test', status: 'complained' }]);
    expect(await recipientsOf(app, id)).toMatchObject({ 'bounced@simulator.test': 'bounced' });
  });

  it.each([
    ['bounced', 'opened', /bounced@simulator\.test is bounced/],
    ['delivered', 'delivered', /already has the outcome delivered/],
    ['delivered', 'deferred', /is delivered/],
    ['complained', 'complained', /already has the outcome complained/],
    ['delivered', 'dropped', /is already sent/],
    ['dropped', 'delivered', /is dropped/],
  ])('refuses for an email that was %s the outcome %s: a conflict, and no event', async (was, outcome, message) => {
    const id = await send(app, `${was}@simulator.test`);
    await app.drain();
    const before = await typesOf(app, id);

    const refused = await simulate(id, { outcome });

    expect(refused.status).toBe(409);
    expect(refused.json.error.message).toMatch(message);
    expect(await typesOf(app, id)).toEqual(before);
  });

  it('reports the status of a scheduled and a cancelled email in a conflict', async () => {
    const scheduled_at = new Date(app.clock.now() + 60_000).toISOString();
    const id = await send(app, 'ada@example.test', { scheduled_at });
    const early = await simulate(id, { outcome: 'bounced' });
    await app.call('DELETE', `/v1/emails/${id}`);
    const late = await simulate(id, { outcome: 'bounced' });

    expect([early.status, late.status]).toEqual([409, 409]);
    expect(early.json.error.message).toMatch(/scheduled/);
    expect(late.json.error.message).toMatch(/cancelled/);
  });

  it.each([
    [{ outcome: 'exploded' }, 'outcome'],
    [{ outcome: 'bounced', url: 'https://a.test/' }, 'url'],
    [{ outcome: 'delivered', reason: 'no' }, 'reason'],
    [{ outcome: 'clicked', ip_address: '1.2.3' }, 'ip_address'],
    [{ outcome: 'bounced', recipient: 'eve@example.test' }, 'recipient'],
    [{ outcome: 'deferred', delay: '5 minutes' }, 'delay'],
  ])('refuses %j at %s', async (body, path) => {
    const id = await send(app, 'ada@example.test');
    const refused = await simulate(id, body);

    expect(refused.status).toBe(422);
    expect(refused.json.error.details[0].path).toBe(path);
  });

  it('clicks an email without a link only if a URL is named', async () => {
    const id = await send(app, 'ada@example.test', { html: '<p>Hi</p>' });
    await app.drain();
    const refused = await simulate(id, { outcome: 'clicked' });

    expect(refused.json.error.details[0].path).toBe('url');
    expect((await simulate(id, { outcome: 'clicked', url: 'https://shop.test/' })).status).toBe(200);
  });

  it('does not find an unknown email', async () => {
    expect((await simulate('msg_nothing', { outcome: 'opened' })).status).toBe(404);
  });
});
