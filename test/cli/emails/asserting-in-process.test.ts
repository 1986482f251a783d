import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AssertResult, assertEmails, type Selection } from '../../../src/cli/emails/assert/assert-emails.js';
import { type ContentFlags, contentChecks } from '../../../src/cli/emails/assert/content-flags.js';
import {
  annotationsOf,
  describeResult,
  junitOfResult,
  loopbackStatus,
} from '../../../src/cli/emails/assert/describe-result.js';
import { queryOf } from '../../../src/cli/emails/query-flags.js';
import { printed } from '../../../src/cli/output/color.js';
import { logText } from '../../../src/cli/output/text.js';
import { Client } from '../../../src/client/client.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests svc emails assert with its client in the process of a server. */

const folder = mkdtempSync(join(tmpdir(), 'svc-assert-'));
const order = {
  from: 'Shop <shop@example.test>',
  to: 'ada@example.test',
  subject: 'Your order 1042',
  html: '<p class="b a" id="x">Hello Ada, your code is <b>482913</b>.</p><a href="https://example.test/orders/1042">Order</a>',
  text: 'Hello Ada, your code is 482913.',
};

describe('asserting emails', () => {
  let app: TestApp;
  let client: Client;

  beforeAll(async () => {
    app = await startApp();
    client = new Client({ baseUrl: 'http://localhost/v1', apiKey: TEST_KEY, userAgent: 'test', fetch: app.fetch });
  });
  beforeEach(async () => {
    await app.call('POST', '/_svc/reset');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await app.closeClean();
  });

  async function send(email: object = {}): Promise<string> {
    const { status, json } = await app.call('POST', '/v1/emails', { ...order, ...email });
    expect(status).toBe(201);
    return json.data.id;
  }

  async function assert(selection: Partial<Selection> = {}, flags: ContentFlags = {}): Promise<AssertResult> {
    const complete = { query: '', since: 'start', count: undefined, absent: false, ...selection };
    return assertEmails(client, complete, await contentChecks(flags, loopbackStatus));
  }

  it('checks the newest email that matches, and reports every check', async () => {
    await send({ subject: 'Older order' });
    const id = await send();

    const result = await assert(
      { query: 'to:ada@example.test subject:order' },
      {
        contains: ['Hello Ada', 'Goodbye'],
        matches: ['/code is \\d{6}/'],
        'has-link': ['/orders/', '/reset'],
        'no-placeholders': true,
        attachments: 1,
        'max-size': 100_000,
      },
    );

    expect(result).toMatchObject({ passed: false, email: { id, subject: 'Your order 1042' }, near_misses: [] });
    expect(result.checks.map(({ name, passed }) => [name, passed])).toEqual([
      ['email', true],
      ['contains "Hello Ada"', true],
      ['contains "Goodbye"', false],
      ['matches /code is \\d{6}/', true],
      ['has-link "/orders/"', true],
      ['has-link "/reset"', false],
      ['no-placeholders', true],
      ['attachments 1', false],
      ['max-size 100000 bytes', true],
    ]);
  });

  it('lists the emails that almost match, and what each has instead', async () => {
    await send();
    await send({ to: 'eve@example.test', subject: 'Welcome' });
    const query = await queryOf({ to: 'bob@example.test', subject: '/order/i' });

    const { passed, checks, email } = await assert({ query });

    expect({ passed, email, count: checks.length }).toEqual({ passed: false, email: null, count: 1 });
    expect(checks[0]?.message).toBe(`found no email for ${query} since the server started`);
    expect(checks[0]?.details?.replace(/msg_\w+/g, 'ID').split('\n')).toEqual([
      'ID to ada@example.test: "Your order 1042"',
      '  to:bob@example.test  found: ada@example.test',
      'ID to eve@example.test: "Welcome"',
      '  to:bob@example.test  found: eve@example.test',
      '  subject:/order/i  found: Welcome',
    ]);
  });

  it('advises to look further back if no email is in the window', async () => {
    const { checks } = await assert({ since: '60s' });
    expect(checks[0]?.message).toBe('found no email in the last 60s; to include earlier emails, pass --since start');
  });

  it('gives this advice, too, if other emails almost match', async () => {
    await send();
    const query = await queryOf({ to: 'bob@example.test' });
    const [check] = (await assert({ query, since: '60s' })).checks;
    expect(check?.message).toMatch(/ in the last 60s; to include earlier emails, pass --since start$/);
    expect(check?.details).toContain('to:bob@example.test  found: ada@example.test');
  });

  it('expects a number of emails, and checks each of them', async () => {
    const [first, second] = [await send(), await send({ html: '<p>{{name}}</p>', text: '' })];

    const two = await assert({ count: { min: 2, max: 2 } }, { 'no-placeholders': true, contains: ['1042'] });
    expect(two.checks).toEqual([
      { name: 'count 2', passed: true, message: expect.stringContaining(`found 2, the newest is ${second}`) },
      { name: 'contains "1042"', passed: true, message: 'passed for 2 emails' },
      { name: 'no-placeholders', passed: false, message: `${second}: found {{name}} in the HTML` },
    ]);
    const one = await assert({ count: { min: 1, max: 1 } });
    expect(one.checks[0]).toMatchObject({ name: 'count 1', passed: false });
    expect(one.checks[0]?.message).toBe('expected 1, found 2 since the server started');
    expect(one.checks[0]?.details).toContain(`${first} to ada@example.test`);
    expect(await assert({ count: { min: 3 } })).toMatchObject({ passed: false, checks: [{ name: 'count 3..' }] });
    const oneOrMore = await assert({ count: { min: 1 } }, { contains: ['{{name}}'] });
    expect(oneOrMore.checks).toMatchObject([
      { passed: true, message: expect.stringContaining('found 2, ') },
      { passed: false, message: expect.stringContaining(`${first}: not found`) },
    ]);
    expect(await assert({ count: { min: 1, max: 5 } })).toMatchObject({ passed: true });
  });

  it('expects that no email matches', async () => {
    expect(await assert({ absent: true })).toMatchObject({ passed: true, email: null });
    const id = await send();
    expect(await assert({ absent: true, query: 'to:eve@example.test' })).toMatchObject({ passed: true });
    const { passed, checks } = await assert({ absent: true });
    expect({ passed, message: checks[0]?.message }).toEqual({
      passed: false,
      message: `expected no email since the server started, found ${id} to ada@example.test: "Your order 1042"`,
    });
  });

  it('writes a snapshot, compares later emails with it, and accepts a change', async () => {
    const snapshot = join(folder, 'new/order.html');
    await send();
    expect(await assert({}, { snapshot })).toMatchObject({
      passed: false,
      checks: [{}, { message: 'the file does not exist; to write it, add --update' }],
    });
    expect(existsSync(snapshot)).toBe(false);
    expect(await assert({}, { snapshot, update: true })).toMatchObject({ checks: [{}, { message: 'written' }] });
    expect(readFileSync(snapshot, 'utf8')).toBe(
      '<p class="b a" id="x">\n  Hello Ada, your code is <b>[code]</b>.\n</p>\n' +
        '<a href="https://example.test/orders/1042">Order</a>\n',
    );

    await send({ html: order.html.replace('class="b a" id="x"', 'id="x"  class="b a"').replace('482913', '105577') });
    expect(await assert({}, { snapshot })).toMatchObject({ passed: true });
    await send({ html: order.html.replace('Hello Ada', 'Goodbye Ada') });
    const { checks } = await assert({}, { snapshot });
    expect(checks[1]?.details).toContain('-  Hello Ada, your code is <b>[code]</b>.\n+  Goodbye Ada, your code');
    const other = {
      passed: false,
      checks: [{}, { passed: false }, { message: 'not written, because another check failed' }],
    };
    expect(await assert({}, { snapshot, update: true, contains: ['No such text'] })).toMatchObject(other);
    expect(readFileSync(snapshot, 'utf8')).toContain('Hello Ada');
    expect(await assert({}, { snapshot, update: true })).toMatchObject({ checks: [{}, { message: 'updated' }] });
    expect(await assert({}, { snapshot })).toMatchObject({ passed: true });
    await expect(assert({}, { snapshot: folder })).rejects.toThrow('cannot be read: it is a directory.');
  });

  describe('with links', () => {
    let server: Server;
    let origin: string;
    const requested: string[] = [];

    beforeAll(async () => {
      server = createServer(({ url = '', method, headers }, response) => {
        requested.push(`${method} ${url} ${headers.authorization ?? ''}`.trim());
        if (url === '/gone') response.writeHead(410).end('gone');
        else if (url === '/moved') response.writeHead(302, { location: 'http://192.0.2.1/' }).end();
        // Never ends: only the status is read.
        else response.writeHead(200).write('ok');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    const linking = (...urls: string[]) => ({ html: urls.map((url) => `<a href="${url}">x</a>`).join(' ') });

    it('requests those to this machine once, without credentials, and follows no redirect', async () => {
      requested.length = 0;
      await send(linking(`${origin}/a`, `${origin}/moved`, `${origin}/a`, 'https://example.test/x'));

      const { passed, checks } = await assert({}, { 'links-ok': true });

      expect({ passed, requested: requested.sort() }).toEqual({ passed: true, requested: ['GET /a', 'GET /moved'] });
      expect(checks[1]?.message).toBe(
        '2 links answer with a status below 400; skipped, because they are not on this machine: https://example.test/x',
      );
    });

    it('fails if it did not request all of them', async () => {
      await send(linking(...Array.from({ length: 101 }, (_, index) => `${origin}/a?${index}`)));

      const { checks } = await assert({}, { 'links-ok': true });

      expect(checks[1]).toMatchObject({
        passed: false,
        message: 'only the first 100 of 101 links to this machine were requested',
      });
    });

    it('reports that no link leads to this machine', async () => {
      await send(linking('https://example.test/x'));

      const { checks } = await assert({}, { 'links-ok': true });

      expect(checks[1]).toMatchObject({
        passed: true,
        message: expect.stringMatching(/^no link leads to this machine; skipped, /),
      });
    });

    it('reports those that answer with an error or not at all', async () => {
      await send(linking(`${origin}/gone`, 'http://127.0.0.1:9/x', `${origin}/a`));

      const { passed, checks } = await assert({}, { 'links-ok': true });

      expect({ passed, message: checks[1]?.message }).toEqual({
        passed: false,
        message: `${origin}/gone answers 410; http://127.0.0.1:9/x does not answer: connection refused`,
      });
    });
  });

  it('refuses values of flags that cannot be used', async () => {
    await expect(contentChecks({ matches: ['order'] }, loopbackStatus)).rejects.toMatchObject({
      message: '--matches must be a regular expression in slashes, such as "/order \\d+/i", not "order".',
      hint: 'For a plain text, use --contains.',
    });
    await expect(contentChecks({ 'has-link': ['/[/'] }, loopbackStatus)).rejects.toThrow('--has-link: invalid regular');
    await expect(contentChecks({ contains: [' '] }, loopbackStatus)).rejects.toThrow('--contains must not be empty.');
    await expect(queryOf({ to: '' })).rejects.toThrow('--to must not be empty.');
    await expect(queryOf({ subject: '/reset/g' })).rejects.toThrow('--subject: "/reset/g" has a flag that is not');
    await expect(queryOf({ search: 'to:x subject:/(/' })).rejects.toThrow('column 14');
    await expect(queryOf({ search: '/a{1,1000}/ /b/' })).rejects.toThrow('regular expression is too large at column 2');
    await expect(queryOf({ search: 'form:ada' })).rejects.toMatchObject({
      name: 'UsageError',
      problem: { flag: '--search', query: 'form:ada', position: 0 },
    });
  });
});

describe('the result of asserting emails', () => {
  const failing: AssertResult = {
    passed: false,
    checks: [
      { name: 'email', passed: true, message: 'found msg_1' },
      { name: 'contains "a<b"', passed: false, message: 'not found, 100%: no', details: '-a\n+::error::b\n::c' },
    ],
    email: null,
    near_misses: [],
  };

  it('is a line per check, with details below', () => {
    expect(printed(describeResult(failing), false)).toBe(
      'ok      email: found msg_1\n' +
        'FAILED  contains "a<b": not found, 100%: no\n' +
        '        -a\n        +::error::b\n        ::c\n',
    );
  });

  it('has no workflow commands of an email on GitHub Actions', () => {
    const text = logText(printed(describeResult(failing), false), { GITHUB_ACTIONS: 'true' });
    expect(text).toContain('+: :error::b\n');
    expect(text).toContain('        : :c\n');
    expect(logText('a ##[error]b', { GITHUB_ACTIONS: 'true' })).toBe('a ## [error]b');
  });

  it('is an annotation per failed check, on one line', () => {
    expect(annotationsOf(failing.checks)).toEqual([
      '::error title=svc emails assert%3A contains "a<b"::not found, 100%25: no%0A-a%0A+::error::b%0A::c',
    ]);
  });

  it('is a test case per check in JUnit XML', () => {
    const xml = junitOfResult(failing, 'to:ada');
    expect(xml).toContain('<testsuites name="svc emails assert" tests="2" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('<testcase classname="to:ada" name="email"><system-out>found msg_1</system-out></testcase>');
    expect(xml).toContain(
      '<testcase classname="to:ada" name="contains &quot;a&lt;b&quot;"><failure type="contains" message="not found, 100%: no">' +
        'not found, 100%: no\n-a\n+::error::b\n::c</failure></testcase>',
    );
  });
});
