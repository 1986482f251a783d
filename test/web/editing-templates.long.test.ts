import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the pages of templates in a browser. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/inbox/templates') => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};

async function create(template: Record<string, string> = {}): Promise<string> {
  const { json } = await server.call('POST', '/v1/templates', {
    name: 'welcome',
    subject: 'Welcome, {{name}}',
    html: '<h1>Welcome, {{name}}</h1>\n<p>Your plan: {{plan}}</p>',
    text: 'Welcome, {{name}}',
    ...template,
  });
  return json.data.id;
}

const preview = (page: Page) => page.frameLocator('iframe[title="HTML with the sample data"]');
const htmlEditor = (page: Page) => page.getByRole('textbox', { name: 'HTML of the template' });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Replaces what the editor contains. */
async function write(page: Page, html: string) {
  await htmlEditor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(html);
}

describe.skipIf(withoutBrowser)(`the templates of the inbox${withoutBrowser}`, () => {
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

  it('creates a template, edits it with a preview, and sends a test', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
    await button(page, 'Create template').click();
    await field(page, 'Name').fill('receipt');
    await field(page, 'Subject').fill('Receipt for {{name}}');
    await button(page, 'Create').click();
    await preview(page).getByRole('heading', { name: 'Hello {{name}}' }).waitFor();

    await page.getByRole('button', { name: 'Sample data (1 missing)' }).click();
    await field(page, 'name').fill('Ada <3');
    await preview(page).getByRole('heading', { name: 'Hello Ada <3' }).waitFor();
    await button(page, 'HTML').click();
    await write(page, '<h1>Paid, {{name}}</h1>');
    await preview(page).getByRole('heading', { name: 'Paid, Ada <3' }).waitFor();
    await button(page, 'Save').click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await button(page, 'Send a test').click();
    await field(page, 'To').fill('ada@example.test');
    await button(page, 'Send').click();

    await page.getByRole('heading', { name: 'Receipt for Ada <3', level: 1 }).waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Paid, Ada <3' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/inbox\/emails\/msg_/);
    const { templates } = await server.read('/v1/templates');
    expect(templates[0]).toMatchObject({ name: 'receipt', html: '<h1>Paid, {{name}}</h1>' });
  });

  it('takes HTML as it is typed, with its closing tags', async () => {
    const page = await open(`/inbox/templates/${await create()}`);
    await write(page, '');
    await page.keyboard.type('<p>Hello {{nam}}!</p>');

    await expect.poll(() => htmlEditor(page).textContent()).toBe('<p>Hello {{nam}}!</p>');
  });

  it('lists problems with line and column, marks them, and goes to them', async () => {
    const id = await create({ html: '<p>\n  Dear {{ first name }},\n</p>', text: 'Hi', subject: 'Hi' });
    const page = await open(`/inbox/templates/${id}`);
    const problem = page.getByRole('button', {
      name: /^HTML, line 2, column 8: "{{ first name }}" is not a placeholder/,
    });
    await problem.waitFor();
    await page.locator('.cm-mark-error').getByText('{{ first name }}').waitFor();

    await problem.click();
    await page.keyboard.insertText('{{first_name}}');

    await page.getByRole('button', { name: 'HTML, line 2, column 8: first_name has no sample value' }).waitFor();
    await page.locator('.cm-mark-error').waitFor({ state: 'detached' });
    await button(page, 'Data as JSON').click();
    await page.getByRole('textbox', { name: 'Sample data as JSON' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{\n  "first_name": Ada\n}');
    await page.getByRole('button', { name: 'Sample data, line 2, column 17: invalid JSON' }).waitFor();
  });

  it('shows why the server refuses the content, next to the last preview', async () => {
    const id = await create();
    const page = await open(`/inbox/templates/${id}`);
    await preview(page).getByRole('heading', { name: 'Welcome, {{name}}' }).waitFor();

    await field(page, 'Subject').fill('');

    await page.getByRole('alert').getByText('subject: must not be empty').waitFor();
    await preview(page).getByRole('heading', { name: 'Welcome, {{name}}' }).waitFor();
    await button(page, 'Save').click();
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'subject: must not be empty' }).count()).toBe(2);
    expect((await server.read(`/v1/templates/${id}`)).subject).toBe('Welcome, {{name}}');
  });

  it('takes over a change of a command, but never overwrites one silently', async () => {
    const id = await create();
    const page = await open(`/inbox/templates/${id}`);
    const patch = (body: object) => server.call('PATCH', `/v1/templates/${id}`, body);
    await patch({ subject: 'First' });
    await expect.poll(() => field(page, 'Subject').inputValue()).toBe('First');

    await write(page, '<p>Mine</p>');
    await patch({ html: '<p>Theirs</p>' });
    await page.getByText('This template was changed elsewhere').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Not saved: this template was changed elsewhere.').waitFor();
    expect((await server.read(`/v1/templates/${id}`)).html).toBe('<p>Theirs</p>');
    await button(page, 'Keep my version').click();
    await button(page, 'Save').click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });

    expect(await server.read(`/v1/templates/${id}`)).toMatchObject({ subject: 'First', html: '<p>Mine</p>' });
  });

  it('keeps unsaved changes when one leaves the editor, and after a deletion', async () => {
    const id = await create();
    const page = await open(`/inbox/templates/${id}`);
    await field(page, 'Subject').fill('Draft');
    await page.getByRole('link', { name: 'All templates' }).click();
    await page.getByRole('row', { name: /welcome.*Unsaved changes/ }).waitFor();
    page.once('dialog', (dialog) => dialog.accept());
    await page.goBack();
    await expect.poll(() => field(page, 'Subject').inputValue()).toBe('Draft');

    await server.call('DELETE', `/v1/templates/${id}`);

    await page.getByRole('heading', { name: 'Template not found' }).waitFor();
    await button(page, 'Create it again').click();
    await expect.poll(() => field(page, 'Subject').inputValue()).toBe('Draft');
    expect((await server.read('/v1/templates')).templates[0].subject).toBe('Draft');
  });

  it('keeps what was typed during a save, and sends a test only after all of it is saved', async () => {
    const id = await create({ subject: 'Old', html: '<p>Hi</p>', text: 'Hi' });
    const page = await open(`/inbox/templates/${id}`);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/v1/templates/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await released;
      await route.continue();
    });
    await field(page, 'Subject').fill('First');
    const saving = page.waitForRequest((request) => request.method() === 'PATCH');
    await button(page, 'Save').click();
    await saving;
    await field(page, 'Subject').fill('Second');
    await button(page, 'Send a test').click();
    await button(page, 'Save and send').click();
    release();

    await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
    expect((await server.read(`/v1/templates/${id}`)).subject).toBe('Second');
  });

  it('shows what was saved without a moment of what was there before', async () => {
    const id = await create({ subject: 'Old' });
    const page = await open(`/inbox/templates/${id}`);
    await field(page, 'Subject').fill('New');
    await page.evaluate(`
      const input = document.activeElement;
      window.seen = new Set();
      (function look() { window.seen.add(input.value); requestAnimationFrame(look); })();
      new MutationObserver(() => window.seen.add(input.value)).observe(document, { subtree: true, childList: true, attributes: true });
    `);

    await button(page, 'Save').click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });

    expect(await page.evaluate('[...window.seen]')).toEqual(['New']);
  });

  it('asks before the tab is closed with unsaved changes', async () => {
    const id = await create();
    const page = await open(`/inbox/templates/${id}`);
    await field(page, 'Subject').fill('Draft');
    await page.getByText('Unsaved changes').waitFor();
    const asked = page.waitForEvent('dialog');

    await page.close({ runBeforeUnload: true });

    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await field(page, 'Subject').inputValue()).toBe('Draft');
  });

  it('keeps the sample data of each template in the browser', async () => {
    const id = await create();
    const page = await open(`/inbox/templates/${id}?part=data`);
    await field(page, 'plan').fill('Pro');
    await preview(page).getByText('Your plan: Pro').waitFor();

    await page.reload();

    await preview(page).getByText('Your plan: Pro').waitFor();
    expect(await field(page, 'plan').inputValue()).toBe('Pro');
  });

  it('begins with the values of the starter that a template was made from', async () => {
    const read = (file: string) => readFileSync(`templates/welcome/${file}`, 'utf8');
    const starter = { ...JSON.parse(read('template.json')), html: read('body.html'), text: read('body.txt') };
    const page = await open(`/inbox/templates/${await create(starter)}?part=data`);

    await preview(page).getByText('Lighthouse & Sons').first().waitFor();
    expect(await field(page, 'product_name').inputValue()).toBe('Lighthouse & Sons');
    expect(await page.getByText('missing').count()).toBe(0);
  });

  it('asks for missing values when it sends a test, and names each once', async () => {
    const id = await create({ text: '' });
    const page = await open(`/inbox/templates/${id}`);
    await button(page, 'Send a test').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
    await button(page, 'Send').click();
    await dialog.getByRole('textbox', { name: 'plan', description: 'is missing' }).waitFor();
    await dialog.getByRole('alert').filter({ hasText: 'Correct the field plan.' }).waitFor();
    await dialog.getByRole('textbox', { name: 'plan' }).fill('Pro');
    await button(page, 'Send').click();

    await page.getByRole('heading', { name: 'Welcome, Ada', level: 1 }).waitFor();
    await page.frameLocator('iframe').getByText('Your plan: Pro').waitFor();
    await page.goto(`${server.origin}/inbox/templates/${id}?part=data`);
    expect(await field(page, 'plan').inputValue()).toBe('Pro');
  });

  it('sends a cleared value as empty after a refusal, and keeps values only of a sent test', async () => {
    const id = await create({ text: '' });
    const page = await open(`/inbox/templates/${id}`);
    await button(page, 'Send a test').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
    await button(page, 'Send').click();
    await dialog.getByRole('textbox', { name: 'plan', description: 'is missing' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Sample data (2 missing)' }).waitFor();

    await button(page, 'Send a test').click();
    await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
    await button(page, 'Send').click();
    await dialog.getByRole('textbox', { name: 'plan', description: 'is missing' }).fill('Pro');
    await dialog.getByRole('textbox', { name: 'name', exact: true }).clear();
    await button(page, 'Send').click();

    await page.getByRole('heading', { name: 'Welcome,', level: 1, exact: true }).waitFor();
    await page.frameLocator('iframe').getByText('Your plan: Pro').waitFor();
  });

  it('finds templates, and deletes one after a confirmation', async () => {
    await create({ name: 'receipt', subject: 'Paid' });
    await create({ name: 'reset' });
    const page = await open();
    await page.getByText('2 templates').waitFor();
    await page.getByRole('searchbox', { name: 'Search templates' }).fill('RES');
    await page.getByText('1 template', { exact: true }).waitFor();
    expect(page.url()).toContain('search=RES');
    await page.getByRole('link', { name: 'reset' }).click();
    await button(page, 'Delete the template').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('1 template', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'receipt' }).count()).toBe(1);
    expect((await server.read('/v1/templates')).templates.map(({ name }: { name: string }) => name)).toEqual([
      'receipt',
    ]);
  });

  it('runs no script of a template, and loads nothing from other servers until allowed', async () => {
    const html =
      '<p>Safe</p><script>top.hit = 1</script><img src="https://images.example/x.png" onerror="top.hit = 1">';
    const id = await create({ html });
    const page = await open(`/inbox/templates/${id}`);
    await preview(page).getByText('Safe').waitFor();
    await page.getByText('Remote images and styles are blocked.').waitFor();

    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox');
    expect(await preview(page).locator('script, [onerror], [src*="images.example"]').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
  });
});
