import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmail } from '../../../src/cli/emails/page/open-email.js';
import { saveEmail } from '../../../src/cli/emails/page/save-email.js';
import { Client } from '../../../src/client/client.js';
import { emailPage } from '../../../src/html/email-page.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests the files that `svc emails open` and `svc emails get --save` write. */

const DAY_SECONDS = 24 * 3_600;

const OPTIONS = { command: (line: string) => `svc ${line}`, env: {} };

describe('files of an email', () => {
  const folder = folderOfEachTest();
  let app: TestApp;
  let client: Client;

  beforeEach(async () => {
    app = await startApp();
    client = new Client({ baseUrl: 'http://any.test/v1', apiKey: TEST_KEY, userAgent: 'test', fetch: app.fetch });
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await app.closeClean();
  });

  const send = (filenames: string[]) =>
    client.call('emails.send', {
      body: {
        to: 'ada@example.test',
        from: 'shop@example.test',
        subject: 'Hi',
        html: '<p>x</p>',
        attachments: filenames.map((filename) => ({
          filename,
          content: 'eA==',
          contentType: 'application/octet-stream',
        })),
      },
    });

  it('have no extension with which a program runs them, in a directory for their owner', async () => {
    const { id } = await send(['a.PDF', 'evil.html', 'x.desktop', 'b.lnk', 'logo.svg', 'none', 'strange.e-x-t']);
    const directory = join(folder.path, 'new/saved');

    await saveEmail(client, await client.call('emails.get', { params: { id } }), directory);

    const attachments = readdirSync(directory).filter((name) => name.startsWith(`${id}-`));
    expect(attachments.sort().map((name) => name.slice(id.length))).toEqual([
      ...['-1.pdf', '-2.html.txt', '-3.desktop.txt', '-4.lnk.txt', '-5.svg.txt', '-6.bin', '-7.bin'],
    ]);
    for (const path of [directory, dirname(directory)]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('that were opened more than a day ago are removed when another one is opened', async () => {
    vi.stubEnv('TMPDIR', folder.path);
    const { id } = await send([]);
    const { file: recent } = await openEmail(client, id, OPTIONS);
    const { file: old } = await openEmail(client, id, OPTIONS);
    const kept = mkdtempSync(join(folder.path, 'svc-email-'));
    writeFileSync(join(kept, 'mine'), '');
    const other = join(folder.path, 'other');
    mkdirSync(other);
    const { mtimeMs } = statSync(dirname(recent));
    for (const each of [dirname(old), kept, other]) utimesSync(each, 0, mtimeMs / 1_000 - DAY_SECONDS - 60);

    const { file: latest } = await openEmail(client, id, OPTIONS);

    expect([recent, old, latest, join(kept, 'mine'), other].map(existsSync)).toEqual([true, false, true, true, true]);
    expect(existsSync(dirname(old))).toBe(false);
  });
});

describe('the page of an email', () => {
  it.each([
    '<link rel="preconnect" href="http://a.test">',
    '<LINK\trel=preconnect href=http://a.test>',
    '<link/rel=preconnect href=http://a.test>',
    '<style><!--</style><link rel=preconnect href=http://a.test><!-- -->',
    '<iframe src="http://a.test"></iframe>',
    '<IFRAME srcdoc="&lt;link rel=preconnect href=http://a.test&gt;"></IFRAME>',
    '<frameset><frame src="http://a.test"></frameset>',
  ])('replaces elements of %j to which a browser connects', (html) => {
    const page = emailPage({ from: 'a@b.test', to: 'c@d.test', subject: 'Hi', html, text: '' }, new Map());

    const [, content = ''] = /srcdoc="([^"]*)"/.exec(page) ?? [];
    expect(content).toContain('a.test');
    expect(content).not.toMatch(/&lt;\/?(link|i?frame)[^a-z]/i);
    expect(page.match(/x-dns-prefetch-control/g)).toHaveLength(2);
  });
});
