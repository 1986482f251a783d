import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printed } from '../../../src/cli/output/color.js';
import { describeExample, describeReport, junitOf } from '../../../src/cli/output/formatters/warning-report.js';
import { oneLine } from '../../../src/cli/output/text.js';
import { finishReport } from '../../../src/cli/server/report/report.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests the report of everything that the service may refuse. Gap 40. */

const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const EMAIL = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: '<p>Hi</p>' };

const noMore = { omitted_notes: 0, omitted_infos: 0 };

describe('the report of warnings', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ domains: ['example.test'] });
    await app.call('PATCH', '/_svc/clock', { now: '2030-01-01T00:00:00Z', frozen: true });
  });
  afterEach(() => app.closeClean());

  const report = (query = '') => app.read(`/_svc/report${query}`);

  const send = (body: object, agent = 'app/1') => app.call('POST', '/v1/emails', body, { 'user-agent': agent });

  it('has each distinct warning once, with its first and last request and an example', async () => {
    const first = await send({ ...EMAIL, tagz: 1 });
    await app.call('PATCH', '/_svc/clock', { now: '2030-01-01T01:00:00Z' });
    const last = await send({ ...EMAIL, tagz: 2 });
    await send({ ...EMAIL, tagz: 3 }, 'other/2');

    const { since, warnings, omitted } = await report();

    expect({ since: Date.parse(since) <= Date.parse('2030-01-01T00:00:00Z'), omitted }).toEqual({
      since: true,
      omitted: 0,
    });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toEqual({
      code: 'unknown_field',
      level: 'warning',
      refused: false,
      path: 'tagz',
      message: 'is not a field (did you mean tags?)',
      advice: 'Correct the name of the field, or remove it.',
      strict_status: 422,
      strict_code: 'validation_error',
      count: 2,
      route: 'POST /v1/emails',
      user_agent: 'app/1',
      first: { at: '2030-01-01T00:00:00.000Z', request_id: first.headers['x-request-id'], email_id: null },
      last: { at: '2030-01-01T01:00:00.000Z', request_id: last.headers['x-request-id'], email_id: null },
      example: { method: 'POST', path: '/v1/emails', body: JSON.stringify({ ...EMAIL, tagz: 1 }), shortened: false },
    });
    expect(warnings[1]).toMatchObject({ count: 1, user_agent: 'other/2' });
  });

  it('leaves out the reads of svc’s own commands, and keeps those of an application', async () => {
    const list = (agent: string) => app.call('GET', '/v1/emails?status=scheduled', undefined, { 'user-agent': agent });

    expect(String((await list('svc-cli/0.1.0')).headers['x-service-warning'])).toContain('status_filter');
    expect((await report()).warnings).toEqual([]);
    await list('app/1');
    expect((await report()).warnings).toMatchObject([{ code: 'status_filter', user_agent: 'app/1' }]);
  });

  it('keeps what the request log no longer has, and filters by time', async () => {
    await app.call('GET', '/v1/emails?stauts=sent');
    expect((await app.call('POST', '/_svc/reset')).status).toBe(204);
    expect((await app.call('GET', '/_svc/requests')).json.data.requests).toEqual([]);
    expect((await report()).warnings).toMatchObject([{ code: 'unknown_parameter', route: 'GET /v1/emails' }]);
    expect((await report('?since=2030-01-01T00:00:00Z')).warnings).toHaveLength(1);
    expect((await report('?since=2030-01-01T00:00:01Z')).warnings).toEqual([]);
  });

  it('counts items of a list and ids in a path as one', async () => {
    const attachment = { filename: 'a', content: 'YQ==', contentType: 'a/b', size: 1 };
    await send({ ...EMAIL, attachments: [attachment, attachment] });
    for (const id of ['msg_1', 'msg_2']) await app.call('GET', `/v1/emails/${id}?full=1`);
    expect((await report()).warnings).toMatchObject([
      { path: 'attachments.0.size', count: 2 },
      { path: 'full', count: 2, route: 'GET /v1/emails/{id}' },
    ]);
  });

  it('contains no secret, and only the start of a long body', async () => {
    const webhook = { url: 'https://a.test/', events: ['email.sent'], secret: 'my-own-secret', apiKey: 'svc_live_abc' };
    await app.call('POST', '/v1/webhooks?token=whsec_abc', webhook);
    await send({ ...EMAIL, html: 'x'.repeat(100_000), tagz: 1 });
    const { warnings } = await report();
    const text = JSON.stringify(warnings);
    expect(text).not.toMatch(/my-own-secret|svc_live_abc|whsec_abc/);
    expect(text).toContain('/v1/webhooks?token=whsec_…');
    expect(text.length).toBeLessThan(10_000);
    // A shortened request is not the one that caused the warning, so it is not printed as a command.
    const last = warnings.find(({ path }: { path: string }) => path === 'tagz');
    expect(JSON.parse(last.example.body)).toMatchObject({ tagz: 1 });
    const printed = describeReport({ since: '2030-01-01T00:00:00Z', warnings: [last], omitted: 0, ...noMore });
    expect(printed.toString()).toContain('POST /v1/emails (example shortened)');
    expect(printed.toString()).not.toContain('curl');
  });

  it('has the same example for all warnings of a request, made without converting its large texts', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      await send({ ...EMAIL, html: 'x'.repeat(1_000_000), tagz: 1, sujbect: 2 });
      await expect.poll(async () => (await report()).warnings.length).toBe(2);
      const made = stringify.mock.calls.flatMap(([value, replacer], index) =>
        typeof replacer === 'function' && 'tagz' in value ? [String(stringify.mock.results[index]?.value).length] : [],
      );
      expect(made).toHaveLength(2);
      for (const length of made) expect(length).toBeLessThan(1_000);
    } finally {
      stringify.mockRestore();
    }
    const [one, other] = (await report()).warnings;
    expect(one.example).toEqual(other.example);
  });

  it('has no body in the example if it is long even with its values shortened', async () => {
    const variables = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`name${index}`, 'x']));
    await send({ ...EMAIL, variables });
    expect((await report()).warnings[0].example).toEqual({
      method: 'POST',
      path: '/v1/emails',
      body: null,
      shortened: true,
    });
  });

  it('counts messages that differ in addresses as one', async () => {
    const { smtp } = await app.listen(ANY_PORT);
    for (const name of ['ada', 'bob'])
      await deliver(smtp, 'From: a@example.test\r\n\r\nx\r\n', { to: [`${name}@localhost`] });
    expect((await report()).warnings).toMatchObject([
      { message: 'ada@localhost has a domain without a dot', count: 2 },
    ]);
  });

  it('has messages over SMTP, which inspections show too', async () => {
    const { smtp } = await app.listen(ANY_PORT);
    const message = Buffer.from('From: a@example.test\r\nSubject: Hi {{name}}\r\n\r\nx\r\n');
    await deliver(smtp, message, { to: ['ada@localhost'] });
    const { warnings } = await report();
    expect(warnings.map(({ code, route, path }: Record<string, string>) => [code, route, path])).toEqual([
      ['single_label_domain', 'SMTP', 'to'],
      ['leftover_placeholder', 'SMTP', 'subject'],
    ]);
    const { email_id } = warnings[0].first;
    const inspected = (await app.call('GET', `/_svc/emails/${email_id}`)).json.data.warnings;
    expect(inspected).toMatchObject([
      { code: 'single_label_domain', message: 'ada@localhost has a domain without a dot', strict_status: 422 },
      { code: 'leftover_placeholder', strict_status: 422 },
    ]);
  });

  it('has the unverified domain of a message once, whether REST or SMTP uses it first', async () => {
    const { smtp } = await app.listen(ANY_PORT);
    const over = (domain: string) => `From: a@${domain}\r\nSubject: Hi\r\n\r\nx\r\n`;
    await send({ ...EMAIL, from: 'a@rest.test' });
    // The sender of the message's header counts, as `from` does in a request.
    for (const domain of ['rest.test', 'smtp.test', 'SMTP.test', 'example.test']) await deliver(smtp, over(domain));
    await deliver(smtp, 'Subject: Hi\r\n\r\nx\r\n', { from: 'a@envelope.test' });
    await report();
    expect((await send({ ...EMAIL, from: 'a@smtp.test' })).headers['x-service-warning']).toBeUndefined();
    const { warnings } = await report();
    expect(
      warnings.map(({ code, level, route, message, count }: Record<string, string>) => ({
        code,
        level,
        route,
        message,
        count,
      })),
    ).toEqual(
      [
        ['POST /v1/emails', 'rest.test'],
        ['SMTP', 'smtp.test'],
        ['SMTP', 'envelope.test'],
      ].map(([route, domain]) => ({
        code: 'unverified_domain',
        level: 'note',
        route,
        message: `sending domain ${domain} has not been added`,
        count: 1,
      })),
    );
  });

  it('counts findings beyond its bound', async () => {
    // A request has a warning for each of at most ten fields.
    const sendFields = (...names: number[]) =>
      send({ ...EMAIL, ...Object.fromEntries(names.map((n) => [`x${n}`, 1])) });
    for (let first = 0; first < 1_000; first += 10) {
      await sendFields(...Array.from({ length: 10 }, (_, index) => first + index));
    }
    await sendFields(1_000, 1_001);
    // A known one is counted, and is not omitted.
    await sendFields(0, 1_000);
    await send({ ...EMAIL, from: 'a@other.test' });

    const { warnings, omitted, omitted_notes } = await report();

    expect({ distinct: warnings.length, first: warnings[0].count, omitted, omitted_notes }).toEqual({
      distinct: 1_000,
      first: 2,
      omitted: 3,
      omitted_notes: 1,
    });
    expect(await report('?since=2030-01-01T00:00:00Z')).toMatchObject({ omitted: 3, omitted_notes: 1 });
    const later = await report('?since=2030-01-01T00:00:01Z');
    expect(later).toMatchObject({ warnings: [], omitted: 0, omitted_notes: 0 });
  });

  it('fails a build because of findings beyond its bound', () => {
    const since = '2030-01-01T00:00:00Z';
    const beyond = { since, warnings: [], omitted: 2, omitted_notes: 1, omitted_infos: 1 };
    expect(finishReport(beyond, { 'fail-on-warning': true })).toBe(3);
    expect(finishReport(beyond, { 'fail-on-warning': false })).toBe(0);
    expect(finishReport({ ...beyond, omitted: 0 }, { 'fail-on-warning': true })).toBe(0);
    expect(junitOf({ ...beyond, omitted: 0 })).toContain('tests="0" failures="0"');
    const text = printed(describeReport(beyond), false);
    expect(text).toContain('\n2 more warnings are not listed, because too many differ.\n');
    expect(text).toContain('\n1 more note is not listed, because too many differ.\n');
    expect(text).toContain('\n1 more info is not listed, because too many differ.\n');
    const none = { ...beyond, omitted: 0, ...noMore };
    expect(printed(describeReport(none), false)).toMatch(/^No warnings since 2030-/);
    expect(junitOf(beyond)).toContain('tests="1" failures="1"');
    expect(junitOf(beyond)).toContain('<failure type="omitted" message="2 more warnings are not listed');
  });

  it('does not fail a build because of notes', async () => {
    await send({ ...EMAIL, from: 'a@other.test' });
    expect(finishReport(await report(), { 'fail-on-warning': true })).toBe(0);
    await send({ ...EMAIL, tagz: 1 });
    expect(finishReport(await report(), { 'fail-on-warning': true })).toBe(3);
  });

  it('starts at the time of a clock that was moved before the server was stopped', async () => {
    const folder = temporaryDirectory();
    const storage = { file: join(folder.path, 'mail.db') };
    const before = await startApp({ storage });
    await before.call('PATCH', '/_svc/clock', { now: '2020-01-01T00:00:00Z', frozen: true });
    await before.closeClean();

    const reopened = await startApp({ storage });
    await reopened.call('GET', '/v1/emails?stauts=sent');
    const { since, warnings } = (await reopened.call('GET', '/_svc/report')).json.data;
    await reopened.closeClean();
    folder.remove();

    expect(since).toBe('2020-01-01T00:00:00.000Z');
    expect(warnings).toMatchObject([{ code: 'unknown_parameter', first: { at: since } }]);
  });

  it('has an example that is the same request, whatever characters are in it', async () => {
    await send({ ...EMAIL, html: 'a\u200bb\u202e', tagz: 1 });
    const { warnings } = await report();
    const [, body = ''] = / -d '(.*)'$/.exec(describeExample(warnings[0].example)) ?? [];
    expect(oneLine(body)).toBe(body);
    expect(JSON.parse(body)).toMatchObject({ html: 'a\u200bb\u202e' });
    const unusual = { method: 'GET', path: '/v1/emails?a=\u0085', body: null, shortened: false };
    expect(describeExample(unusual)).toContain('(example shortened)');
  });

  it('becomes JUnit XML without characters that XML does not allow', async () => {
    await send({ ...EMAIL, '<a>&"\u0001': 1 });
    await send({ ...EMAIL, from: 'a@other.test' });
    const xml = junitOf(await report());
    expect(xml).toContain('tests="2" failures="1"');
    expect(xml).toContain('name="unknown_field: &lt;a&gt;&amp;&quot;');
    expect(xml).toMatch(/<testcase [^>]*unverified_domain[^>]*><system-out>/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not occur
    expect(xml).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/);
  });
});
