import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the list and an opened email in a browser. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async (path = '/') => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};

/** Returns the number of pages that the browser prints. */
async function printedPages(page: Page): Promise<number> {
  const pdf = (await page.pdf()).toString('latin1');
  return pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
}

describe.skipIf(withoutBrowser)(`the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
  });
  afterEach(async () => {
    expect(opened.problems.join('\n')).toBe('');
    await opened.close();
    await server.closeClean();
  });

  it('shows how to send a first email, then the email, and counts it as unread', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No emails yet' }).waitFor();
    expect(await page.getByText('curl http').textContent()).toContain(`${server.origin}/v1/emails`);

    await server.send({ subject: 'Your receipt' });

    await page.getByRole('link', { name: /ada@example\.test.*Your receipt/ }).waitFor();
    await expect.poll(() => page.title()).toBe('(1) Emails – svc inbox');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('%3E1%3C');
  });

  it('completes commands with the flags that this server needs', async () => {
    await server.closeClean();
    server = await startInbox(0, { commandFlags: " --data-dir '/tmp/my data'" });
    const page = await open();
    await page
      .getByText('svc emails send --to ada@example.test')
      .filter({ hasText: "--data-dir '/tmp/my data'" })
      .waitFor();
    await page.getByText(`eval "$(svc dev env --data-dir '/tmp/my data')"`).waitFor();
    await page.goto(`${server.origin}/inbox/suppressions`);
    await page.getByText("svc suppressions add ada@example.test --data-dir '/tmp/my data'").waitFor();
    await page.goto(`${server.origin}/inbox/templates`);
    await page.getByText("svc templates init welcome svc templates push --data-dir '/tmp/my data'").waitFor();
  });

  it('searches with the query language, and reports an invalid query in place', async () => {
    await server.send({ to: 'ada@example.test', subject: 'Reset your password' });
    await server.send({ to: 'bob@example.test', subject: 'Your receipt' });
    const page = await open();
    await page.getByText('2 emails').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('to:bob@example.test');
    await page.waitForURL('**?search=to%3Abob%40example.test');
    await page.getByText('1 email found').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Reset your password' }).waitFor({ state: 'detached' });

    await page.getByRole('combobox', { name: 'Search emails' }).fill('form:bob');
    await page.getByRole('alert').filter({ hasText: 'Did you mean "from:"?' }).waitFor();
  });

  it('completes fields and words of the query language', async () => {
    await server.send({ to: 'bounced@simulator.test' });
    const page = await open();
    const box = page.getByRole('combobox', { name: 'Search emails' });

    await box.pressSequentially('stat');
    await page.getByRole('option', { name: /status:/ }).waitFor();
    await page.keyboard.press('Tab');
    await box.pressSequentially('boun');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    expect(await box.inputValue()).toBe('status:bounced ');
  });

  it('filters by emails of which recipients were dropped', async () => {
    await server.call('POST', '/_svc/suppressions', { address: 'ada@example.test' });
    await server.send({ subject: 'Dropped' });
    await server.send({ to: 'bob@example.test', subject: 'Delivered' });
    const page = await open('/inbox/emails?search=is:unread');
    await page.getByText('2 emails found').waitFor();
    const filter = page.getByRole('button', { name: 'Filter', exact: true });
    const choice = (name: string) => page.getByRole('menuitemradio', { name: new RegExp(`^${name}( \\d+)?$`) });

    await filter.click();
    await choice('delivered').click();
    await page.getByText('1 email found').waitFor();
    await page.getByRole('combobox', { name: 'Search emails' }).fill('');
    await page.getByText('2 emails', { exact: true }).waitFor();
    await filter.click();
    await choice('dropped').click();
    await page.waitForURL('**?search=is%3Asuppressed');
    await page.getByText('1 email found').waitFor();
    await filter.click();
    expect(await choice('dropped').isChecked()).toBe(true);
    await choice('Any status').click();
    await page.getByText('2 emails', { exact: true }).waitFor();
  });

  it('counts the emails of each status, sender and tag once the filter opens', async () => {
    await server.send({ from: 'shop@example.test', tags: ['billing'] });
    const id = await server.send({ from: 'shop@example.test' });
    await server.send({ from: 'news@example.test', to: 'bounced@simulator.test' });
    await server.call('POST', '/_svc/emails/mark', { ids: [id], add_tags: ['billing', 'to do'] });
    const page = await open();
    const counted: string[] = [];
    page.on('request', (request) => request.url().endsWith('/emails/counts') && counted.push(request.url()));
    await page.getByText('3 emails', { exact: true }).waitFor();
    expect(counted).toEqual([]);

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'shop@example.test 2' }).waitFor();
    const choices = await page.getByRole('menuitemradio').allInnerTexts();
    const words = choices.map((text) => text.trim().replace(/\s+/g, ' '));
    expect(counted).toHaveLength(1);
    expect(words).toEqual(
      expect.arrayContaining(['delivered 2', 'bounced 1', 'sent 0', 'billing 2', 'to do 1', 'news@example.test 1']),
    );
    await page.getByRole('menuitemradio', { name: 'billing 2' }).click();
    await page.getByText('2 emails found').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'news@example.test 1' }).click();
    await page.waitForURL('**?search=tag%3Abilling%20from%3Anews%40example.test');
  });

  it('filters by a mailbox, and shows which one the query requires', async () => {
    await server.send({ to: '"Doe, Jane" <jane@example.test>' });
    await server.send({ to: "o'neil@example.test" });
    const page = await open();
    await page.getByText('2 emails').waitFor();
    const filter = page.getByRole('button', { name: 'Filter', exact: true });
    const choice = (name: string, checked: boolean) =>
      page.getByRole('menuitemradio', { name, exact: true, checked }).first();

    await filter.click();
    await choice('jane@example.test', false).waitFor();
    await choice("o'neil@example.test", false).click();
    await page.getByText('1 email found').waitFor();
    await filter.click();
    await choice("o'neil@example.test", true).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search emails' }).fill('-recipient:jane@example.test');
    await page.waitForURL('**?search=-recipient*');
    await filter.click();

    await choice('Any mailbox', true).waitFor();
    expect(await page.getByRole('menuitemradio').allTextContents()).toContain("o'neil@example.test");
  });

  it('shows the fields of an invitation, whatever else the attachment names', async () => {
    const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'toString:x', 'SUMMARY:Launch', 'END:VEVENT', 'END:VCALENDAR'];
    const content = Buffer.from(lines.join('\r\n')).toString('base64');
    const attachments = [{ filename: 'launch.ics', content, contentType: 'text/calendar' }];
    const id = await server.send({ attachments });
    const page = await open(`/inbox/emails/${id}/attachments`);

    await page.getByText('Launch', { exact: true }).waitFor();

    expect(await page.getByRole('main').textContent()).not.toContain('native code');
  });

  it('shows the time zone, the repetition and the people of an invitation', async () => {
    const lines = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'SUMMARY:Planning',
      'DTSTART;TZID="Europe/Berlin":20261201T100000',
      'DTEND:20261201T100000Z',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=10',
      'ORGANIZER;CN="Ada: the host":mailto:ada@example.test',
      'ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:bob@example.test',
      'ATTENDEE:mailto:carol@example.test',
      'BEGIN:VALARM',
      'DESCRIPTION:Reminder',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
    ];
    const contentOf = (each: string[]) => Buffer.from(each.join('\r\n')).toString('base64');
    const floating = lines.map((line) =>
      line.replace(/^DTSTART.*/, 'DTSTART:20261201T100000').replace('WEEKLY', 'SECONDLY'),
    );
    const attachments = [
      { filename: 'zone.ics', content: contentOf(lines), contentType: 'text/calendar' },
      { filename: 'floating.ics', content: contentOf(floating), contentType: 'text/calendar' },
    ];
    const page = await open(`/inbox/emails/${await server.send({ attachments })}/attachments`);
    const definitions = page.getByRole('definition');

    await definitions.getByText('2026-12-01 10:00 Europe/Berlin', { exact: true }).waitFor();
    await definitions.getByText('2026-12-01 10:00 UTC', { exact: true }).first().waitFor();
    await definitions.getByText('2026-12-01 10:00 (local time, no zone given)', { exact: true }).waitFor();
    await definitions.getByText('Every 2 weeks on Monday, Wednesday, 10 times', { exact: true }).waitFor();
    await definitions.getByText('FREQ=SECONDLY;INTERVAL=2;BYDAY=MO,WE;COUNT=10', { exact: true }).waitFor();
    await definitions.getByText('Ada: the host <ada@example.test>', { exact: true }).first().waitFor();
    const attendees = definitions.filter({ hasText: 'Bob <bob@example.test>: accepted' }).first();
    expect(await attendees.innerText()).toBe('Bob <bob@example.test>: accepted\ncarol@example.test: no reply yet');
    expect(await definitions.filter({ hasText: 'Reminder' }).count()).toBe(0);
  });

  it('shows the HTML in a frame, and the other parts in tabs', async () => {
    const id = await server.send({
      subject: 'Reset your password',
      html: '<h1>Reset</h1><p>Your code is 482913.</p><img src="https://shop.example/a.png"><a href="https://shop.example/reset?t=1">Reset password</a>',
      text: 'Your code is 482913.',
      attachments: [{ filename: 'notes.txt', content: 'bm90ZXM=', contentType: 'text/plain' }],
    });
    const page = await open();
    await page.getByRole('link', { name: /Reset your password/ }).click();

    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Reset' }).waitFor();
    await page.getByText('Remote images and styles are blocked.').waitFor();
    await page.getByRole('button', { name: 'Copy code 482913' }).waitFor();
    const tab = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Parts of the email' }).getByRole('link', { name });
    await tab(/Text/).click();
    await page.locator('pre').getByText('Your code is 482913.').waitFor();
    await tab(/Headers/).click();
    await page.getByRole('cell', { name: 'Message-ID' }).waitFor();
    await tab(/MIME/).click();
    await page.getByText('multipart/alternative').waitFor();
    await tab(/Attachments/).click();
    await page.getByText('notes', { exact: true }).waitFor();
    await tab(/Source/).click();
    await page.locator('.cm-content').getByText('Subject:').waitFor();

    expect(new URL(page.url()).pathname).toBe(`/inbox/emails/${id}/source`);
    await expect.poll(async () => (await server.read(`/_svc/emails/${id}/captured`)).read).toBe(true);
  });

  it('shows how an email looks in dark mode and on a phone', async () => {
    const style = '@media (prefers-color-scheme: dark) { p { color: rgb(1, 2, 3) } }';
    const id = await server.send({ html: `<style>${style}</style><p>Hello</p>` });
    const page = await open(`/inbox/emails/${id}`);
    const text = page.frameLocator('iframe').getByText('Hello');
    const color = () => text.evaluate((element) => getComputedStyle(element).color);
    await text.waitFor();
    expect(await color()).toBe('rgb(0, 0, 0)');

    await page.getByRole('button', { name: 'Show in dark mode' }).click();
    await page.getByRole('button', { name: /Phone/ }).click();

    await expect.poll(color).toBe('rgb(1, 2, 3)');
    expect((await page.locator('iframe').boundingBox())?.width).toBe(375);
  });

  it('shows how a mail client changes an email, with the lines and the rules', async () => {
    const html = '<body style="background:#ffffff">\n<p style="position:relative;color:#222222">Hello</p></body>';
    const id = await server.send({ html: `${html}<img src="https://a.example/a.png" alt="Logo">` });
    const page = await open(`/inbox/emails/${id}`);
    const text = page.frameLocator('iframe').getByText('Hello');
    const color = () => text.evaluate((element) => getComputedStyle(element).color);
    await text.waitFor();

    await page.getByRole('combobox', { name: 'Mail client' }).selectOption('Gmail (Android)');
    await page.getByRole('button', { name: 'Show in dark mode' }).click();

    await expect.poll(color).toBe('rgb(222, 222, 222)');
    await page.getByText('Gmail (Android), approximate').waitFor();
    await page.getByText('Line 2 style="position:relative').waitFor();
    const source = page.getByRole('link', { name: 'css-position' });
    expect(await source.getAttribute('href')).toBe('https://www.caniemail.com/features/css-position/');

    await page.getByRole('button', { name: 'Block images' }).click();
    await page.getByRole('link', { name: 'images-off' }).waitFor();
    await page.getByRole('combobox', { name: 'Mail client' }).selectOption('Outlook (classic, Windows)');
    await page.getByText('which svc cannot show').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('shows every tab in a window of 1,280 pixels, each with a heading', async () => {
    const attachments = [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }];
    const id = await server.send({ html: '<a href="https://shop.example/">Shop</a>', attachments });
    const page = await open(`/inbox/emails/${id}/links`);
    await page.getByRole('heading', { name: 'Links', level: 2 }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Parts of the email' });
    const { x = 0, width = 0 } = (await tabs.boundingBox()) ?? {};
    const edges = await tabs
      .getByRole('link')
      .evaluateAll((links) => links.map((each) => each.getBoundingClientRect().right));

    expect(edges).toHaveLength(11);
    expect(Math.max(...edges)).toBeLessThanOrEqual(x + width);
  });

  it('asks for the list before it draws the page, and shows the full time on hovering', async () => {
    await server.send({ subject: 'First' });
    const page = await open();
    const time = page.getByRole('link', { name: /First/ }).locator('time');
    await time.hover();
    expect(await time.getAttribute('title')).toContain(String(new Date().getFullYear()));

    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole('link', { name: /First/ }).waitFor();
    // The page connects to the events once it is drawn.
    await expect.poll(() => paths).toContain('/_svc/events');
    const before = paths.slice(0, paths.indexOf('/_svc/events'));
    expect(before.filter((path) => path === '/_svc/emails')).toHaveLength(1);
  });

  it('lists the shortcuts of other pages, too', async () => {
    const page = await open('/inbox/rules');
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await page.keyboard.press('?');
    const emails = page.getByRole('dialog').locator('section', { hasText: 'On the page Emails' });
    await emails.getByText('Next email').waitFor();
    await emails.getByText('Delete', { exact: true }).waitFor();
  });

  it('is used with the keyboard only', async () => {
    for (const subject of ['First', 'Second', 'Third']) await server.send({ subject });
    const page = await open();
    await page.getByText('3 emails').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'First', level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe('First – svc inbox');
    await page.keyboard.press('#');
    await page.getByRole('dialog', { name: 'Delete this email?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 emails').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command, page or search' }).fill('go to em');
    await page.keyboard.press('Enter');

    await expect.poll(() => new URL(page.url()).pathname).toBe('/inbox/emails');
  });

  it('opens the neighbors of an email below the first page, of which others were deleted', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 110; count += 1) ids.push(await server.send({ subject: `Order ${count}` }));
    for (const id of ids.slice(80, 97)) await server.call('DELETE', `/_svc/emails/${id}`);
    const page = await open(`/inbox/emails/${ids[3]}`);

    await page.getByRole('button', { name: 'Older email' }).click();
    await page.getByRole('heading', { name: 'Order 2', level: 1 }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Order 4', level: 1 }).waitFor();
  });

  it('puts what is typed while the palette loads into its field, and runs no shortcut', async () => {
    await server.send({ subject: 'Your receipt' });
    const page = await open();
    const input = page.getByRole('combobox', { name: 'Command, page or search' });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/inbox/assets/palette-*.js', (route) => released.then(() => route.continue()));
    await page.goto(`${server.origin}/inbox/emails`);
    await page.getByRole('link', { name: /Your receipt/ }).waitFor();

    await page.keyboard.press('Control+k');
    await page.keyboard.type('cx');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rece');
    release();
    await input.waitFor();
    await page.keyboard.type('ipt');
    expect(await input.inputValue()).toBe('receipt');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.keyboard.type('receipt');
    expect(await input.inputValue()).toBe('receipt');
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).pathname).toBe('/inbox/emails');
    expect((await server.read('/_svc/summary')).unread).toBe(1);
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Compose', level: 1 }).waitFor();
  });

  it('takes the keyboard to an email that opens, to its tabs, and back to its row', async () => {
    for (const subject of ['First', 'Second', 'Third']) await server.send({ subject });
    const page = await open();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
    await page.getByText('3 emails').waitFor();
    await page.keyboard.press('j');
    await expect.poll(focused).toContain('Third');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Third');
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('Second');
    await page.keyboard.press('t');
    expect(await focused()).toContain('Preview');

    await page.keyboard.press('Escape');
    await heading('Second').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('A');
    expect(await focused()).toContain('Second');

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command, page or search' }).fill('subject:first');
    await page.getByRole('option', { name: /^First/ }).click();
    await heading('First').waitFor();
    await expect.poll(focused).toBe('First');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await heading('First').waitFor();
  });

  it('counts the checks that found something as their rows name them', async () => {
    const html = '<p>Hi</p><img src="https://images.example/logo.png">';
    const page = await open(`/inbox/emails/${await server.send({ html, text: 'Other' })}/checks`);
    const panel = page.getByRole('region', { name: 'Checks' });
    await panel.getByText(/\d+ passed/).waitFor();
    const rows = await panel.locator('summary > span:first-child').allTextContents();
    const count = (word: string) => rows.filter((each) => each === word).length;
    const named = ['error', 'warning'].filter((word) => count(word) > 0);
    expect(named).not.toEqual([]);
    for (const word of named) {
      await panel.getByText(`${count(word)} ${word}${count(word) === 1 ? '' : 's'}`, { exact: true }).waitFor();
    }
    expect(await panel.getByText(/\d+ failed/).count()).toBe(0);
  });

  it('deletes all emails that match a search, after a confirmation', async () => {
    for (const subject of ['Keep', 'Drop 1', 'Drop 2']) await server.send({ subject });
    const page = await open('/inbox/emails?search=subject:drop');
    await page.getByText('2 emails found').waitFor();
    await page.getByRole('checkbox', { name: 'Select all emails' }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No emails match').waitFor();
    await page.getByRole('button', { name: 'Show all emails' }).click();

    await page.getByRole('link', { name: /Keep/ }).waitFor();
  });

  it('explains a search that the server refuses, and leads back', async () => {
    await server.send({ subject: 'Listed' });
    const page = await open(`/inbox/emails?search=${encodeURIComponent('/(a)\\1/')}`);
    await page.getByRole('heading', { name: 'This search cannot be run' }).waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: /regular expression|invalid|not / })
      .waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain('search:');
    expect(await page.getByText('No emails match').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all emails' }).click();

    await page.getByRole('link', { name: /Listed/ }).waitFor();
  });

  it('offers a way back from an email that is deleted while it is open', async () => {
    const id = await server.send({ subject: 'Gone soon' });
    await server.send({ subject: 'Remains' });
    const page = await open(`/inbox/emails/${id}`);
    await page.getByRole('heading', { name: 'Gone soon', level: 1 }).waitFor();

    await server.call('DELETE', `/_svc/emails/${id}`);

    await page.getByRole('heading', { name: 'Email not found' }).waitFor();
    await page.getByRole('button', { name: 'Show all emails' }).click();
    await page.getByRole('link', { name: /Remains/ }).waitFor();
  });

  it('prints all of a long email, with its subject and addresses', async () => {
    const sheets = Array.from({ length: 5 }, (_, index) => `<div style="break-after: page">Sheet ${index + 1}</div>`);
    const id = await server.send({
      subject: 'Long <report>',
      from: 'Shop <shop@example.test>',
      html: `<!doctype html><html><body>${sheets.join('')}The end</body></html>`,
      text: 'Line\n'.repeat(300),
    });
    const page = await open(`/inbox/emails/${id}`);
    const printed = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Print' }).click();
    const sheet = await printed;
    await sheet.getByText('The end').waitFor();

    expect(await sheet.locator('body').innerText()).toContain(
      'Long <report>\nFrom: Shop <shop@example.test>\nTo: ada@example.test\nDate: ',
    );
    expect(await sheet.title()).toBe('Long <report>');
    expect(await sheet.evaluate('document.compatMode')).toBe('CSS1Compat');
    expect(await printedPages(sheet)).toBe(6);
    await page.getByRole('link', { name: 'Text', exact: true }).click();
    await page.getByRole('button', { name: 'Print' }).waitFor();
    expect(await printedPages(page)).toBeGreaterThan(4);
  });
});
