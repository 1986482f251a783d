import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchesRecipient } from '../../../src/contract/recipient-pattern.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** Spellings of one mailbox. The first is in NFC, the second in NFD. */
const SPELLINGS = ['Zoë@Bücher.test', 'ZOE\u0308@bu\u0308cher.test', 'zoë@xn--bcher-kva.TEST'];

describe('a mailbox', () => {
  let app: TestApp;
  let smtp: Awaited<ReturnType<TestApp['listen']>>['smtp'];

  beforeAll(async () => {
    app = await startApp({ plan: 'none' });
    ({ smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT }));
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

  it.each(['ada@[127.0.0.1]', 'ada@[IPv6:2001:db8::1]', 'root@web_1', 'root@_dmarc.shop_1.test', 'root@localhost'])(
    'can be named wherever a captured email is, as SMTP accepts it: %s',
    async (address) => {
      await deliver(smtp, `From: ${address}\r\nSubject: Cron\r\n\r\nHi\r\n`, { from: address, to: [address] });
      await app.drain();
      const waited = await app.call('POST', '/_svc/emails/wait', { query: `to:"${address}"`, timeout_ms: 1 });
      const [{ id }] = waited.json.data.emails;
      for (const field of ['to', 'from']) {
        const { emails } = await app.read(`/v1/emails?${field}=${encodeURIComponent(address)}`);
        expect(emails).toMatchObject([{ id }]);
      }

      const simulated = { outcome: 'bounced', recipient: address };
      expect((await app.call('POST', `/_svc/emails/${id}/simulate`, simulated)).status).toBe(200);
      const path = `/_svc/suppressions/${encodeURIComponent(address)}`;
      expect((await app.call('DELETE', path)).status).toBe(204);
      expect((await app.call('POST', '/_svc/suppressions', { address })).status).toBe(201);
      expect((await app.call('DELETE', path)).status).toBe(204);
      if (address !== 'root@localhost') {
        expect((await send({ to: address })).json.error.details).toMatchObject([
          { path: 'to', message: 'must be one address, in the form user@host or Name <user@host>' },
        ]);
      }
    },
  );

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
