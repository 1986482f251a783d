import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEvents } from '../../support/events.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Specification: Domain; gaps 17 and 18, with the simulated DNS. */

const DOMAIN = 'mail.example.com';
const LIVE = 'svc_live_scenarios';

describe('a sending domain', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ apiKey: LIVE });
  });

  afterEach(() => app.closeClean());

  const add = (domain = DOMAIN) => app.call('POST', '/v1/domains', { domain });
  const verify = () => app.call('POST', `/v1/domains/${DOMAIN}/verify`);
  const setPublished = (name: string, published: boolean) => app.call('PATCH', `/_svc/dns/${name}`, { published });

  it('is pending when added, verified once its records are found, and gone when removed', async () => {
    const created = await add();
    expect(created.status).toBe(201);
    expect(created.json.data).toMatchObject({ domain: DOMAIN, status: 'pending' });
    const pending = (await app.call('GET', `/v1/domains/${DOMAIN}`)).json.data;
    expect(pending).toEqual({
      domain: DOMAIN,
      status: 'pending',
      dkim_verified: false,
      spf_verified: false,
      dmarc_verified: false,
      created_at: pending.created_at,
    });
    const verified = await verify();
    expect([verified.status, verified.json.data]).toEqual([
      200,
      { ...pending, status: 'verified', dkim_verified: true, spf_verified: true, dmarc_verified: true },
    ]);
    await add('other.example.com');
    const { domains } = (await app.call('GET', '/v1/domains')).json.data;
    expect(domains.map(({ domain }: { domain: string }) => domain)).toEqual(['other.example.com', DOMAIN]);
    expect(domains[1]).toEqual(verified.json.data);
    expect((await app.call('DELETE', `/v1/domains/${DOMAIN}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/verify'],
      ['DELETE', ''],
    ] as const) {
      const answer = await app.call(method, `/v1/domains/${DOMAIN}${path}`);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
    }
  });

  it('returns the records to publish, in the specification’s form', async () => {
    const { dns_records } = (await add()).json.data;
    expect(dns_records).toEqual([
      {
        type: 'TXT',
        name: `_svc-verification.${DOMAIN}`,
        value: expect.stringMatching(/^svc-verification=[A-Za-z0-9]{32}$/),
        purpose: 'verification',
      },
      { type: 'TXT', name: DOMAIN, value: 'v=spf1 include:_spf.svc-mail.example ~all', purpose: 'spf' },
      {
        type: 'TXT',
        name: `svc._domainkey.${DOMAIN}`,
        value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/),
        purpose: 'dkim',
      },
    ]);
    const other = (await add('other.example.com')).json.data.dns_records;
    expect(other[0].value).not.toBe(dns_records[0].value);
    expect(other[2].value).not.toBe(dns_records[2].value);
  });

  it('can be added once, even by concurrent callers', async () => {
    const answers = await Promise.all([add(), add(), add(), add()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const again = await add();
    expect([again.status, again.json.error.code, again.json.error.details[0].path]).toEqual([
      409,
      'validation_error',
      'domain',
    ]);
  });

  it('stays pending while a record is removed from the simulated DNS, and verifies once it is published again', async () => {
    await add();
    const name = `svc._domainkey.${DOMAIN}`;
    const out = await setPublished(name, false);
    expect([out.status, out.json.data]).toMatchObject([
      200,
      { domain: DOMAIN, name, purpose: 'dkim', published: false },
    ]);
    expect((await verify()).json.data).toMatchObject({ status: 'pending', dkim_verified: false, spf_verified: true });
    const send = { to: 'ada@example.test', from: `shop@${DOMAIN}`, subject: 'Hi', html: 'Hi' };
    const refused = await app.call('POST', '/v1/emails', send);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'domain_not_verified']);

    await setPublished(name.toUpperCase(), true);
    expect((await verify()).json.data).toMatchObject({ status: 'verified', dkim_verified: true });
    expect((await app.call('POST', '/v1/emails', send)).status).toBe(201);
  });

  it.each([
    ['verification', `_svc-verification.${DOMAIN}`, 'pending'],
    ['spf', DOMAIN, 'pending'],
    ['dkim', `svc._domainkey.${DOMAIN}`, 'pending'],
    ['dmarc', `_dmarc.${DOMAIN}`, 'verified'],
  ])('is pending without its %s record only', async (purpose, name, status) => {
    await add();
    await setPublished(name, false);
    expect((await verify()).json.data).toMatchObject({
      status,
      dkim_verified: purpose !== 'dkim',
      spf_verified: purpose !== 'spf',
      dmarc_verified: purpose !== 'dmarc',
    });
    const { dns, records } = (await app.call('GET', '/_svc/dns')).json.data;
    expect(dns).toBe('simulated');
    expect(records.filter(({ published }: { published: boolean }) => !published)).toMatchObject([{ purpose, name }]);
  });

  it('looks up the records of one domain', async () => {
    await add();
    await add('other.example.com');
    await setPublished(DOMAIN, false);
    const { records } = await app.read(`/_svc/dns?look_up=${DOMAIN.toUpperCase()}`);
    expect((await app.call('GET', '/_svc/dns?look_up=unknown.example.com')).status).toBe(404);
    expect(records.map(({ purpose, found }: { purpose: string; found: string[] }) => [purpose, found.length])).toEqual([
      ['verification', 1],
      ['spf', 0],
      ['dkim', 1],
      ['dmarc', 1],
    ]);
    expect((await app.read('/_svc/dns')).records[0]).not.toHaveProperty('found');
  });

  it('starts with all of its records when it is added again', async () => {
    await add();
    await setPublished(DOMAIN, false);
    await app.call('DELETE', `/v1/domains/${DOMAIN}`);
    await add();
    expect((await verify()).json.data.status).toBe('verified');
  });

  it('causes its event once, even with concurrent callers', async () => {
    const log = readEvents(app);
    await add();
    await Promise.all(Array.from({ length: 8 }, verify));
    await verify();
    const { id } = (await app.call('POST', '/v1/templates', { name: 'mark', subject: 's', html: 'h' })).json.data;
    const events = await log.until((event) => event.data.template_id === id);
    expect(events).toMatchObject([{ type: 'domain.verified', data: { domain: DOMAIN } }]);
    await log.stop();
  });

  it('has no record of another name to remove', async () => {
    await add();
    const refused = await setPublished('nothing.example.com', false);
    expect([refused.status, refused.json.error.code]).toEqual([404, 'not_found']);
  });
});
