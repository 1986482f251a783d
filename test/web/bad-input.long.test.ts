import { createTransport } from 'nodemailer';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  hold,
  type InboxServer,
  launchBrowser,
  openInbox,
  startInbox,
  withoutBrowser,
} from '../support/web/browser.js';

/** Tests what the inbox shows for unusual messages, and for a server that does not respond as it should. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/') => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};

/** Captures a message as SMTP does. Returns its ID, once it is parsed. */
async function capture(message: string): Promise<string> {
  const { json } = await server.call('POST', '/_svc/emails', message, { 'content-type': 'message/rfc822' });
  return parsed(json.data.id);
}

/** Sends a message over SMTP, without a sender in its envelope. Returns its ID, once it is parsed. */
async function receive(raw: string | Buffer): Promise<string> {
  const { smtp } = await server.read('/_svc/info');
  const transport = createTransport({ host: smtp.host, port: smtp.port, ignoreTLS: true });
  const { response } = await transport.sendMail({ envelope: { from: '', to: 'c@d.test' }, raw });
  return parsed(/msg_\w+/.exec(response)?.[0] ?? response);
}

async function parsed(id: string): Promise<string> {
  await expect.poll(async () => (await server.read(`/_svc/emails/${id}`)).parsing).toBe(false);
  return id;
}

/** Number of attachments: a message has at most 1,000 parts. */
const MANY = 998;
const lines = (...all: string[]) => all.join('\r\n');
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Parts of the email' }).getByRole('link', { name });

