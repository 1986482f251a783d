import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CapturedEmail as Captured } from '../../src/client/operations.js';
import { jsString, pythonString, shellWord } from '../../src/web/components/code/quote.js';
import { BINARY, type DevServer, ROOT, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere } from '../support/cli/package.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';
import { launchBrowser, openInbox, withoutBrowser } from '../support/web/browser.js';
import { headlessPath } from '../support/web/chromium-path.js';

/** Runs the code that the inbox offers for an email, as a user who copied it. */

/** Subjects that would end their quotes, run a command, or hide a part of the code. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: as shells and templates read them
const HOSTILE = [
  `It's "quoted" \\ and 'again'`,
  '$(touch owned) `touch owned` $HOME ${HOME} !! \\$(touch owned)',
  "'; touch owned; '",
  '");process.exit(7);//',
  '*/{{x}}<%= y %>%s\\u0041\\',
  '/regex/i * OR -NOT (a:b) "',
  'Ünïcödé 日本語 👩‍👩‍👧 مرحبا',
  'safe‮txt.exe​ after\tthe\u0007hidden',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as shells and templates read them
const withoutPython = skippedWithout('python3');
const withoutPytest = skippedWithout('pytest');

describe('quoted texts', () => {
  it('are read back by a shell', async () => {
    const printed = await runTool('bash', ['-c', `printf '%s\\n' ${HOSTILE.map(shellWord).join(' ')}`]);
    expect(printed.split('\n')).toEqual([...HOSTILE, '']);
  });

  it('are read back by Node.js', async () => {
    const program = `process.stdout.write(JSON.stringify([${HOSTILE.map(jsString)}]))`;
    expect(JSON.parse(await runTool(process.execPath, ['-e', program]))).toEqual(HOSTILE);
  });

  it.skipIf(withoutPython)(`are read back by Python${withoutPython}`, async () => {
    const program = `import json; print(json.dumps([${HOSTILE.map(pythonString)}]))`;
    expect(JSON.parse(await runTool('python3', ['-c', program]))).toEqual(HOSTILE);
  });

  it('contain no hidden character', () => {
    const quoted = [shellWord, jsString, pythonString].flatMap((quote) => HOSTILE.map(quote));
    for (const text of quoted) expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe.skipIf(withoutBrowser)(`the code of an email${withoutBrowser}`, () => {
  const folder = temporaryDirectory();
  const shop = createServer((_, response) => response.end('<title>Reset</title>'));
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openInbox>>;
  let dev: DevServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    const modules = join(folder.path, 'node_modules');
    const programs = join(folder.path, 'bin');
    mkdirSync(modules);
    mkdirSync(programs);
    symlinkSync(ROOT, join(modules, 'svc-cli'));
    for (const name of ['vitest', '@playwright', 'playwright', 'playwright-core', 'nodemailer', '@types']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    symlinkSync(BINARY, join(programs, 'svc'));
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module","private":true}');
    writeFileSync(
      join(folder.path, 'playwright.config.mjs'),
      `export default { testMatch: 'copied.spec.mjs', use: { launchOptions: { executablePath: ${JSON.stringify(headlessPath)}, args: ['--no-sandbox'] } } };`,
    );
    await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening));
    dev = await startDev(['--data-dir', join(folder.path, '.svc')]);
    const { ready } = dev;
    env = {
      ...elsewhere(),
      PATH: [programs, process.env.PATH].join(delimiter),
      NO_COLOR: '1',
      SVC_DATA_DIR: join(folder.path, '.svc'),
      SVC_BASE_URL: ready.base_url,
      SVC_API_KEY: ready.api_key,
      SVC_SMTP_HOST: ready.smtp.host,
      SVC_SMTP_PORT: String(ready.smtp.port),
      SVC_SINCE: 'start',
    };
    browser = await launchBrowser();
    opened = await openInbox(browser, new URL(ready.base_url).origin);
  });
  afterAll(async () => {
    await browser.close();
    await dev.stop();
    shop.close();
    folder.remove();
  });

  const call = async (path: string, body?: unknown) => {
    const { base_url, api_key } = dev.ready;
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(new URL(path, base_url), init);
    const json = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(json));
    return json.data;
  };
  const send = async (email: Record<string, unknown> = {}) =>
    (await call('/v1/emails', { to: 'ada@example.test', from: 'shop@example.test', html: '<p>Hello</p>', ...email }))
      .id;
  /** Captures a message with any subject: the API refuses hidden characters. */
  const capture = async (subject: string) => {
    const { base_url, api_key } = dev.ready;
    const encoded = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
    const response = await fetch(new URL('/_svc/emails', base_url), {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'message/rfc822' },
      body: `From: a@example.test\r\nTo: ada@example.test\r\nSubject: ${encoded}\r\n\r\nHello`,
    });
    return (await response.json()).data.id as string;
  };
  /** Returns the code that the page shows for an email, by its title. */
  const codeOf = async (id: string, title: string) => {
    const { page, problems } = opened;
    await page.goto(new URL(`/inbox/emails/${id}/code`, dev.ready.base_url).href);
    const code = await page.getByRole('region', { name: title, exact: true }).locator('pre').textContent();
    expect(problems).toEqual([]);
    return code ?? '';
  };
  const run = (program: string, args: string[]) => runTool(program, args, '', { cwd: folder.path, env });
  const resetMail = () => {
    const { port } = shop.address() as { port: number };
    return send({
      subject: 'Reset your password',
      html: `<p>Your code is 482913.</p><a href="http://127.0.0.1:${port}/reset?t=1">Reset password</a>`,
    });
  };
  /** Runs code that was copied to a file. */
  const runFile = async (name: string, code: string, program: string, args: string[]) => {
    writeFileSync(join(folder.path, name), code);
    return run(program, args);
  };
  const newest = async (not: string) => {
    await call('/_svc/settle', {});
    const { emails } = await call('/_svc/emails?limit=1');
    expect(emails[0].id).not.toBe(not);
    return call(`/_svc/emails/${emails[0].id}/captured`);
  };

  it('waits for it on the command line, and prints its code', async () => {
    const code = await codeOf(await resetMail(), 'Command line');

    expect(code).toContain('--extract code');
    expect((await run('sh', ['-c', code])).trim()).toBe('482913');
  });

  it('names the data directory in commands, which another terminal needs', async () => {
    const id = await resetMail();
    const { SVC_DATA_DIR: _dir, SVC_BASE_URL: _url, SVC_API_KEY: _key, ...other } = env;
    const inOther = (code: string) => runTool('sh', ['-c', code], '', { cwd: ROOT, env: other });

    expect((await inOther(await codeOf(id, 'Command line'))).trim()).toBe('482913');
    await inOther(await codeOf(id, 'curl'));
    expect((await newest(id)).subject).toBe('Reset your password');
  });

  it('waits for it with Vitest, and has valid types', async () => {
    const code = await codeOf(await resetMail(), 'Vitest');
    expect(code).toContain(".toHaveLink({ kind: 'reset' })");

    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    expect(await runFile('copied.test.mjs', code, process.execPath, [vitest, 'run', 'copied.test.mjs'])).toMatch(
      /1 passed/,
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const checks = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const types = ['--types', 'node'];
    expect(await runFile('copied.ts', code, process.execPath, [tsc, ...checks, ...types, 'copied.ts'])).toBe('');
  });

  it('waits for it with Playwright, and follows its link', async () => {
    const code = await codeOf(await resetMail(), 'Playwright');
    expect(code).toContain('page.goto(');

    const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
    expect(await runFile('copied.spec.mjs', code, process.execPath, [cli, 'test'])).toMatch(/1 passed/);
  });

  it.skipIf(withoutPytest)(`waits for it with pytest${withoutPytest}`, async () => {
    const code = await codeOf(await resetMail(), 'pytest');

    expect(await runFile('test_copied.py', code, 'pytest', ['-q', 'test_copied.py'])).toMatch(/1 passed/);
  });

  it('sends an equal email with curl', async () => {
    const attachment = { filename: "it's 日本.txt", content: 'bm90ZXM=', contentType: 'text/plain' };
    const id = await send({
      to: ['Ada <ada@example.test>', 'bob@example.test'],
      cc: ['carol@example.test'],
      bcc: ['audit@example.test'],
      reply_to: 'help@example.test',
      subject: HOSTILE[1],
      html: "<p>JSON\nJSON</p>\n'$(touch owned)'\\ ‮",
      text: 'JSON\n',
      tags: ['a', 'b c'],
      attachments: [attachment],
    });
    await run('sh', ['-c', await codeOf(id, 'curl')]);

    expect(contentOf(await newest(id))).toEqual(contentOf(await call(`/_svc/emails/${id}/captured`)));
  });

  it('sends an equal email with Nodemailer', async () => {
    const id = await send({
      to: ['Ada <ada@example.test>', 'bob@example.test'],
      cc: ['carol@example.test'],
      from: '"Shop, Inc." <shop@example.test>',
      reply_to: 'help@example.test',
      subject: HOSTILE[0],
      html: '<p>"Größe" \'$(touch owned)\'</p>',
      text: 'Größe `touch owned` $1',
      attachments: [{ filename: 'notes.txt', content: 'bm90ZXM=', contentType: 'text/plain' }],
    });
    await runFile('copied.mjs', await codeOf(id, 'Nodemailer'), process.execPath, ['copied.mjs']);

    const { tags: _, ...expected } = contentOf(await call(`/_svc/emails/${id}/captured`));
    const trimmed = ({ text, html, ...rest }: { text: string; html: string }) => ({
      ...rest,
      text: text.trim(),
      html: html.trim(),
    });
    expect(trimmed(contentOf(await newest(id)))).toMatchObject(trimmed(expected));
  });

  it.each(HOSTILE)('runs nothing of a hostile subject, and still finds the email: %j', async (subject) => {
    const id = await capture(subject);

    const found = await run('sh', ['-c', `${await codeOf(id, 'Command line')} --json`]);

    expect(JSON.parse(found).id ?? JSON.parse(found).emails?.[0]?.id).toBe(id);
    await expect(run('test', ['-e', 'owned'])).rejects.toThrow();
  });
});

function contentOf({ from, reply_to, subject, html, text, tags, recipients, attachments }: Captured) {
  return {
    from,
    reply_to,
    subject,
    html,
    text,
    tags,
    recipients: recipients.map(({ kind, mailbox }) => `${kind} ${mailbox}`),
    attachments: attachments.map(({ filename, content_type, size }) => ({
      filename,
      content_type,
      size,
    })),
  };
}
