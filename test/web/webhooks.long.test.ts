import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, type Respond, startReceiver } from '../support/servers/receiver.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the pages of webhooks in a browser, with a receiver that is a server of its own. */

const run = promisify(execFile);
let browser: Browser;
let server: InboxServer;
let receiver: Receiver;
let respond: Respond;
let opened: Awaited<ReturnType<typeof openInbox>> | undefined;

const open = async (path = '/inbox/webhooks') => {
  opened = await openInbox(browser, server.origin, path);
  await opened.page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
  return opened.page;
};
const subscribe = async (fields: Record<string, unknown> = {}) => {
  const body = { url: receiver.url, events: ['email.delivered'], secret: 'whsec_test', ...fields };
  return (await server.call('POST', '/v1/webhooks', body)).json.data.id as string;
};
const trigger = (type = 'email.delivered') => server.call('POST', '/_svc/events/trigger', { type });
/** The background of buttons that destroy something. */
const RED = 'rgb(171, 31, 36)';
const colorOf = (button: Locator) => button.evaluate((element) => getComputedStyle(element).backgroundColor);
const deliveryLinks = (page: Page) => page.getByRole('table', { name: 'Deliveries, newest first' }).getByRole('link');

describe.skipIf(withoutBrowser)(`the webhooks page${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    respond = (response) => response.writeHead(200).end('ok');
    receiver = await startReceiver((...received) => respond(...received));
    server = await startInbox();
  });
  afterEach(async () => {
    expect(opened?.problems).toEqual([]);
    await opened?.close();
    await server.closeClean();
    await receiver.close();
  });

  it('adds a webhook, shows its secret once, and signs the event that it triggers', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'All events' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Trigger an event' }).click();
    await page.getByLabel('Event', { exact: true }).first().selectOption('email.bounced');
    await page.getByLabel('Data').fill('{"to": "grace@example.test"}');
    await page.getByRole('button', { name: 'Trigger', exact: true }).click();
    await deliveryLinks(page).filter({ hasText: 'email.bounced' }).waitFor();

    const [{ headers, body }] = (await receiver.until(1)) as [Receiver['received'][number]];
    expect(JSON.parse(String(body)).data.to).toBe('grace@example.test');
    const child = run('openssl', ['dgst', '-sha256', '-hmac', secret, '-r']);
    child.child.stdin?.end(body);
    expect((await child).stdout).toContain(headers['x-service-signature']);
  });

  it('shows in the form why a webhook is refused', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('URL').fill('ftp://shop.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();

    expect(await page.getByRole('alert').textContent()).toBe('Correct the field URL.');
    const field = page.getByRole('textbox', { name: 'URL', description: /^must / });
    expect(await field.inputValue()).toBe('ftp://shop.example');

    await page.getByRole('checkbox', { name: 'All events' }).uncheck();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Correct the 2 fields URL, Events.' }).waitFor();
    const events = page.getByRole('group', { name: 'Events', description: /^must / });
    await events.waitFor();

    await page.getByLabel('URL').fill('http://shop.example/hook');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Correct the field Events.' }).waitFor();
    await expect.poll(() => events.evaluate((group) => group === document.activeElement)).toBe(true);
  });

  it('pauses, resumes, edits and deletes a webhook', async () => {
    await subscribe();
    const page = await open();
    const act = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };

    await act('Pause');
    await page.getByText('paused', { exact: true }).waitFor();
    await act('Resume');
    await page.getByText('active', { exact: true }).waitFor();
    await act('Edit');
    await page.getByLabel('email.opened').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'email.delivered, email.opened' }).waitFor();
    await act('Delete');
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await colorOf(remove)).toBe(RED);
    await remove.click();

    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  it('explains a failure, shows the retry when the clock advances, and replays', async () => {
    respond = (response) => response.writeHead(404).end('Cannot POST');
    await subscribe();
    const page = await open();
    await server.call('PATCH', '/_svc/clock', { frozen: true });
    await trigger();
    await deliveryLinks(page).first().click();

    await page.getByText('Your server has no route for /hooks.').waitFor();
    await page.getByText('Cannot POST').waitFor();
    const messages = () => page.getByRole('heading', { name: /^(Request|Response)$/ }).allTextContents();
    expect(await messages()).toEqual(['Response', 'Request']);
    await page.getByText('Attempt 2 is due at').waitFor();
    respond = (response) => response.writeHead(200).end('Thanks');
    await server.call('POST', '/_svc/clock/advance', { by: '5s' });
    await page.getByText('Attempt 2 of 4').waitFor();
    await page.getByText('Thanks').waitFor();
    const before = page.url();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.waitForURL((url) => url.href !== before);

    await page.getByText('Replay of').waitFor();
    const bodies = receiver.received.map(({ body }) => String(body));
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
  });

  it('reports a refused connection', async () => {
    await receiver.close();
    await subscribe();
    await trigger();
    const page = await open();
    await deliveryLinks(page).first().click();

    await page.getByText(`No server is listening on ${new URL(receiver.url).host}; is yours running?`).waitFor();
    receiver = await startReceiver();
  });

  it('filters deliveries in the address, and replays all that failed', async () => {
    respond = (response) => response.writeHead(500).end();
    const id = await subscribe({ events: ['email.delivered', 'email.opened'] });
    await trigger();
    await trigger('email.opened');
    await server.call('POST', '/_svc/clock/advance', { by: '1h' });
    const page = await open(`/inbox/webhooks?webhook=${id}&state=failed`);
    await expect.poll(() => deliveryLinks(page).count()).toBe(2);

    await page.getByLabel('Event', { exact: true }).selectOption('email.opened');
    await expect.poll(() => deliveryLinks(page).allTextContents()).toEqual(['email.opened']);
    expect(new URL(page.url()).search).toBe(`?webhook=${id}&state=failed&event=email.opened`);
    await page.getByLabel('State').selectOption('succeeded');
    await page.getByRole('button', { name: 'Show all deliveries' }).click();
    await page.getByRole('link', { name: `2 failed, to ${receiver.url}` }).waitFor();
    respond = (response) => response.writeHead(200).end();
    await page.getByRole('button', { name: 'Replay all failed' }).click();
    const replay = page.getByRole('dialog').getByRole('button', { name: 'Replay' });
    expect(await colorOf(replay)).not.toBe(RED);
    await replay.click();

    await page.getByText('Replayed 2 of the failed deliveries.').waitFor();
    await expect.poll(() => deliveryLinks(page).count()).toBe(4);
    expect(await page.getByRole('button', { name: 'Replay all failed' }).isDisabled()).toBe(true);
    await page.getByText('0 failed', { exact: true }).waitFor();
  });

  it('loads older deliveries on demand', async () => {
    await subscribe();
    for (let count = 0; count < 52; count += 1) await trigger();
    const page = await open();
    await expect.poll(() => deliveryLinks(page).count()).toBe(50);

    await page.getByRole('button', { name: 'Show older deliveries' }).click();

    await expect.poll(() => deliveryLinks(page).count()).toBe(52);
  });

  it('computes the signature of a delivery, and explains a body that was changed', async () => {
    await subscribe();
    await trigger();
    const page = await open();
    await deliveryLinks(page).first().click();
    const [{ headers, body }] = (await receiver.until(1)) as [Receiver['received'][number]];
    const compute = page.getByRole('button', { name: 'Compute the signature' });

    await page.getByLabel('Secret').fill('whsec_test');
    await compute.click();
    await page.getByText('valid: it is the signature in the header.', { exact: true }).waitFor();
    await page.getByRole('status').getByText(String(headers['x-service-signature'])).waitFor();
    await page.getByLabel('Secret').fill('whsec_other');
    await compute.click();
    await page.getByText('not valid: wrong secret.').waitFor();
    await page.getByLabel('Secret').fill('whsec_test');
    await page.getByLabel('Body that your application').fill(JSON.stringify(JSON.parse(String(body)), null, 2));
    await compute.click();

    await page.getByText('not valid: the body was reformatted.').waitFor();
  });

  it('offers code that verifies the request, for any content', async () => {
    await subscribe();
    const smtp_response = `250 'quoted' "$HOME" \`id\` \\ %s ünï 🎉 a\u202eb\u200b2`;
    const body = { type: 'email.delivered', data: { smtp_response } };
    expect((await server.call('POST', '/_svc/events/trigger', body)).status).toBe(201);
    const page = await open();
    await deliveryLinks(page).first().click();
    const codeOf = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      const box = page.getByRole('button', { name: `Copy the code for ${name}` }).locator('xpath=..');
      const code = (await box.locator('pre').textContent()) ?? '';
      expect(code).not.toMatch(/\p{Cf}/u);
      return code;
    };
    const output = async (command: string, ...args: string[]) => {
      const { stdout } = await run(command, args, { env: { ...process.env, SVC_WEBHOOK_SECRET: 'whsec_test' } });
      return stdout.trim();
    };

    expect(await output(process.execPath, '--input-type=module', '-e', await codeOf('Node.js'))).toBe('valid');
    expect(await output('python3', '-c', await codeOf('Python'))).toBe('valid');
    const svc = (await codeOf('svc')).replace('| svc ', `| ${process.execPath} bin/run.js `);
    expect(await output('bash', '-c', svc)).toBe('valid');
    const openssl = await codeOf('openssl');
    const signature = /# Prints (\w+)/.exec(openssl)?.[1];
    expect(await output('bash', '-c', openssl)).toBe(`${signature} *stdin`);
  });

  it('shows a body of the receiver as text, and only its beginning', async () => {
    const hostile = `<img src=x onerror="document.title='run'">${'\u202e long '.repeat(8_000)}`;
    respond = (response) => response.writeHead(500, { 'content-type': 'text/html' }).end(hostile);
    // A second attempt would change what is read.
    server.clock.freeze();
    await subscribe();
    await trigger();
    const page = await open();
    await deliveryLinks(page).first().click();
    const shown = page.getByRole('region', { name: 'response body' });
    await shown.getByText('<img src=x').waitFor();
    expect((await shown.textContent())?.length).toBe(20_000);

    await page
      .getByRole('button', { name: /^Show all/ })
      .first()
      .click();

    await expect.poll(async () => (await shown.textContent())?.length).toBeGreaterThan(40_000);
    expect(await page.title()).not.toBe('run');
  });

  it('reports a delivery that does not exist', async () => {
    const page = await open('/inbox/webhooks/deliveries/dlv_nothing');

    await page.getByRole('heading', { name: 'Delivery not found' }).waitFor();
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });
});
