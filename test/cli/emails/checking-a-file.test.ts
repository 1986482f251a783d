import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EmailCheck } from '../../../src/contract/control/emails/check.js';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

/** No server can be reached, so that a command that calls one fails. */
const OFFLINE = { SVC_BASE_URL: 'http://127.0.0.1:9/v1', SVC_API_KEY: 'svc_test_none' };
const check = (...args: string[]) => svc(['emails', 'check', ...args], { cwd: folder.path, env: OFFLINE });
const write = (name: string, content: string | Buffer) => writeFileSync(join(folder.path, name), content);

const HTML = '<html><body>\n<p style="color:#eee;background:#fff">Thank you</p>\n</body></html>';
const MESSAGE = [
  'From: Shop <shop@example.test>',
  'Subject: Your order {{number}}',
  'List-Unsubscribe: <mailto:leave@example.test>',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>Caf=E9: <a href=3D"https://shop.example/unsubscribe">unsubscribe</a></p>',
  '',
].join('\n');

async function failedOf(...args: string[]): Promise<Record<string, EmailCheck>> {
  const { stdout } = await check(...args, '--json');
  const { checks } = JSON.parse(stdout) as { checks: EmailCheck[] };
  return Object.fromEntries(checks.filter(({ passed }) => passed === false).map((each) => [each.id, each]));
}

describe('a message in a file', () => {
  it('is checked without a server, with its header fields and decoded parts', async () => {
    write('order.eml', MESSAGE);

    const failed = await failedOf('order.eml');

    expect(Object.keys(failed).sort()).toEqual(['list-unsubscribe', 'placeholders', 'preheader', 'text-part']);
    expect(failed.placeholders?.where).toMatchObject([{ source: 'subject', line: 1, column: 12, note: '{{number}}' }]);
    expect(failed.preheader?.details).toContain('Café');
  });

  it('may have any name with a dot or a slash', async () => {
    write('message', MESSAGE);

    const { code, stdout, stderr } = await check('./message');

    expect([code, stderr]).toEqual([0, '6 checks passed, 4 failed, 2 not run.\n']);
    expect(stdout).toMatch(/^error +Placeholders: Found 1 placeholder or missing value\.$/m);
  });
});

describe('a file with HTML', () => {
  it('is compared with what mail clients keep', async () => {
    write('order.html', HTML);

    const { code, stdout } = await check('order.html', '--client', 'outlook.windows', '--client', 'gmail.ios');
    const { views } = JSON.parse((await check('order.html', '--client', 'gmail.ios', '--json')).stdout);

    expect(code).toBe(0);
    expect(stdout).toContain('Changes in Outlook (classic, Windows), approximate (outlook.windows):');
    expect(stdout).toMatch(/order\.html:2:4 {2}#eee becomes #\w{6}/);
    expect(views).toMatchObject([{ client: 'gmail.ios', approximate: true, clipped: false }]);
    expect(views[0]).not.toHaveProperty('html');
  });

  it('is checked without a subject and a text, and named with line and column', async () => {
    write('order.html', HTML);

    const { code, stdout } = await check('order.html');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^not run +Plain text: The plain text is not part of the file\.$/m);
    const column = (HTML.split('\n')[1] ?? '').indexOf('Thank') + 1;
    expect(stdout).toContain(`\n  order.html:2:${column}  #eeeeee on #ffffff`);
    expect(Object.keys(await failedOf('order.html'))).toEqual(['html-support', 'contrast', 'preheader']);
  });

  it('must meet --fail-on and the score of each named mail client', async () => {
    write('order.html', '<style>p { display: grid }</style><p>Thank you</p>');

    expect((await check('order.html', '--fail-on', 'error')).code).toBe(0);
    expect((await check('order.html', '--fail-on', 'info')).code).toBe(3);
    expect((await check('order.html', '--min-score', '90', '--client', 'apple-mail')).code).toBe(0);
    const outlook = await check('order.html', '--min-score', '90', '--client', 'outlook.windows');
    expect([outlook.code, outlook.stderr]).toEqual([
      3,
      expect.stringMatching(/The score of Outlook \(Windows\) is [\d.]+, expected at least 90\.\n$/),
    ]);
  });
});

describe('HTML without features that clients differ in', () => {
  it('has full support of each client', async () => {
    write('order.html', '<p>Thank you</p>');

    expect((await check('order.html', '--min-score', '100', '--client', 'gmail')).code).toBe(0);
  });
});

describe('what is not a message or HTML', () => {
  it.each<[what: string, name: string, make: (path: string) => void, reason: string]>([
    [
      'a missing file',
      'nope.eml',
      () => {},
      'File nope.eml not found. An argument with a dot or a slash names a file.',
    ],
    ['an empty file', 'a.eml', (path) => writeFileSync(path, ''), 'Cannot check a.eml: it is empty.'],
    ['a directory', 'a.eml', (path) => mkdirSync(path), 'Cannot check a.eml: it cannot be read: it is a directory.'],
    [
      'a picture',
      'a.png',
      (path) => writeFileSync(path, Buffer.from('89504e470d0a1a0a0000000d49484452ff', 'hex')),
      'Cannot check a.png: it is not a message. The message has no header fields.',
    ],
    [
      'bytes that are not text',
      'a.html',
      (path) => writeFileSync(path, Buffer.from([0x3c, 0x70, 0x3e, 0xff])),
      'Cannot check a.html: it is not valid UTF-8.',
    ],
    [
      'a file that is too large',
      'a.html',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 41 * 1024 * 1024);
      },
      'Cannot check a.html: it is larger than 40 MiB.',
    ],
  ])('is refused with the reason: %s', async (_, name, make, reason) => {
    make(join(folder.path, name));

    const { code, stdout, stderr } = await check(name);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Error: ${reason}\n`);
    expect(stderr.split('\n')).toHaveLength(3);
  });

  it('is not asked for its links, which only a server requests', async () => {
    write('order.html', HTML);

    expect(await check('order.html', '--links')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('svc emails import'),
    });
  });

  it('is an ID without a dot and a slash, also if a file has that name', async () => {
    write('orders', MESSAGE);

    const { code, stderr } = await svc(['emails', 'check', 'orders'], {
      cwd: folder.path,
      env: { SVC_DATA_DIR: join(folder.path, 'data') },
    });

    expect(code).toBe(1);
    expect(stderr).toContain('"orders" is read as an email ID. To check the file of that name, pass ./orders\n');
    expect(stderr).toContain('No email ID ends with "orders".');
  });
});

it('names an unknown mail client, and the nearest one or all others', async () => {
  write('order.html', HTML);
  const message = async (name: string) =>
    (await check('order.html', '--min-score', '50', '--client', name)).stderr.replace(/\s+/g, ' ');

  expect(await message('gmial')).toBe('Error: --client: mail client "gmial" not found. Did you mean gmail? ');
  expect(await message('outlook.2003')).toMatch(/Choose from: outlook\.android, .*outlook\.windows/);
  expect(await message('lotus')).toMatch(/Choose from: aol, apple-mail, .*yahoo\. $/);
  expect((await check('order.html', '--client', 'fastmail')).stderr).toContain(
    'Choose from: gmail, gmail.android, gmail.ios, outlook, outlook.windows, apple-mail, yahoo.',
  );
});
