import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { detailOf, recipientsOf, send, typesOf } from '../../support/simulation.js';

describe('suppression', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.closeClean());

  const bad = { to: 'ada@example.test', times: 1 };

  it.each([
    ['a hard bounce', { ...bad, outcome: 'bounced' }, 'hard_bounce'],
    ['a complaint', { ...bad, outcome: 'complained' }, 'complaint'],
  ])('%s suppresses the address: the next email to it is dropped and never sent', async (_, rule, reason) => {
    await app.call('POST', '/_svc/rules', rule);
    const first = await send(app, 'ada@example.test');
    await app.drain();

    const second = await send(app, 'Ada <ADA@example.test>');
    await app.drain();

    expect(await typesOf(app, second)).toEqual(['dropped']);
    expect(await eventsOf(app, second, 'email.dropped')).toMatchObject([
      { to: 'ADA@example.test', reason: 'suppressed' },
    ]);
    expect(await detailOf(app, second)).toMatchObject({
      status: 'sent',
      sent_at: expect.any(String),
      delivered_at: null,
    });
    const { suppressions } = (await app.call('GET', '/_svc/suppressions')).json.data;
    expect(suppressions).toMatchObject([{ address: 'ada@example.test', reason, email_id: first }]);
    expect((await app.call('GET', `/_svc/emails/${second}`)).json.data.recipients).toMatchObject([
      { suppression: { reason, email_id: first } },
    ]);
    await app.call('DELETE', '/_svc/suppressions/ada@example.test');
    expect((await app.call('GET', `/_svc/emails/${second}`)).json.data.recipients).toMatchObject([
      { suppression: null },
    ]);
  });

  it('lists the addresses that contain a text, in any spelling', async () => {
    for (const address of ['ada@example.test', 'jürgen@bücher.test', 'bob@other.test']) {
      await app.call('POST', '/_svc/suppressions', { address });
    }
    const matches = async (search: string) => {
      const { json } = await app.call('GET', `/_svc/suppressions?search=${encodeURIComponent(search)}`);
      return [json.data.suppressions.map(({ address }: { address: string }) => address), json.data.pagination.total];
    };

    expect(await matches('A@Example')).toEqual([['ada@example.test'], 1]);
    expect(await matches('JÜRGEN')).toEqual([['jürgen@xn--bcher-kva.test'], 1]);
    expect(await matches('@bücher.test')).toEqual([['jürgen@xn--bcher-kva.test'], 1]);
    expect(await matches('%')).toEqual([[], 0]);
  });

  it('a soft bounce does not', async () => {
    await app.call('POST', '/_svc/rules', { ...bad, outcome: 'bounced', bounce_type: 'soft' });
    await send(app, 'ada@example.test');
    await app.drain();
    const second = await send(app, 'ada@example.test');
    await app.drain();

    expect(await typesOf(app, second)).toEqual(['sent', 'delivered']);
  });

  it('a magic recipient never suppresses itself', async () => {
    for (const to of ['bounced@simulator.test', 'complained+x@simulator.test']) {
      await send(app, to);
      await app.drain();
    }

    expect((await app.call('GET', '/_svc/suppressions')).json.data.pagination.total).toBe(0);
  });

  it('does not affect the other recipients of an email', async () => {
    await app.call('POST', '/_svc/suppressions', { address: 'ada@example.test' });
    const id = await send(app, ['ada@example.test', 'bob@example.test']);
    await app.drain();

    expect(await recipientsOf(app, id)).toEqual({ 'ada@example.test': 'dropped', 'bob@example.test': 'delivered' });
    expect(await typesOf(app, id)).toEqual(['dropped', 'sent', 'delivered']);
    expect((await detailOf(app, id)).sent_at).not.toBeNull();
  });

  it('takes precedence over every requested outcome', async () => {
    await app.call('POST', '/_svc/suppressions', { address: 'ada@example.test' });
    const id = await send(app, 'ada@example.test', { headers: { 'x-service-simulate': 'opened' } });
    await app.drain();

    expect(await typesOf(app, id)).toEqual(['dropped']);
  });

  it('of an address while an email to it is scheduled drops that email', async () => {
    app.clock.freeze();
    const scheduled_at = new Date(app.clock.now() + 60_000).toISOString();
    const id = await send(app, 'ada@example.test', { scheduled_at });
    await app.call('POST', '/_svc/suppressions', { address: 'ada@example.test' });
    await app.call('POST', '/_svc/clock/advance', { by: '1m' });

    expect(await detailOf(app, id)).toMatchObject({ status: 'sent', sent_at: expect.any(String) });
  });

  it('ends when the address is removed', async () => {
    await app.call('POST', '/_svc/suppressions', { address: 'Ada <Ada@example.test>' });
    expect((await app.call('DELETE', '/_svc/suppressions/ADA%40example.test')).status).toBe(204);
    const id = await send(app, 'ada@example.test');
    await app.drain();

    expect(await typesOf(app, id)).toEqual(['sent', 'delivered']);
    expect((await app.call('DELETE', '/_svc/suppressions/ada@example.test')).status).toBe(404);
  });

  it('is unchanged when it is added again', async () => {
    await app.call('POST', '/_svc/rules', { ...bad, outcome: 'bounced' });
    await send(app, 'ada@example.test');
    await app.drain();
    const again = await app.call('POST', '/_svc/suppressions', { address: 'ada@example.test' });

    expect(again.json.data.reason).toBe('hard_bounce');
    expect((await app.call('POST', '/_svc/suppressions', { address: 'nobody' })).status).toBe(422);
  });

  it('is listed newest first, in pages', async () => {
    for (const name of ['a', 'b', 'c'])
      await app.call('POST', '/_svc/suppressions', { address: `${name}@example.test` });
    const { suppressions, pagination } = (await app.call('GET', '/_svc/suppressions?limit=2&offset=1')).json.data;

    expect(suppressions.map(({ address }: { address: string }) => address)).toEqual([
      'b@example.test',
      'a@example.test',
    ]);
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false });
  });
});
