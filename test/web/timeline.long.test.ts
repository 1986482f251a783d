import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the timeline of an email and its actions in a browser, with a real webhook receiver. */

let browser: Browser;
let server: InboxServer;
let receiver: Receiver;
let opened: Awaited<ReturnType<typeof openInbox>>;
/** The status with which the receiver responds. */
let answer: number;

const open = async (path: string) => {
  opened = await openInbox(browser, server.origin, path);
  return opened.page;
};
const subscribe = (events: string[]) => server.call('POST', '/v1/webhooks', { url: receiver.url, events });
const advance = (by: string) => server.call('POST', '/_svc/clock/advance', { by });
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' });
const delivery = (page: Page) => page.getByRole('button', { expanded: false, name: receiver.url });
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe.skipIf(withoutBrowser)(`the timeline${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    answer = 500;
    receiver = await startReceiver((response) => response.writeHead(answer).end(`answer ${answer}`));
    server = await startInbox();
    server.clock.freeze();
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
    await receiver.close();
  });

  it('shows a simulated bounce, and its webhook being retried until it succeeds', async () => {
    await subscribe(['email.bounced']);
    const id = await server.send({ subject: 'Your parcel' });
    await server.drain();
    const page = await open(`/inbox/emails/${id}/timeline`);
    await timeline(page).getByText('delivered', { exact: true }).waitFor();

    await choose(page, 'Simulate an outcome');
    await page.getByRole('radio', { name: 'Bounced', exact: true }).check();
    await page.getByLabel('Reason').fill('550 5.7.1 Blocked by policy');
    await page.getByRole('dialog').getByRole('button', { name: 'Simulate' }).click();

    await timeline(page).getByText('550 5.7.1 Blocked by policy').first().waitFor();
    await delivery(page).filter({ hasText: 'pending' }).filter({ hasText: '1 attempt, last status 500' }).waitFor();
    await advance('5s');
    await delivery(page).filter({ hasText: '2 attempts, last status 500, next' }).waitFor();
    answer = 200;
    await advance('30s');
    await delivery(page).filter({ hasText: 'succeeded' }).filter({ hasText: '3 attempts, last status 200' }).click();

    await page.getByText('Attempt 3 of 4').waitFor();
    await page.getByText('Attempt 1 of 4').click();
    await page.getByText('answer 500').waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).toMatch(/^dlv_/);
  });

  it('replays a delivery and an event, with the same bytes', async () => {
    await subscribe(['email.delivered']);
    const id = await server.send();
    await server.drain();
    const page = await open(`/inbox/emails/${id}/timeline`);
    answer = 204;

    await page.getByRole('button', { name: `Replay the delivery of email.delivered to ${receiver.url}` }).click();
    await page.getByText('Replayed to 1 webhook: 204.').waitFor();
    await page.getByRole('button', { name: 'Replay the event delivered for ada@example.test' }).click();
    await expect.poll(() => page.getByText('Replayed to 1 webhook: 204.').count()).toBe(2);
    await expect.poll(() => delivery(page).count()).toBe(3);

    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  it('explains why an event cannot be replayed, and how to receive the next ones', async () => {
    const id = await server.send();
    await server.drain();
    const page = await open(`/inbox/emails/${id}/timeline`);
    await page.getByText('No webhook received these events.').waitFor();

    await page.getByRole('button', { name: 'Replay the event sent for ada@example.test' }).click();

    expect(await page.getByRole('alert').textContent()).toContain('No active webhook subscribes to this event.');
  });

  it('shows when a deferred delivery is due, and that it happened', async () => {
    const id = await server.send({ to: 'deferred@simulator.test' });
    await server.drain();
    const page = await open(`/inbox/emails/${id}/timeline`);
    const pending = timeline(page).getByRole('listitem').filter({ hasText: 'pending' });
    const due = await pending.getByRole('time').getAttribute('datetime');
    expect(Date.parse(due ?? '')).toBe(server.clock.now() + 300_000);

    await advance('5m');

    await timeline(page).getByText('delivered', { exact: true }).waitFor();
    expect(await timeline(page).getByText('due', { exact: false }).count()).toBe(0);
  });

  it('shows an email without a result as pending, not as deferred', async () => {
    await server.call('POST', '/_svc/rules', { to: 'ada@example.test', outcome: 'none' });
    const id = await server.send();
    await server.drain();
    const page = await open(`/inbox/emails/${id}/timeline`);

    const pending = timeline(page).getByRole('listitem').filter({ hasText: 'pending' });
    await pending.getByText('none; simulate an outcome to continue').waitFor();

    expect(await timeline(page).getByText('deferred').count()).toBe(0);
  });

  it('cancels a scheduled email', async () => {
    const scheduled_at = new Date(server.clock.now() + 3_600_000).toISOString();
    const id = await server.send({ scheduled_at });
    const page = await open(`/inbox/emails/${id}/timeline`);
    expect(await timeline(page).getByRole('time').last().getAttribute('datetime')).toBe(scheduled_at);

    await page.getByRole('button', { name: 'Cancel sending' }).click();

    await timeline(page).getByText('Cancelled before its scheduled time').waitFor();
    await choose(page, 'Simulate an outcome');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('radio', { disabled: false }).count()).toBe(0);
    await dialog.getByText('Not possible: the email is cancelled.').first().waitFor();
  });

  it('sends an email again, and opens the new one', async () => {
    const id = await server.send({ subject: 'Your receipt', text: 'Paid.' });
    const page = await open(`/inbox/emails/${id}`);
    await page.getByRole('heading', { name: 'Your receipt', level: 1 }).waitFor();

    await choose(page, 'Send again');
    await page.waitForURL((url) => /emails\/msg_\w+$/.test(url.pathname) && !url.pathname.endsWith(id));

    await page.getByRole('heading', { name: 'Your receipt', level: 1 }).waitFor();
    await page.getByText('2 emails').waitFor();
    await server.call('DELETE', `/_svc/emails/${page.url().split('/').at(-1)}`);
    await page.getByRole('heading', { name: 'Email not found' }).waitFor();
  });

  it('offers the outcomes that are possible for a recipient, and a link to click', async () => {
    const html = '<a href="https://shop.example/a">A</a><a href="https://shop.example/b">B</a>';
    const id = await server.send({ to: ['ada@example.test', 'bounced@simulator.test'], html });
    await server.drain();
    const page = await open(`/inbox/emails/${id}/timeline`);
    await choose(page, 'Simulate an outcome');
    const dialog = page.getByRole('dialog');
    const possible = async () =>
      Promise.all(
        (await dialog.getByRole('radio', { disabled: false }).all()).map((each) => each.getAttribute('value')),
      );

    await dialog.getByLabel('Recipient').selectOption('bounced@simulator.test');
    expect(await possible()).toEqual([]);
    await dialog.getByLabel('Recipient').selectOption('ada@example.test');
    expect(await possible()).toEqual(['bounced', 'soft-bounced', 'complained', 'opened', 'clicked']);
    await dialog.getByRole('radio', { name: 'Clicked' }).check();
    expect(await dialog.getByLabel('Link').inputValue()).toBe('https://shop.example/a');
    await dialog.getByLabel('Link').fill('https://shop.example/b');
    await dialog.getByRole('button', { name: 'Simulate' }).click();

    await timeline(page).getByText('https://shop.example/b').waitFor();
    await page.getByLabel('Recipient').selectOption('bounced@simulator.test');
    await timeline(page).getByText('https://shop.example/b').waitFor({ state: 'detached' });
    expect(page.url()).toContain('recipient=bounced%40simulator.test');
  });
});
