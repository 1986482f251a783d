import assert from 'node:assert/strict';
import type { Api } from '../api.js';
import { type Check, check } from '../check.js';
import { arrayOf, createdDomain, dnsRecord, domain, exactly, rowsOf } from '../shapes.js';

/** Checks sending domains. */

const invalid = { status: 422, code: 'validation_error' };
const unknown = { status: 404, code: 'not_found' };

const fresh = (api: Api) => `${api.unique('mail')}.example.com`;
const add = async (api: Api) => api.ok(201, 'POST', '/domains', { domain: fresh(api) });

export const checks: Check[] = [
  check(
    [
      'spec:POST /domains',
      ...rowsOf('spec:domain.created', createdDomain),
      'spec:domain.dns_records',
      'spec:transition.domain',
      'gap:9',
    ],
    'returns 201 with exactly domain, status pending and dns_records',
    async (api) => {
      const name = fresh(api);
      const data = await api.ok(201, 'POST', '/domains', { domain: name });
      exactly(createdDomain)(data, 'data');
      assert.equal(data.domain, name);
    },
  ),

  check(
    [...rowsOf('spec:dns', dnsRecord), 'spec:dns.verification-name', 'spec:dns.spf-value', 'spec:dns.dkim-name'],
    'returns DNS records with the names and values of the specification, valid in DNS',
    async (api) => {
      const { domain: name, dns_records: records } = await add(api);
      const escaped = name.replaceAll('.', '\\.');
      const by = (purpose: string) => records.filter((record: { purpose: string }) => record.purpose === purpose);
      assert.deepEqual([by('verification').length, by('spf').length, by('dkim').length], [1, 1, 1]);
      for (const record of records) {
        exactly(dnsRecord)(record, 'dns_records[]');
        assert.match(record.name, /^(?=.{1,253}$)(_?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]+$/i);
        assert.match(record.value, /^[\x20-\x7e]+$/);
      }
      assert.match(by('verification')[0].name, new RegExp(`^_[a-z0-9-]+\\.${escaped}$`));
      assert.match(by('spf')[0].value, /^v=spf1 include:[a-z0-9._-]+ ~all$/);
      assert.match(by('dkim')[0].name, new RegExp(`^[a-z0-9-]+\\._domainkey\\.${escaped}$`));
      assert.match(by('dkim')[0].value, /^v=DKIM1;.*p=[A-Za-z0-9+/]+=*$/);
      const other = await add(api);
      assert.notEqual(other.dns_records[0].value, records[0].value, 'each domain is verified by a value of its own');
    },
  ),

  check(
    ['spec:GET /domains', ...rowsOf('spec:domain', domain), 'gap:19'],
    'lists domains, newest first, without dns_records',
    async (api) => {
      const [first, second] = [await add(api), await add(api)];
      const data = await api.ok(200, 'GET', '/domains');
      exactly({ domains: arrayOf(exactly(domain)) })(data, 'data');
      const names = data.domains.map((one: { domain: string }) => one.domain);
      assert.ok(names.indexOf(second.domain) < names.indexOf(first.domain));
      if (api.target.exclusive) assert.equal(names[0], second.domain);
    },
  ),

  check(
    ['spec:GET /domains/{domain}', ...rowsOf('spec:domain', domain), 'spec:domain.by-name', 'gap:17'],
    'returns exactly the Domain, without dns_records',
    async (api) => {
      const { domain: name } = await add(api);
      const data = await api.ok(200, 'GET', `/domains/${name}`);
      exactly(domain)(data, 'data');
      const { created_at: _, ...rest } = data;
      assert.deepEqual(rest, {
        domain: name,
        status: 'pending',
        dkim_verified: false,
        spf_verified: false,
        dmarc_verified: false,
      });
    },
  ),

  check(
    ['spec:POST /domains', 'spec:request.domains.create.domain', 'spec:status.422'],
    'answers 422 to an invalid domain name',
    async (api) => {
      for (const name of [
        undefined,
        null,
        7,
        true,
        {},
        ['example.com'],
        '',
        'example',
        '.example.com',
        'example.com.',
        'exa mple.com',
        'https://example.com',
        'user@example.com',
        'example..com',
        '-a.example.com',
        'a-.example.com',
        '192.0.2.1',
        '*.example.com',
        'example.com/x',
        'example.com:80',
        'exam\nple.com',
        `${'a'.repeat(64)}.example.com`,
        `${'a.'.repeat(130)}com`,
      ]) {
        await api.refused({ ...invalid, at: 'domain' }, 'POST', '/domains', { domain: name });
      }
    },
  ),

  check(['gap:17', 'spec:status.409'], 'answers 409 to a domain added twice, in any case', async (api) => {
    const { domain: name } = await add(api);
    for (const again of [name, name.toUpperCase()]) {
      await api.refused({ status: 409, code: 'validation_error' }, 'POST', '/domains', { domain: again });
    }
  }),

  check(
    ['gap:17', 'spec:status.409'],
    'answers 201 to one of several concurrent additions of a domain, and 409 to the others',
    async (api) => {
      const body = { domain: fresh(api) };
      const answers = await Promise.all(Array.from({ length: 4 }, () => api.call('POST', '/domains', body)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    },
  ),

  check(
    ['spec:POST /domains/{domain}/verify', 'gap:9', 'gap:17'],
    'verifies without a body and returns 200 with the Domain',
    async (api) => {
      const { domain: name } = await add(api);
      const data = await api.ok(200, 'POST', `/domains/${name}/verify`);
      exactly(domain)(data, 'data');
      assert.deepEqual(await api.ok(200, 'GET', `/domains/${name}`), data);
      await api.ok(200, 'POST', `/domains/${name}/verify`);
      await api.refused(unknown, 'POST', `/domains/${fresh(api)}/verify`);
    },
  ),

  check(
    ['spec:DELETE /domains/{domain}', 'spec:status.204', 'gap:9'],
    'deletes a domain with 204 without a body; answers 404 the second time',
    async (api) => {
      const { domain: name } = await add(api);
      await api.ok(204, 'DELETE', `/domains/${name}`);
      await api.refused(unknown, 'DELETE', `/domains/${name}`);
      await api.refused(unknown, 'GET', `/domains/${name}`);
      await api.ok(201, 'POST', '/domains', { domain: name });
    },
  ),

  check(
    ['spec:domain.by-name', 'spec:code.not_found'],
    'answers 404 not_found to a name that was never added',
    async (api) => {
      for (const name of ['nobody.example.com', 'nothing', '__proto__', '%F0%9F%8E%89']) {
        await api.refused(unknown, 'GET', `/domains/${name}`);
        await api.refused(unknown, 'DELETE', `/domains/${name}`);
      }
    },
  ),

  check(
    [
      'gap:18',
      'spec:code.domain_not_verified',
      'spec:status.403',
      'spec:auth.prefix.live',
      'spec:transition.domain-verified',
    ],
    'sends with a live key from a verified domain only; with a test key from any',
    async (api) => {
      const key = api.target.liveKey as string;
      assert.match(key, /^svc_live_/);
      const { domain: name } = await add(api);
      const body = api.mail({ from: `Shop <shop@${name}>` });
      const notVerified = { status: 403, code: 'domain_not_verified' };
      await api.refused(notVerified, 'POST', '/emails', body, { key });
      await api.refused(notVerified, 'POST', '/emails', api.mail({ from: `shop@${fresh(api)}` }), { key });
      await api.ok(201, 'POST', '/emails', body);
      assert.equal((await api.ok(200, 'POST', `/domains/${name}/verify`)).status, 'verified');
      await api.ok(201, 'POST', '/emails', body, { key });
      await api.refused(notVerified, 'POST', '/emails', api.mail({ from: `shop@sub.${name}` }), { key });
      await api.ok(204, 'DELETE', `/domains/${name}`);
      await api.refused(notVerified, 'POST', '/emails', body, { key });
    },
    'live-key',
  ),

  check(
    ['gap:18', 'spec:auth.prefix.test'],
    'sends with a test key from a domain that was never added',
    async (api) => {
      await api.send({ from: `shop@${fresh(api)}` });
    },
  ),
];
