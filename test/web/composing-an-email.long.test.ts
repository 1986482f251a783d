import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { CapturedEmail } from '../../src/client/operations.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page that sends a test email. */

const FILE = { name: 'Übersicht 2026.txt', mimeType: 'text/plain', buffer: Buffer.from('Grüße') };
let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/inbox/compose') => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};
const sentId = async () => {
  await opened.page.waitForURL(/\/inbox\/emails\/msg_/);
  return new URL(opened.page.url()).pathname.split('/')[3] as string;
};
const fill = async (fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) {
    await opened.page.getByLabel(label, { exact: true }).fill(value);
  }
};
const rawOf = async (id: string) => {
  const headers = { authorization: 'Bearer svc_test_scenarios' };
  return (await fetch(`${server.origin}/_svc/emails/${id}/raw`, { headers })).text();
};

describe.skipIf(withoutBrowser)(`composing an email in the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('sends every field with the API, and opens the email', async () => {
    const page = await open('/inbox/emails');
    await page.getByRole('heading', { name: 'No emails yet' }).waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('To', { exact: true }).waitFor();
    await fill({
      From: 'Shop <shop@example.test>',
      To: 'ada@example.test, "Ng, Bob" <bob@example.test>',
      Cc: 'carol@example.test',
      Bcc: 'audit@example.test',
      'Reply to': 'help@example.test',
      Subject: 'Your order 📦',
      HTML: '<p>Thank you</p>',
      Text: 'Thank you',
      Tags: 'order, test',
      'Send at': '2h',
    });
    await page.getByLabel('Attachments').setInputFiles(FILE);
    await page.getByRole('button', { name: 'Remove Übersicht 2026.txt' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByRole('heading', { name: 'Your order 📦', level: 1 }).waitFor();
    const email = await server.read(`/_svc/emails/${await sentId()}/captured`);
    expect(email).toMatchObject({
      origin: 'rest',
      status: 'scheduled',
      from: 'Shop <shop@example.test>',
      reply_to: 'help@example.test',
      html: '<p>Thank you</p>',
      tags: ['order', 'test'],
    });
    expect((email as CapturedEmail).recipients.map(({ kind, mailbox }) => `${kind} ${mailbox}`)).toEqual([
      'to ada@example.test',
      'to bob@example.test',
      'cc carol@example.test',
      'bcc audit@example.test',
    ]);
    expect(email.attachments).toMatchObject([{ filename: 'Übersicht 2026.txt', size: FILE.buffer.length }]);
  });

  it('adds an SMTP message that another parser reads, with Bcc in its envelope only', async () => {
    const page = await open();
    await page.getByLabel('Send over').selectOption('smtp');
    await page.getByText('as if it was received over SMTP').waitFor();
    const subject = `Grüße 👋🏽 ${'sehr lang '.repeat(30)}Ende`;
    await fill({
      From: 'Zoë <zoe@example.test>',
      To: 'ada@example.test, "Ng, Bob" <bob@example.test>',
      Bcc: 'audit@example.test',
      Subject: subject,
      HTML: '<p>Größe</p>',
      Text: 'Größe',
    });
    await page.getByLabel('Attachments').setInputFiles(FILE);
    await page.getByRole('button', { name: 'Remove Übersicht 2026.txt' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByText('Received over SMTP').waitFor();
    const id = await sentId();
    const raw = await rawOf(id);
    expect(raw).not.toContain('audit@');
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
    const parsed = await simpleParser(raw);
    expect(parsed.subject).toBe(subject);
    expect(parsed.from?.value).toEqual([{ name: 'Zoë', address: 'zoe@example.test' }]);
    expect([parsed.to].flat()[0]?.value.map(({ name }) => name)).toEqual(['', 'Ng, Bob']);
    expect(parsed.html).toContain('<p>Größe</p>');
    expect(parsed.text).toContain('Größe');
    expect(parsed.attachments[0]?.filename).toBe('Übersicht 2026.txt');
    expect(parsed.attachments[0]?.content.toString()).toBe('Grüße');
    expect((await server.read(`/_svc/emails/${id}`)).envelope.rcpt_to).toEqual([
      'ada@example.test',
      'bob@example.test',
      'audit@example.test',
    ]);
  });

  it.each(['api', 'smtp'])('shows each refused field, and keeps the text (%s)', async (transport) => {
    const page = await open();
    await page.getByLabel('Send over').selectOption(transport);
    await fill({ From: 'nobody', To: 'ada@example.test, bob@', Subject: 'Kept', HTML: '<p>Kept</p>' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    const from = page.getByLabel('From', { exact: true });
    await page.locator('[aria-invalid]').first().waitFor();
    expect(
      await page.locator('[aria-invalid]').evaluateAll((fields) => fields.map((field) => field.getAttribute('name'))),
    ).toEqual(['from', 'to']);
    expect(await from.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Subject').inputValue()).toBe('Kept');

    await fill({ From: 'shop@example.test', To: 'ada@example.test' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor();
  });

  it('names the fields to correct as the form does, and the entries of a list', async () => {
    const page = await open();
    await fill({ From: 'nobody', To: 'ada@example.test, bob', Subject: 'Hello', HTML: '<p>Hi</p>' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByRole('alert').filter({ hasText: 'Correct the 2 fields From, To.' }).waitFor();
    await page.getByRole('textbox', { name: 'From', description: /^must be one address/ }).waitFor();
    await page.getByRole('textbox', { name: 'To', description: /^bob must have the form user@host/ }).waitFor();
    await fill({ To: 'bob' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('textbox', { name: 'To', description: /^bob must have the form user@host/ }).waitFor();
    const borderOf = (name: string) =>
      page.getByRole('textbox', { name, exact: true }).evaluate((field) => getComputedStyle(field).borderColor);

    await page.getByRole('textbox', { name: 'Subject' }).fill('');
    await page.getByRole('textbox', { name: 'HTML' }).fill('');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByRole('textbox', { name: 'Subject', description: 'Enter a subject or choose a template.' })
      .waitFor();
    await page.getByRole('textbox', { name: 'HTML', description: 'Enter HTML or choose a template.' }).waitFor();
    expect(await borderOf('Subject')).toBe(await borderOf('HTML'));
    expect(await borderOf('Subject')).not.toBe(await borderOf('Text'));
  });

  it('refuses files that are too large in all before it reads them', async () => {
    const page = await open();
    const input = page.getByLabel('Attachments');
    const directory = await mkdtemp(join(tmpdir(), 'svc-files-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const half = async (name: string) => {
      const path = join(directory, name);
      await writeFile(path, '');
      await truncate(path, 13 * 2 ** 20);
      return path;
    };
    await input.setInputFiles(await half('first.pdf'));
    await page.getByRole('button', { name: 'Remove first.pdf' }).waitFor();

    await input.setInputFiles(await half('second.pdf'));
    const refusal = page.getByRole('alert').filter({ hasText: 'second.pdf is not attached: at most 25 MB in all' });
    await refusal.waitFor();
    expect(await page.getByRole('button', { name: 'Remove second.pdf' }).count()).toBe(0);
    expect(await input.inputValue()).toBe('');

    await page.getByRole('button', { name: 'Remove first.pdf' }).click();
    await refusal.waitFor({ state: 'detached' });
    await input.setInputFiles(FILE);
    await page.getByRole('button', { name: `Remove ${FILE.name}` }).waitFor();
    await fill({ To: 'ada@example.test', Subject: 'Small', HTML: '<p>Hi</p>' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Small', level: 1 }).waitFor();
    const { attachments } = await server.read(`/_svc/emails/${await sentId()}/captured`);
    expect(attachments).toMatchObject([{ size: FILE.buffer.length }]);
  });

  it('sends a template with its variables', async () => {
    const template = { name: 'welcome', subject: 'Welcome, {{name}}', html: '<p>Hello {{name}}</p>' };
    const { id } = (await server.call('POST', '/v1/templates', template)).json.data;
    const page = await open();
    await page.getByLabel('Template').selectOption(id);
    await fill({ To: 'ada@example.test', Variables: '{"nam": "Ada"}' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('textbox', { name: 'Variables', description: /^name / }).waitFor();

    await fill({ Variables: '{"name": "Ada"}' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Welcome, Ada', level: 1 }).waitFor();
  });

  it('keeps what was entered when the template or the transport changes, and when one leaves the page', async () => {
    const template = { name: 'welcome', subject: 'Welcome', html: '<p>Hello {{name}}</p>' };
    const { id } = (await server.call('POST', '/v1/templates', template)).json.data;
    const page = await open();
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await fill({ To: 'ada@example.test', HTML: '<p>Mine</p>', Tags: 'order' });
    await page.getByLabel('Track opens').uncheck();
    await page.getByLabel('Attachments').setInputFiles(FILE);
    await page.getByLabel('Template').selectOption(id);
    await fill({ Variables: '{"name": "Ada"}' });
    await page.getByLabel('Send over').selectOption('smtp');
    expect(await value('HTML')).toBe('<p>Mine</p>');

    await page.getByRole('link', { name: 'Clock' }).click();
    await page.getByRole('region', { name: 'Service time' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Service time' }).waitFor();
    await page.keyboard.press('c');

    await expect.poll(() => value('Send over')).toBe('smtp');
    expect(await value('HTML')).toBe('<p>Mine</p>');
    await page.getByLabel('Send over').selectOption('api');
    expect([await value('To'), await value('Tags'), await value('Variables')]).toEqual([
      'ada@example.test',
      'order',
      '{"name": "Ada"}',
    ]);
    expect(await page.getByLabel('Track opens').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Remove Übersicht 2026.txt' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => value('To')).toBe('');
    await page.getByRole('button', { name: 'Remove Übersicht 2026.txt' }).waitFor({ state: 'detached' });
    await page.reload();
    await expect.poll(() => value('From')).toBe('shop@example.test');
    expect(await value('Tags')).toBe('');
  });

  it('begins with empty fields after an email was sent', async () => {
    const page = await open();
    await fill({ To: 'ada@example.test', Subject: 'Sent', HTML: '<p>Sent</p>' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Sent', level: 1 }).waitFor();

    await page.keyboard.press('c');

    await page.getByLabel('Subject').waitFor();
    expect(await page.getByLabel('Subject').inputValue()).toBe('');
  });

  it('offers more templates than the server returns at once', async () => {
    for (let number = 1; number <= 101; number += 1) {
      await server.call('POST', '/v1/templates', { name: `template ${number}`, subject: 'Hi', html: '<p>Hi</p>' });
    }
    const page = await open();

    await page.getByLabel('Template').selectOption('template 1');

    await page.getByLabel('Variables').waitFor();
  });

  it('edits an email as a new one, with its attachments', async () => {
    const attachment = { filename: 'notes.txt', content: 'bm90ZXM=', contentType: 'text/plain' };
    const id = await server.send({ cc: ['bob@example.test'], text: 'Plain', tags: ['a'], attachments: [attachment] });
    const page = await open(`/inbox/emails/${id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Edit as new' }).click();
    await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor();
    await fill({ Subject: 'Hello again' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByRole('heading', { name: 'Hello again', level: 1 }).waitFor();
    const sent = await sentId();
    const [before, after] = await Promise.all([id, sent].map((each) => server.read(`/_svc/emails/${each}/captured`)));
    const same = ({ from, html, text, tags, recipients, attachments }: CapturedEmail) => ({
      from,
      html,
      text,
      tags,
      recipients,
      attachments,
    });
    await expect.poll(async () => same(await server.read(`/_svc/emails/${sent}/captured`))).toEqual(same(before));
    expect(after.subject).toBe('Hello again');
  });
});
