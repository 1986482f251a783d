import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { extractText } from '../../../src/cli/emails/wait/extract.js';
import { waitFailure } from '../../../src/cli/emails/wait/failure.js';
import type { CapturedEmail } from '../../../src/contract/control/emails/captured-email.js';
import {
  BINARY,
  type DevServer,
  NOWHERE,
  type RunOptions,
  startDev,
  svc,
  temporaryDirectory,
} from '../../support/cli/binary.js';
import { request } from '../../support/servers/server-calls.js';

const HTML =
  '<p>Your code is <b>493817</b>.</p><a href="https://app.test/">Home</a> <a href="https://app.test/reset?t=1">Reset</a>';

const STOPPED = { code: 'internal_error', message: 'The server stopped during the wait.', status: 503 };

let dev: DevServer;
let env: Record<string, string>;

beforeAll(async () => {
  dev = await startDev(['--in-memory', '--plan', 'none']);
  env = { SVC_BASE_URL: dev.ready.base_url, SVC_API_KEY: dev.ready.api_key, SVC_DATA_DIR: NOWHERE };
});
afterAll(() => dev.stop());
afterEach(async () => void (await request(dev.ready, '/_svc/reset', { method: 'POST' })));

async function mail(fields: object = {}): Promise<string> {
  const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Reset your password', html: HTML };
  const response = await request(dev.ready, '/v1/emails', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...email, ...fields }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

const wait = (args: string[], options: RunOptions = {}) =>
  svc(['emails', 'wait', ...args], { ...options, env: { ...env, ...options.env } });

describe('an email that arrives', () => {
  it('is printed with its text, codes and links, and its age on stderr', async () => {
    const waiting = wait(['--to', 'ada@example.test', '--subject', '/reset/i', '--timeout', '1m']);
    const id = await mail();
    const { code, stdout, stderr } = await waiting;
    expect(stderr).toMatch(new RegExp(`^(Using .*\\n)?${id} was received (just now|\\d+s ago)\\.\\n$`));
    expect(stdout).toMatch(
      /^id +msg_\w+\nstatus +\w+\nfrom +shop@example\.test\nto +ada@example\.test\nsubject +Reset/,
    );
    expect(stdout).toContain('\nCodes:\n  493817\n');
    expect(stdout).toContain('\n  https://app.test/reset?t=1  (reset)\n');
    expect(code).toBe(0);
  });

  it('gives a script one link, and nothing else on stdout', async () => {
    const folder = temporaryDirectory();
    const script = `LINK=$(node '${BINARY}' emails wait --to ada@example.test --extract link --link-matching '*/reset?*')
      printf '%s' "[$LINK]"`;
    const running = promisify(execFile)('sh', ['-ec', script], { cwd: folder.path, env: { ...process.env, ...env } });
    await mail();
    expect((await running).stdout).toBe('[https://app.test/reset?t=1]');
    folder.remove();
  });

  it('is an object with --json, and several are a list with --count', async () => {
    const [first, second] = [await mail(), await mail({ to: 'bob@example.test' })];
    const one = await wait(['--search', 'has:code OR has:attachment', '--to', 'ada@example.test', '--json']);
    expect(JSON.parse(one.stdout)).toMatchObject({ id: first, codes: [{ value: '493817' }], tags: [] });
    expect(one.stderr).toBe('');
    const all = await wait(['--count', '2..', '--json']);
    expect(JSON.parse(all.stdout)).toMatchObject({ emails: [{ id: second }, { id: first }] });
  });

  it('gives the bytes of its attachment', async () => {
    const folder = temporaryDirectory();
    const content = Buffer.from([0, 255, 10, 13, 65]).toString('base64');
    await mail({ attachments: [{ filename: 'a.bin', content, contentType: 'application/octet-stream' }] });
    const file = join(folder.path, 'saved');
    const { code, stdout } = await wait(['--extract', 'attachment', '--output', file]);
    expect([code, stdout]).toEqual([0, '']);
    expect(readFileSync(file).toString('base64')).toBe(content);
    folder.remove();
  });
});

describe('the link to extract', () => {
  it('is the first with a purpose, and one to unsubscribe only if the email has no other', async () => {
    const link = (name: string, kind = name) => ({ text: name, href: `https://app.test/${name}`, kind });
    const extract = (...links: object[]) =>
      extractText({ id: 'msg_1', links } as CapturedEmail, { part: 'link' }, undefined);
    expect(await extract(link('unsubscribe'), link('home', 'other'))).toBe('https://app.test/home');
    expect(await extract(link('unsubscribe'))).toBe('https://app.test/unsubscribe');
    expect(await extract(link('unsubscribe'), link('logo', 'other'), link('reset'), link('verify'))).toBe(
      'https://app.test/reset',
    );
  });
});

describe('a number of emails that is not the expected one', () => {
  const failure = (request: object, total: number) =>
    waitFailure(
      { query: '', timeout_ms: 1, ...request },
      { matched: false, emails: [], total, cursor: 'c1', near_misses: [] },
    ).message;

  it.each([
    [{ min: 2, max: null }, 1, 'Expected 2 or more emails, but 1 email matched within 1ms'],
    [{ min: 2, max: 5 }, 1_001, 'Expected 2 to 5 emails, but more than 1000 emails matched within 1ms'],
    [{ absent: true }, 10, 'Expected no email, but at least 10 emails matched'],
    [{ absent: true }, 9, 'Expected no email, but 9 emails matched'],
  ])('%j: is reported as far as it was counted', (request, total, message) => {
    expect(failure(request, total)).toBe(message);
  });
});

describe('a wait without a match', () => {
  it('exits with 3, and lists what arrived and which conditions it does not meet', async () => {
    const id = await mail({ subject: 'Welcome' });
    const args = ['--to', 'ada@example.test', '--subject', '/reset/i', '--timeout', '1ms'];
    const { code, stdout, stderr } = await wait(args);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('Error: No email matched within 1ms: to:ada@example.test subject:/reset/i\n');
    expect(stderr).toContain(
      '\nChange the conditions, or wait longer with --timeout; to include earlier emails, pass ',
    );
    expect(stderr).toContain(`\n  ${id} to ada@example.test: "Welcome"\n    subject:/reset/i  found: Welcome\n`);

    const asJson = await wait([...args, '--json']);
    expect(asJson.code).toBe(3);
    expect(JSON.parse(asJson.stderr).error).toMatchObject({
      code: 'assertion_failed',
      details: [{ path: id, message: 'subject:/reset/i: found Welcome' }],
    });
  });

  it('exits with 3 if the email does not have the part to extract', async () => {
    const id = await mail();
    const { code, stdout, stderr } = await wait(['--extract', 'link', '--link-matching', 'verify']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`Error: Email ${id} has no link that matches "verify".\n`);
  });

  it('begins at SVC_SINCE, and explains how to include earlier emails', async () => {
    await mail();
    const { code, stderr } = await wait(['--to', 'ada@example.test', '--timeout', '1ms'], {
      env: { SVC_SINCE: 'now' },
    });
    expect(code).toBe(3);
    expect(stderr).toContain('No email arrived during the wait; to include earlier emails, pass --since start.\n');
    const invalid = await wait(['--to', 'ada@example.test'], { env: { SVC_SINCE: '60' } });
    expect(invalid.code).toBe(2);
    expect(invalid.stderr).toContain('Error: SVC_SINCE must be start, now, a cursor such as c42, ');
  });
});

describe('an email that must not arrive', () => {
  it('passes if it does not, and exits with 3 as soon as it does', async () => {
    const args = ['--to', 'eve@example.test', '--absent', '--timeout', '1ms'];
    const asJson = await wait([...args, '--json']);
    expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([0, { emails: [] }]);
    const passed = await wait(args);
    expect([passed.code, passed.stdout]).toEqual([0, '']);
    expect(passed.stderr).toContain('As expected, no email matched within 1ms: to:eve@example.test\n');
    const waiting = wait(['--to', 'eve@example.test', '--absent', '--timeout', '10m']);
    const id = await mail({ to: 'eve@example.test' });
    const { code, stderr } = await waiting;
    expect(code).toBe(3);
    expect(stderr).toContain('Error: Expected no email, but 1 email matched: to:eve@example.test\n');
    expect(stderr).toContain(`  ${id} to eve@example.test: "Reset your password"\n`);
  });
});

describe('a server', () => {
  it.each([
    ['is killed', (response: ServerResponse) => response.destroy()],
    [
      'stops',
      (response: ServerResponse) => response.writeHead(503).end(JSON.stringify({ success: false, error: STOPPED })),
    ],
  ])('that %s during the wait is reported with exit code 5', async (_, end) => {
    const server = createServer(({ url }, response) => {
      if (url === '/_svc/emails/wait') return end(response);
      response.end(JSON.stringify({ success: true, data: { status: 'ok', control: true }, meta: {} }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { code, stderr } = await wait(['--to', 'a@b.test'], { env: { SVC_BASE_URL: url } });
    expect(stderr).toContain(`Error: The server at ${url} stopped during the wait.\nStart it again with "svc dev"`);
    expect(code).toBe(5);
    server.close();
  });

  it('that is not running is reported with exit code 5', async () => {
    const folder = temporaryDirectory();
    const { code, stderr } = await svc(['emails', 'wait', '--to', 'a@b.test'], { env: { SVC_DATA_DIR: folder.path } });
    expect(code).toBe(5);
    expect(stderr).toContain('it is not running.\nStart it with "svc dev');
    folder.remove();
  });
});

describe('flags', () => {
  it.each([
    [[], 'Nothing to wait for.\nPass a condition, such as --to ada@example.test.'],
    [['--to', 'a', '--timeout', '0'], '--timeout must be longer than 0 and at most 1h, not "0".'],
    [['--to', 'a', '--count', '5..2'], '--count must be a count from 1 such as 2, 2..5 or 2..'],
    [['--to', 'a', '--count', '0'], 'not "0"; to expect no email, pass --absent.'],
    [['--search', 'form:ada'], 'Invalid query: unknown field "form" at column 1, expected'],
    [['--to', 'a', '--link-matching', 'x'], '--link-matching needs --extract link.'],
    [['--to', 'a', '--extract', 'link', '--link-matching', ''], '--link-matching must not be empty.'],
    [
      ['--to', 'a', '--extract', 'link', '--link-matching', '/(/'],
      'Error: --link-matching: invalid regular expression /(/ (missing closing ): `(`).\nThe syntax is RE2’s',
    ],
    [
      ['--to', 'a', '--extract', 'subject'],
      '--extract must be one of link, code, attachment, text, html and header:NAME',
    ],
  ])('%j are refused', async (args, message) => {
    const { code, stderr } = await wait(args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
