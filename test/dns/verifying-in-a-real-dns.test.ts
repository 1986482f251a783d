import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DnsRecord } from '../../src/contract/service/domains.js';
import { type EventReader, readEvents } from '../support/events.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type DnsServer, inCharacterStrings, startDnsServer } from '../support/servers/dns-server.js';

/** Tests gap 17, with `--dns real`: against a DNS server on loopback, over UDP. */

const DOMAIN = 'mail.example.com';
const DMARC = `_dmarc.${DOMAIN}`;

describe('verifying a domain in a real DNS', () => {
  let dns: DnsServer;
  let app: TestApp;
  let records: Record<DnsRecord['purpose'], DnsRecord>;
  let log: EventReader;

  beforeEach(async () => {
    dns = await startDnsServer();
    app = await startApp({ dns: { servers: [{ host: '127.0.0.1', port: dns.port }] } });
    log = readEvents(app);
    const { dns_records } = (await app.call('POST', '/v1/domains', { domain: DOMAIN })).json.data;
    records = Object.fromEntries(dns_records.map((record: DnsRecord) => [record.purpose, record])) as typeof records;
  });

  afterEach(async () => {
    await log.stop();
    await app.close();
    await dns.close();
    expect(app.faults).toEqual([]);
  });

  function publish(...values: (readonly [name: string, value: string])[]): void {
    for (const [name, value] of values) {
      dns.zone.set(name, [...(dns.zone.get(name) ?? []), inCharacterStrings(value)]);
    }
  }
  const as = ({ name, value }: DnsRecord) => [name, value] as const;
  const publishAll = () => publish(...Object.values(records).map(as));
  const verify = () => app.call('POST', `/v1/domains/${DOMAIN}/verify`);
  const read = async () => (await app.call('GET', `/v1/domains/${DOMAIN}`)).json.data;

  /** Returns every domain.verified since the test began or since the last call. */
  async function verifiedEvents(): Promise<{ type: string; data: object }[]> {
    const template = { name: `mark ${dns.asked.length}`, subject: 's', html: 'h' };
    const { id } = (await app.call('POST', '/v1/templates', template)).json.data;
    const events = await log.until((event) => event.data.template_id === id);
    return events.filter(({ type }) => type === 'domain.verified');
  }

  it('is verified once every record exists, and causes its event once', async () => {
    publishAll();
    expect(dns.zone.get(records.dkim.name)?.[0]?.length).toBe(2);
    const first = await verify();
    expect([first.status, first.json.data]).toMatchObject([
      200,
      { domain: DOMAIN, status: 'verified', dkim_verified: true, spf_verified: true, dmarc_verified: false },
    ]);
    expect((await verify()).json.data.status).toBe('verified');
    expect(await read()).toEqual(first.json.data);
    expect(new Set(dns.asked)).toEqual(new Set([...Object.values(records).map(({ name }) => name), DMARC]));
    expect(await verifiedEvents()).toMatchObject([{ type: 'domain.verified', data: { domain: DOMAIN } }]);
  });

  it('causes its event once when verified by several callers at the same time', async () => {
    publishAll();
    const answers = await Promise.all(Array.from({ length: 10 }, verify));
    expect(answers.map(({ json }) => json.data.status)).toEqual(Array.from({ length: 10 }, () => 'verified'));
    expect(await verifiedEvents()).toHaveLength(1);
  });

  it('joins a value whose character-strings are split anywhere', async () => {
    publishAll();
    dns.zone.set(records.dkim.name, [records.dkim.value.match(/.{1,37}/g) ?? []]);
    expect((await verify()).json.data).toMatchObject({ status: 'verified', dkim_verified: true });
  });

  it('finds its SPF record among other texts, with other includes, and its DKIM key among other tags', async () => {
    publish(
      as(records.verification),
      [DOMAIN, 'some-site-verification=1'],
      [DOMAIN, 'v=spf1 mx include:_spf.other.example include:_spf.svc-mail.example ip4:192.0.2.0/24 -all'],
    );
    publish([
      records.dkim.name,
      `v=DKIM1;h=sha256; t=s; ${records.dkim.value.slice(records.dkim.value.indexOf('p='))};`,
    ]);
    publish([DMARC, 'v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com']);
    expect((await verify()).json.data).toMatchObject({
      status: 'verified',
      spf_verified: true,
      dkim_verified: true,
      dmarc_verified: true,
    });
  });

  it.each([
    ['verification', { dkim_verified: true, spf_verified: true }],
    ['spf', { dkim_verified: true, spf_verified: false }],
    ['dkim', { dkim_verified: false, spf_verified: true }],
  ] as const)('is pending without the %s record, with the flags of the others', async (purpose, flags) => {
    publishAll();
    dns.zone.delete(records[purpose].name);
    const answer = await verify();
    expect(answer.status).toBe(200);
    expect(answer.json.data).toMatchObject({ status: 'pending', dmarc_verified: false, ...flags });
    expect(await read()).toEqual(answer.json.data);
    expect(await verifiedEvents()).toEqual([]);
  });

  it('lists the values that the DNS has for each record, and null where it does not answer', async () => {
    publish(as(records.verification), [DOMAIN, 'some-site-verification=1'], [DOMAIN, records.spf.value]);
    const found = async () => {
      const { records: listed } = (await app.call('GET', `/_svc/dns?look_up=${DOMAIN}`)).json.data;
      return Object.fromEntries(
        listed.map(({ purpose, found }: { purpose: string; found: string[] | null }) => [purpose, found]),
      );
    };

    expect(await found()).toEqual({
      verification: [records.verification.value],
      spf: ['some-site-verification=1', records.spf.value],
      dkim: [],
      dmarc: [],
    });
    dns.answerWith = 'SERVFAIL';
    expect(await found()).toEqual({ verification: null, spf: null, dkim: null, dmarc: null });
  });

  it('treats names without TXT records and unknown names alike as missing', async () => {
    for (const { name } of Object.values(records)) dns.zone.set(name, []);
    expect((await verify()).json.data).toMatchObject({ status: 'pending', spf_verified: false, dkim_verified: false });
    dns.zone.clear();
    expect((await verify()).json.data).toMatchObject({ status: 'pending', spf_verified: false, dkim_verified: false });
  });

  it.each([
    ['two SPF records', { spf: ['v=spf1 include:_spf.svc-mail.example ~all', 'v=spf1 -all'] }],
    ['an SPF record without the include', { spf: ['v=spf1 include:_spf.other.example ~all'] }],
    ['an SPF record that ends before the include', { spf: ['v=spf1 -all include:_spf.svc-mail.example'] }],
    ['an SPF record that excludes it', { spf: ['v=spf1 -include:_spf.svc-mail.example ~all'] }],
    ['a text that only starts like SPF', { spf: ['v=spf10 include:_spf.svc-mail.example ~all'] }],
    ['another key', { dkim: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'] }],
    ['a revoked key', { dkim: ['v=DKIM1; k=rsa; p='] }],
    ['another token', { verification: ['svc-verification=0123456789abcdef0123456789abcdef'] }],
  ] as [string, Partial<Record<DnsRecord['purpose'], string[]>>][])('is pending with %s', async (_, wrong) => {
    publishAll();
    for (const [purpose, values] of Object.entries(wrong)) {
      const { name } = records[purpose as DnsRecord['purpose']];
      dns.zone.delete(name);
      publish(...values.map((value) => [name, value] as const));
    }
    expect((await verify()).json.data.status).toBe('pending');
  });

  it.each([
    ['a policy', ['v=DMARC1; p=reject'], true],
    ['no policy', ['v=DMARC1'], false],
    ['two policies', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], false],
    ['another text', ['v=spf1 -all'], false],
  ] as [string, string[], boolean][])('reports about DMARC with %s', async (_, values, expected) => {
    publish(...values.map((value) => [DMARC, value] as const));
    expect((await verify()).json.data.dmarc_verified).toBe(expected);
  });

  it('stays verified when its records disappear, with flags that show that', async () => {
    publishAll();
    await verify();
    dns.zone.clear();
    expect((await verify()).json.data).toMatchObject({ status: 'verified', dkim_verified: false, spf_verified: false });
    publishAll();
    expect((await verify()).json.data).toMatchObject({ status: 'verified', dkim_verified: true, spf_verified: true });
    expect(await verifiedEvents()).toHaveLength(1);
  });

  it.each(['SERVFAIL', 'REFUSED'] as const)('is an upstream error when the server answers %s', async (answer) => {
    publishAll();
    await verify();
    const before = await read();
    dns.answerWith = answer;
    const failed = await verify();
    expect([failed.status, failed.json.error.code]).toEqual([500, 'upstream_error']);
    expect(failed.json.error.message).toContain(`127.0.0.1:${dns.port}`);
    expect(failed.json.error.message).toContain(answer);
    expect(await read()).toEqual(before);
  });

  it('is an upstream error, which changes nothing, when the server is down', async () => {
    publishAll();
    const before = await read();
    const gone = await startDnsServer();
    await gone.close();
    const other = await startApp({ dns: { servers: [{ host: '127.0.0.1', port: gone.port }] } });
    try {
      const created = await other.call('POST', '/v1/domains', { domain: DOMAIN });
      expect(created.status).toBe(201);
      const failed = await other.call('POST', `/v1/domains/${DOMAIN}/verify`);
      expect([failed.status, failed.json.error.code]).toEqual([500, 'upstream_error']);
      expect(failed.json.error.message).toContain(`127.0.0.1:${gone.port}`);
      const { domain, status, dkim_verified, spf_verified } = (await other.call('GET', `/v1/domains/${DOMAIN}`)).json
        .data;
      expect([domain, status, dkim_verified, spf_verified]).toEqual([DOMAIN, 'pending', false, false]);
      expect(other.faults).toEqual([]);
    } finally {
      await other.close();
    }
    expect(await read()).toEqual(before);
  });

  it('is an upstream error when the server never answers', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address();
    const other = await startApp({ dns: { servers: [{ host: '127.0.0.1', port }], timeoutMs: 50 } });
    try {
      await other.call('POST', '/v1/domains', { domain: DOMAIN });
      const failed = await other.call('POST', `/v1/domains/${DOMAIN}/verify`);
      expect([failed.status, failed.json.error.code]).toEqual([500, 'upstream_error']);
      expect(failed.json.error.message).toContain(`127.0.0.1:${port}: timed out`);
    } finally {
      await other.close();
      silent.close();
    }
  });

  it('asks the next server when the first one is down', async () => {
    publishAll();
    const gone = await startDnsServer();
    await gone.close();
    const servers = [gone.port, dns.port].map((port) => ({ host: '127.0.0.1', port }));
    const other = await startApp({ dns: { servers, timeoutMs: 200 } });
    try {
      const { dns_records } = (await other.call('POST', '/v1/domains', { domain: DOMAIN })).json.data;
      dns.zone.clear();
      publish(...dns_records.map(as));
      expect((await other.call('POST', `/v1/domains/${DOMAIN}/verify`)).json.data.status).toBe('verified');
    } finally {
      await other.close();
    }
  });

  it('does not use the simulated records: none can be removed', async () => {
    const refused = await app.call('PATCH', `/_svc/dns/${records.dkim.name}`, { published: false });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'validation_error']);
    const { records: listed } = (await app.call('GET', '/_svc/dns')).json.data;
    expect(listed.map(({ published }: { published: unknown }) => published)).toEqual([null, null, null, null]);
  });
});
