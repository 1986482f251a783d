import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests which domain names POST /domains accepts. docs/decisions/024-domains.md. */

const label = (length: number) => 'a'.repeat(length);

describe('the name of a sending domain', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ plan: 'none' });
  });

  afterAll(() => app.closeClean());

  it.each([
    ['example.com'],
    ['mail.example.co.uk'],
    ['xn--bcher-kva.example'],
    ['a-b.example'],
    ['1st.example'],
    [`${label(63)}.example`],
    [`${label(63)}.${label(63)}.${label(63)}.${label(40)}.com`.slice(0, 235)],
  ])('may be %s', async (domain) => {
    const created = await app.call('POST', '/v1/domains', { domain });
    expect([created.status, created.json.data?.domain]).toEqual([201, domain]);
    for (const { name } of created.json.data.dns_records) expect(name.length).toBeLessThanOrEqual(253);
  });

  it.each([
    ['müller.example', 'xn--mller-kva.example'],
    ['GRÜN.example', 'xn--grn-ioa.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ])('may be %s in Unicode, and means the same on every route', async (domain, ascii) => {
    const created = await app.call('POST', '/v1/domains', { domain });
    expect([created.status, created.json.data?.domain]).toEqual([201, ascii]);
    const path = `/v1/domains/${encodeURIComponent(domain)}`;
    expect((await app.call('POST', '/v1/domains', { domain: ascii })).status).toBe(409);
    expect((await app.read(path)).domain).toBe(ascii);
    expect((await app.call('POST', `${path}/verify`)).json.data.domain).toBe(ascii);
    expect((await app.call('DELETE', path)).status).toBe(204);
    expect((await app.call('GET', `/v1/domains/${ascii}`)).status).toBe(404);
  });

  it.each([
    ['example.com.', 'dot'],
    ['localhost', 'two labels'],
    ['', 'labels'],
    ['.', 'dot'],
    ['mail..example', 'labels'],
    ['.example.com', 'labels'],
    ['_dmarc.example.com', 'labels'],
    ['my_mail.example.com', 'labels'],
    ['-a.example', 'labels'],
    ['a-.example', 'labels'],
    ['192.0.2.1', 'IP address'],
    ['2001:db8::1', 'IP address'],
    ['[192.0.2.1]', 'IP address'],
    ['example.123', 'digits'],
    ['xn--a.example', 'xn--'],
    ['*.example.com', 'labels'],
    ['https://example.com', 'labels'],
    ['example.com/path', 'labels'],
    ['ada@example.com', 'labels'],
    [' example.com', 'labels'],
    ['example.com\n', 'labels'],
    ['example.com\u0000', 'labels'],
    [`${label(64)}.example`, 'labels'],
    [`${label(63)}.${label(63)}.${label(63)}.${label(44)}`, '235 characters'],
  ])('may not be %j: 422 with the reason', async (domain, why) => {
    const refused = await app.call('POST', '/v1/domains', { domain });
    expect([refused.status, refused.json.error.code]).toEqual([422, 'validation_error']);
    const [detail] = refused.json.error.details;
    expect(detail.path).toBe('domain');
    expect(detail.message).toMatch(new RegExp(why));
  });

  it('is the same in upper case, in the body and in the path', async () => {
    expect((await app.call('POST', '/v1/domains', { domain: 'Upper.Example' })).json.data.domain).toBe('upper.example');
    expect((await app.call('POST', '/v1/domains', { domain: 'UPPER.example' })).status).toBe(409);
    expect((await app.call('GET', '/v1/domains/UPPER.EXAMPLE')).json.data.domain).toBe('upper.example');
    expect((await app.call('POST', '/v1/domains/Upper.example/verify')).json.data.status).toBe('verified');
    expect((await app.call('DELETE', '/v1/domains/UPPER.example')).status).toBe(204);
    expect((await app.call('GET', '/v1/domains/upper.example')).status).toBe(404);
  });
});