describe.skipIf(withoutBrowser)(`bad input${withoutBrowser}`, () => {
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

  it('shows a message without a subject, a sender and a body', async () => {
    const id = await receive('X-Nothing: here\r\n\r\n');
    const page = await open();
    await page.getByRole('link', { name: /\(no subject\)/ }).click();
    await heading(page, '(no subject)').waitFor();
    expect(new URL(page.url()).pathname).toContain(id);
    expect(await tab(page, /Preview/).count()).toBe(0);
    await expect.poll(() => panel(page, 'Text').textContent()).toContain('This email has no text');
  });

  it('keeps a subject of 10,000 characters in the width of the page', async () => {
    const id = await capture(lines('From: a@b.test', 'To: c@d.test', `Subject: ${'W'.repeat(10_000)}`, '', 'Hi'));
    const page = await open(`/inbox/emails/${id}`);
    await heading(page, /^W+$/).waitFor();
    const isWide = () => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(await isWide()).toBe(false);
    await tab(page, /Text/).click();
    expect(await tab(page, /Source/).isVisible()).toBe(true);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await isWide()).toBe(false);
  });

  it('shows HTML of 5 MB, and its source', async () => {
    const html = `<p>First line</p>${'<p>Some more text of a very long email.</p>'.repeat(120_000)}`;
    const id = await capture(
      lines('From: a@b.test', 'To: c@d.test', 'Subject: Long', 'Content-Type: text/html; charset=utf-8', '', html),
    );
    const page = await open(`/inbox/emails/${id}`);
    await page.frameLocator('iframe').getByText('First line').waitFor();
    await tab(page, /Text/).click();
    await page.getByRole('button', { name: /^Show all \d,\d+,\d+ characters$/ }).waitFor();
    expect((await panel(page, 'Text').locator('pre').textContent())?.length).toBe(200_000);
    await tab(page, /Source/).click();
    await page.locator('.cm-content').getByText('Subject:').waitFor();
  });

  it('shows the text of a large email before the rest has loaded', async () => {
    const html = `<p>First line</p>${'<p>Some more text of a very long email.</p>'.repeat(15_000)}`;
    const id = await capture(
      lines('From: a@b.test', 'To: c@d.test', 'Subject: Long', 'Content-Type: text/html; charset=utf-8', '', html),
    );
    const page = await open();
    const releaseContent = await hold(page, '**/captured');
    const releaseFrame = await hold(page, '**/inbox/content/**');
    const text = page.locator('pre').getByText('First line');

    await page.getByRole('link', { name: /Long/ }).click();
    await text.waitFor();
    expect(await heading(page, 'Long').count()).toBe(0);

    releaseContent();
    await heading(page, 'Long').waitFor();
    await text.waitFor();

    releaseFrame();
    await page.frameLocator('iframe').getByText('First line').waitFor();
    await text.waitFor({ state: 'detached' });
    const headers = { authorization: 'Bearer svc_test_scenarios' };
    const response = await fetch(`${server.origin}/_svc/emails/${id}/text?max_characters=10`, { headers });
    expect(await response.text()).toBe('First line');
  });

  it('shows 1,000 attachments and their MIME parts, the first of them at once', async () => {
    const part = (number: number) =>
      lines('--b', 'Content-Type: text/plain', `Content-Disposition: attachment; filename="${number}.txt"`, '', 'x');
    const head = lines(
      'From: a@b.test',
      'To: c@d.test',
      'Subject: Many',
      'Content-Type: multipart/mixed; boundary=b',
      '',
    );
    const parts = Array.from({ length: MANY }, (_, index) => part(index + 1));
    const id = await receive(lines(head, ...parts, '--b--', ''));
    const page = await open(`/inbox/emails/${id}/attachments`);
    const items = (name: string) => panel(page, name).getByRole('listitem');
    await expect.poll(() => items('Attachments').count()).toBe(100);
    await page.getByRole('button', { name: 'Show the text of 1.txt', exact: true }).click();
    await items('Attachments').first().locator('pre').getByText('x').waitFor();
    await page.getByRole('button', { name: `Show all ${MANY} attachments` }).click();
    await expect.poll(() => items('Attachments').count()).toBe(MANY);

    await tab(page, /MIME/).click();
    await expect.poll(() => items('MIME').count()).toBe(100);
    await page.getByRole('button', { name: `Show all ${MANY + 1} parts` }).click();
    await expect.poll(() => items('MIME').count()).toBe(MANY + 1);
  });

  it('shows what can be read of broken MIME, and bytes that do not fit their charset', async () => {
    const broken = await receive(
      Buffer.concat([
        Buffer.from(lines('From: "a', 'To: <<c@d.test', 'Subject: =?utf-8?Q?caf=C3?= =?x-no?B?%%%?=', '')),
        Buffer.from(lines('Content-Type: multipart/mixed; boundary="never', '', '--other', '', 'Some text')),
      ]),
    );
    const lying = await receive(
      Buffer.concat([
        Buffer.from(
          lines('From: a@b.test', 'To: c@d.test', 'Subject: Lies', 'Content-Type: text/plain; charset=utf-8'),
        ),
        Buffer.from('\r\n\r\nPrice: '),
        Buffer.from([0xff, 0xfe, 0x80]),
      ]),
    );
    const page = await open(`/inbox/emails/${broken}`);
    await heading(page, /caf/).waitFor();
    await page.goto(`${server.origin}/inbox/emails/${lying}/text`);
    await page.locator('pre').getByText('Price:').waitFor();
  });

  it.each([
    // A proxy may have signed the person out, so the page is loaded once more before it asks.
    [401, 'unauthenticated', 'Sign in to the svc inbox', 'Reload'],
    [429, 'rate_limited', 'Too many requests', 'Try again'],
    [500, 'internal', 'Server error', 'Try again'],
  ])('shows the next step after a %i', async (status, code, title, next) => {
    await server.send({ subject: 'Waits' });
    const page = await open();
    await page.getByRole('link', { name: /Waits/ }).waitFor();
    const refuse = (route: Route) =>
      route.fulfill({
        status,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code, message: 'Not now.', request_id: 'req_1' } }),
      });
    await page.route('**/_svc/emails/**', refuse);
    await page.route('**/_svc/inbox/session', refuse);
    await page.getByRole('link', { name: /Waits/ }).click();
    await page.getByText(title).first().waitFor();
    await page.unroute('**/_svc/emails/**', refuse);
    await page.unroute('**/_svc/inbox/session', refuse);
    await page.getByRole('button', { name: next }).click();
    await heading(page, 'Waits').waitFor();
  });

  it('says that it waits for a slow server', async () => {
    await server.send({ subject: 'Slow' });
    const page = await open();
    await page.getByRole('link', { name: /Slow/ }).waitFor();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/_svc/emails/**', (route) => answered.then(() => route.continue()));
    await page.getByRole('link', { name: /Slow/ }).click();
    await page.getByRole('region', { name: 'Email' }).getByText('Loading').waitFor();
    answer();
    await heading(page, 'Slow').waitFor();
  });

  it('uses a one-time code after the server was unreachable', async () => {
    const { code } = (await server.call('POST', '/_svc/inbox/codes')).json.data;
    opened = await openInbox(browser, server.origin, '/inbox/emails');
    const { page } = opened;
    await page.getByText('No emails yet').waitFor();
    const proofs: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/_svc/inbox/session')) proofs.push(request.postDataJSON());
    });
    const abort = (route: Route) => route.abort('connectionrefused');
    await page.route('**/_svc/inbox/session', abort);
    await page.goto('about:blank');
    await page.goto(`${server.origin}/inbox/emails#code=${code}`);
    await page.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/_svc/inbox/session', abort);
    await page.getByText('No emails yet').waitFor();
    expect(proofs.at(-1)).toEqual({ code });
    expect(page.url()).not.toContain('code=');
  });

  it('copies without the API of the clipboard, as under http://host', async () => {
    const id = await server.send({ subject: 'Copied' });
    opened = await openInbox(browser, server.origin, '/inbox/emails');
    const { page } = opened;
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })");
    await page.goto(`${server.origin}/inbox/emails/${id}`);
    await heading(page, 'Copied').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy the email ID' }).click();
    const box = page.getByRole('combobox', { name: 'Search emails' });
    await box.focus();
    await page.keyboard.press('Control+v');
    expect(await box.inputValue()).toBe(id);
  });

  it.each([
    ['an image at the end of a long email', '<img src="https://shop.example/a.png">', true],
    ['no image in a long email with links', '<a href="https://shop.example/">Shop</a>', false],
  ])('finds %s', async (_, end, isBlocked) => {
    const html = `<p>${'A long report. '.repeat(10_000)}</p>${end}<p>The end</p>`;
    const page = await open(`/inbox/emails/${await server.send({ html })}`);
    await page.frameLocator('iframe').getByText('The end').waitFor();
    expect(await page.getByText('Remote images and styles are blocked.').count()).toBe(isBlocked ? 1 : 0);
  });

  it('shows that the browser does not allow copying', async () => {
    const id = await server.send({ subject: 'Not copied' });
    opened = await openInbox(browser, server.origin, '/inbox/emails');
    const { page } = opened;
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }); document.execCommand = () => false;",
    );
    const failure = page.getByText('The browser does not allow copying.');
    const widthOf = async () => {
      await failure.waitFor();
      return (await failure.boundingBox())?.width;
    };
    await page.goto(`${server.origin}/inbox/emails/${id}/text`);
    await page.getByRole('button', { name: 'Copy the text' }).click();
    expect(await widthOf()).toBeGreaterThan(100);
    await page.reload();
    for (const item of ['Copy the email ID', 'Copy a link to here']) {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      expect(await widthOf()).toBeGreaterThan(100);
      await page.reload();
    }
  });

  it('shows in a second tab what the first one deleted', async () => {
    const id = await server.send({ subject: 'Shared' });
    const page = await open(`/inbox/emails/${id}`);
    const second = await page.context().newPage();
    await second.goto(`${server.origin}/inbox/emails/${id}`);
    await heading(second, 'Shared').waitFor();
    await page.bringToFront();
    await page.getByRole('button', { name: 'Delete' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await second.bringToFront();
    await heading(second, 'Email not found')
      .or(second.getByRole('heading', { name: 'Email not found' }))
      .waitFor();
    await second.getByRole('button', { name: 'Show all emails' }).click();
    await second.getByText('No emails yet').waitFor();
  });
});
