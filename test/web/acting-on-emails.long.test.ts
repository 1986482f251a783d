import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RelayServer, startRelayServer } from '../support/servers/relay-server.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests what a user does with emails in the inbox besides reading them, and what shows where a user is. */

let browser: Browser;
let server: InboxServer;
let relay: RelayServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/', options = {}) => {
  opened = await openInbox(browser, server.origin, path, options);
  return opened.page;
};
const colorOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).color);

describe.skipIf(withoutBrowser)(`acting on emails${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    relay = await startRelayServer();
  });
  afterAll(() => Promise.all([browser.close(), relay.close()]));
  beforeEach(async () => {
    server = await startInbox(0, { relay: relay.relay({ allow: ['*@corp.test'] }) });
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('marks all emails of a search as read with one click', async () => {
    for (const subject of ['Order 1', 'Order 2', 'Invoice']) await server.send({ subject });
    const page = await open('/inbox/emails?search=subject:order');
    const button = page.getByRole('button', { name: 'Mark all as read' });

    await button.click();
    await button.waitFor({ state: 'detached' });

    expect((await server.read('/_svc/summary')).unread).toBe(1);
  });

  it('releases an email through the relay, and shows its reply', async () => {
    const id = await server.send({ subject: 'For real' });
    const page = await open(`/inbox/emails/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Release to a real mailbox…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release to a real mailbox' });
    expect(await dialog.getByLabel('Recipients').inputValue()).toBe('ada@example.test');
    await dialog.getByRole('button', { name: 'Release' }).click();
    await dialog.getByText('not an allowed recipient').waitFor();

    await dialog.getByLabel('Recipients').fill('ada@corp.test, bob@corp.test');
    await dialog.getByRole('button', { name: 'Release' }).click();

    const done = page.getByRole('dialog', { name: 'The relay accepted the email' });
    await done.getByText(`127.0.0.1:${relay.port}: 250`).waitFor();
    const { releases } = await server.read(`/_svc/emails/${id}`);
    expect(releases.at(-1).rcpt_to).toEqual(['ada@corp.test', 'bob@corp.test']);
    await done.getByRole('button', { name: 'Close' }).last().click();
    await done.waitFor({ state: 'detached' });
  });

  it('searches the tag that is clicked, in the same color everywhere', async () => {
    const id = await server.send({ subject: 'Tagged', tags: ['eu-west'] });
    await server.send({ subject: 'Other', tags: ['billing'] });
    const page = await open(`/inbox/emails/${id}`);
    const link = page.getByRole('link', { name: 'eu-west', exact: true });
    const color = await colorOf(link.locator('span'));
    await link.click();
    await page.getByText('1 email found').waitFor();

    expect(await page.getByRole('combobox', { name: 'Search emails' }).inputValue()).toBe('tag:eu-west');
    expect(await colorOf(page.getByRole('listitem').getByText('eu-west', { exact: true }))).toBe(color);
  });

  it('adds a tag to an email and removes it, next to those of the sender', async () => {
    const id = await server.send({ subject: 'Tagged', tags: ['eu-west'] });
    const page = await open(`/inbox/emails/${id}`);
    await page.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByLabel('Tag to add').fill('to do');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'to do', exact: true }).waitFor();

    expect(await server.read(`/_svc/emails/${id}`)).toMatchObject({ added_tags: ['to do'] });
    expect(await server.read(`/v1/emails/${id}`)).toMatchObject({ tags: ['eu-west'] });
    expect((await server.read('/_svc/emails?search=tag:"to do"')).total).toBe(1);
    expect(await page.getByRole('button', { name: 'Remove the tag eu-west' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove the tag to do' }).click();
    await page.getByRole('link', { name: 'to do', exact: true }).waitFor({ state: 'detached' });
    expect(await server.read(`/_svc/emails/${id}`)).toMatchObject({ added_tags: [] });
  });

  it('finds faults in the palette as chaos', async () => {
    const page = await open();
    await page.getByText('No emails yet').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command, page or search' }).fill('chaos');
    await page.getByRole('option', { name: /Go to Rules/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor();
  });

  it('shows a character that reverses a subject and the name of an attachment', async () => {
    const attachment = { filename: 'invoice\u202efdp.exe', content: 'bm90ZXM=', contentType: 'text/plain' };
    const id = await server.send({ subject: 'Invoice \u202efdp.exe', attachments: [attachment] });
    const page = await open(`/inbox/emails/${id}/attachments`);
    await page.getByRole('heading', { name: 'Invoice [U+202E]fdp.exe', level: 1 }).waitFor();
    await page.getByRole('link', { name: /Invoice \[U\+202E\]fdp\.exe/ }).waitFor();
    await page.getByText('invoice[U+202E]fdp.exe', { exact: true }).waitFor();
  });

  it('says that an email has no attachments and no HTML', async () => {
    const message = 'From: shop@example.test\r\nTo: ada@example.test\r\nSubject: Text\r\n\r\nOnly text';
    const { json } = await server.call('POST', '/_svc/emails', message, {
      'content-type': 'message/rfc822',
    });
    const page = await open(`/inbox/emails/${json.data.id}/attachments`);
    await page.getByRole('heading', { name: 'No attachments' }).waitFor();
    await page.goto(`${server.origin}/inbox/emails/${json.data.id}/preview`);
    await page.getByRole('heading', { name: 'No HTML' }).waitFor();
  });

  it('has targets of 40 pixels on a phone, and the controls of a preview in one row', async () => {
    const html = '<p>Go to <a href="https://shop.example/verify?token=1">Verify your address</a></p>';
    const id = await server.send({ html, tags: ['a'], to: ['ada@example.test', 'b@x.io'] });
    const page = await open(`/inbox/emails/${id}`, { viewport: { width: 390, height: 800 }, hasTouch: true });
    const preview = page.getByRole('toolbar', { name: 'Preview' });
    await preview.getByLabel('Copy', { exact: true }).waitFor();

    const sizes = await page
      .locator('article :is(button, select), article header a, nav[aria-label^=Parts] a')
      .evaluateAll((all) =>
        all
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const { width, height, left, right } = element.getBoundingClientRect();
            return { name: element.ariaLabel ?? element.textContent, width, height, left, right };
          }),
      );

    expect(sizes.filter(({ width, height }) => width < 40 || height < 40)).toEqual([]);
    expect((await preview.boundingBox())?.height).toBeLessThan(60);
    const tabs = sizes.filter(({ name }) => /Preview|Text|Timeline/.test(name ?? ''));
    for (const [index, { left }] of tabs.slice(1).entries())
      expect(left).toBeGreaterThanOrEqual(tabs[index]?.right ?? 0);
  });
});

it.skipIf(withoutBrowser)(`shows the workspace of the key that signed in${withoutBrowser}`, async () => {
  const [chromium, remote] = await Promise.all([
    launchBrowser(),
    startInbox(0, { host: '0.0.0.0', inboxPassword: 'correct horse battery' }),
  ]);
  const { json } = await remote.call('POST', '/_svc/workspaces', { name: 'worker-1', addresses: ['*@w1.test'] });
  const { page, close } = await openInbox(chromium, remote.origin);
  await page.getByLabel('API key or inbox password').fill(json.data.api_key);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('complementary', { name: 'Navigation' }).getByText('Workspace worker-1').waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('banner').getByText('Workspace worker-1').waitFor();

  await close();
  await chromium.close();
  await remote.closeClean();
});
