import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchesRecipient } from '../../../src/contract/recipient-pattern.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Spellings of one mailbox. The first is in NFC, the second in NFD. */
const SPELLINGS = ['Zoë@Bücher.test', 'ZOE\u0308@bu\u0308cher.test', 'zoë@xn--bcher-kva.TEST'];

describe('a mailbox', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ plan: 'none' });
  });

  afterAll(() => app.closeClean());

  const send = (fields: Record<string, unknown>) =>
    app.call('POST', '/v1/emails', { from: 'shop@example.test', subject: 's', html: 'h', ...fields });

  it('is one mailbox in any case, in NFC or NFD, with its domain in Unicode or in ASCII', async () => {
    for (const to of SPELLINGS) expect((await send({ to })).json.data.to).toBe(to);
    expect((await send({ to: SPELLINGS })).status).toBe(201);
    for (const spelling of SPELLINGS) {
      const listed = await app.call('GET', `/v1/emails?to=${encodeURIComponent(spelling)}`);
      expect(listed.json.data.pagination.total).toBe(4);
    }
    const [, second = '', third = ''] = SPELLINGS;
    expect((await app.call('POST', '/_svc/suppressions', { address: second })).status).toBe(201);
    const { id } = (await send({ to: third })).json.data;
    await app.drain();
    const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
    expect(events.map(({ type }: { type: string }) => type)).toContain('email.dropped');
  });

  it('is named by events without its name, also if its local part is quoted', async () => {
    const address = '"a<b"@example.test';
    for (const to of [address, `Ada <${address}>`, `<${address}>`]) {
      const { id } = (await send({ to })).json.data;
      const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
      expect(events.map(({ data }: { data: { to: string } }) => data.to)).toEqual([address, address]);
    }
  });

  it('counts once among the recipients of an email', async () => {
    const { id } = (await send({ to: SPELLINGS, tags: ['once'] })).json.data;
    expect((await app.call('GET', `/_svc/emails/${id}`)).json.data.recipients).toHaveLength(1);
  });

  it('matches a rule in each spelling', async () => {
    await app.call('POST', '/_svc/rules', { to: '*@MÜNCHEN.test', outcome: 'soft-bounced' });
    for (const to of ['a@münchen.test', 'a@xn--mnchen-3ya.test']) {
      const { id } = (await send({ to })).json.data;
      await app.drain();
      expect((await app.call('GET', `/_svc/emails/${id}`)).json.data.recipients[0].status).toBe('bounced');
    }
  });

  it.each([
    ['*münchen.test', true],
    ['b*@MU\u0308n*.test', true],
    ['b*@*.münchen.test', false],
    ['*@xn--mnchen-*', true],
    ['*@mün*.test*', true],
    ['ben@xn--mnchen-3ya.TEST', true],
    ['*@münster.test', false],
  ])('is matched by %j: %s', (pattern, isMatch) => {
    for (const mailbox of ['Ben@München.test', 'ben@xn--mnchen-3ya.test']) {
      expect(matchesRecipient(pattern, mailbox)).toBe(isMatch);
    }
  });

  it('belongs to a verified sending domain in each spelling', async () => {
    const live = await startApp({ apiKey: 'svc_live_scenarios' });
    await live.call('POST', '/v1/domains', { domain: 'xn--bcher-kva.test' });
    await live.call('POST', '/v1/domains/xn--bcher-kva.test/verify');
    for (const from of SPELLINGS) {
      const body = { to: 'ada@example.test', from, subject: 's', html: 'h' };
      expect((await live.call('POST', '/v1/emails', body)).status).toBe(201);
    }
    await live.closeClean();
  });
});
