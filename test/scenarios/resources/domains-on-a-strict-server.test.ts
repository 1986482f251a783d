import { afterEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests sending domains with `--strict` and `--domain`. Gaps 17 and 18. */

const EMAIL = { to: 'ada@example.test', from: 'shop@mine.test', subject: 'Hi', html: '<p>Hi</p>' };

describe('sending domains of a strict server', () => {
  let app: TestApp;
  afterEach(() => app.closeClean());

  it('are required for a test key, and the refusal names --domain', async () => {
    app = await startApp({ strict: true });
    const { status, json } = await app.call('POST', '/v1/emails', EMAIL);
    expect({ status, code: json.error.code, details: json.error.details }).toEqual({
      status: 403,
      code: 'domain_not_verified',
      details: [{ path: 'from', message: 'sending domain mine.test has not been added' }],
    });
    expect(json.error.hint).toContain('svc dev --domain');
  });

  it('stay pending until their records are published', async () => {
    app = await startApp({ strict: true });
    const verify = async () => (await app.call('POST', '/v1/domains/mine.test/verify')).json.data;
    const { dns_records } = (await app.call('POST', '/v1/domains', { domain: 'mine.test' })).json.data;
    expect(await verify()).toMatchObject({ status: 'pending', dkim_verified: false, spf_verified: false });
    const refused = await app.call('POST', '/v1/emails', EMAIL);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'domain_not_verified']);
    for (const { name } of dns_records) {
      expect((await app.call('PATCH', `/_svc/dns/${name}`, { published: true })).json.data.published).toBe(true);
    }
    expect(await verify()).toMatchObject({ status: 'verified', dkim_verified: true, spf_verified: true });
    expect((await app.call('POST', '/v1/emails', EMAIL)).status).toBe(201);
    await app.call('PATCH', '/_svc/dns/mine.test', { published: false });
    expect(await verify()).toMatchObject({ spf_verified: false });
  });

  it('that the server was started with are verified, also after a reset', async () => {
    app = await startApp({ strict: true, domains: ['mine.test', 'other.test'] });
    const sent = async () => (await app.call('POST', '/v1/emails', EMAIL)).status;
    expect(await sent()).toBe(201);
    const { records } = (await app.call('GET', '/_svc/dns')).json.data;
    expect(records).toHaveLength(8);
    expect(records.filter(({ published }: { published: boolean }) => !published)).toEqual([]);
    expect((await app.call('POST', '/_svc/reset')).status).toBe(204);
    expect(await sent()).toBe(201);
    const { domains } = (await app.call('GET', '/v1/domains')).json.data;
    expect(domains.map(({ domain, status }: Record<string, string>) => [domain, status]).sort()).toEqual([
      ['mine.test', 'verified'],
      ['other.test', 'verified'],
    ]);
  });
});
