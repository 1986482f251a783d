import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { brokenSession } from '../support/mail/smtp-session.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Checks every view with axe-core, in both themes, on a desktop and on a phone. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser;
let server: InboxServer;
let empty: InboxServer;
let id: string;
let templateId: string;
let delivery: string;
let request: string;
let session: string;

interface View {
  name: string;
  path?: () => string;
  isEmpty?: boolean;
  /** Brings the view up. */
  show?(page: Page): Promise<void>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();

const tabs = [
  'preview',
  'text',
  'timeline',
  'delivery',
  'links',
  'attachments',
  'checks',
  'code',
  'headers',
  'structure',
  'source',
];
const DOMAIN = 'mail.example.com';

const views: View[] = [
  { name: 'the empty list', isEmpty: true, show: (page) => page.getByText('No emails yet').waitFor() },
  { name: 'the list', show: (page) => page.getByText('3 emails').waitFor() },
  {
    name: 'a selection',
    show: (page) => page.getByRole('checkbox', { name: 'Select all emails' }).check(),
  },
  {
    name: 'an invalid query',
    async show(page) {
      await page.getByRole('combobox', { name: 'Search emails' }).fill('form:x');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'completions',
    async show(page) {
      await page.getByRole('combobox', { name: 'Search emails' }).pressSequentially('s');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'a search without a match',
    path: () => '/inbox/emails?search=nothing-like-this',
    show: (page) => page.getByText('No emails match').waitFor(),
  },
  {
    name: 'the filter menu',
    async show(page) {
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'the shortcuts',
    async show(page) {
      await page.getByText('3 emails').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the palette',
    async show(page) {
      await page.getByText('3 emails').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  ...tabs.map((tab) => ({
    name: `the tab ${tab}`,
    path: () => `/inbox/emails/${id}/${tab}`,
    async show(page: Page) {
      await page.getByRole('article').waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'attempts in the timeline',
    path: () => `/inbox/emails/${id}/timeline`,
    async show(page) {
      await page.getByRole('list', { name: 'Timeline' }).waitFor();
      await page.getByRole('button', { name: /hooks (pending|failed)/ }).click();
      await page.getByText('Attempt 1 of 4').waitFor();
    },
  },
  {
    name: 'the simulation of an outcome',
    path: () => `/inbox/emails/${id}/timeline`,
    async show(page) {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Simulate an outcome' }).click();
      await page.getByRole('radio', { name: 'Bounced', exact: true }).check();
    },
  },
  {
    name: 'the clock',
    path: () => '/inbox/clock',
    show: (page) => page.getByRole('region', { name: 'Service time' }).waitFor(),
  },
  {
    name: 'the rules',
    path: () => '/inbox/rules',
    show: (page) => page.getByRole('table', { name: 'Rules' }).waitFor(),
  },
  {
    name: 'a new rule with a refused field',
    path: () => '/inbox/rules',
    isEmpty: true,
    async show(page) {
      await page.getByRole('heading', { name: 'No rules' }).waitFor();
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.locator('[aria-invalid]').first().waitFor();
    },
  },
  {
    name: 'a frozen clock',
    path: () => '/inbox/clock',
    async show(page) {
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('button', { name: 'Reset clock' }).waitFor();
    },
  },
  {
    name: 'composing',
    path: () => '/inbox/compose',
    show: (page) => page.getByLabel('Attachments').waitFor(),
  },
  {
    name: 'a deleted email',
    path: () => '/inbox/emails/msg_01arz3ndektsv4rrffq69g5fav',
    show: (page) => page.getByText('Email not found').waitFor(),
  },
  {
    name: 'no templates',
    path: () => '/inbox/templates',
    isEmpty: true,
    show: (page) => page.getByText('No templates yet').waitFor(),
  },
  {
    name: 'the templates',
    path: () => '/inbox/templates',
    show: (page) => page.getByText('1 template').waitFor(),
  },
  ...['html', 'text', 'data', 'json'].map((part) => ({
    name: `the template editor with ${part}`,
    path: () => `/inbox/templates/${templateId}?part=${part}`,
    async show(page: Page) {
      await page.getByText('1 problem').waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'unsaved changes of a template, and a test email',
    path: () => `/inbox/templates/${templateId}`,
    async show(page) {
      await page.getByRole('textbox', { name: 'Subject' }).fill('');
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'empty analytics',
    path: () => '/inbox/analytics',
    isEmpty: true,
    show: (page) => page.getByText('No events in this period').waitFor(),
  },
  {
    name: 'analytics',
    path: () => '/inbox/analytics?from=2020-01-01&to=2099-12-31&by=month',
    show: (page) => page.locator('canvas').waitFor(),
  },
  {
    name: 'the empty list of domains',
    path: () => '/inbox/domains',
    isEmpty: true,
    show: (page) => page.getByText('No domains yet').waitFor(),
  },
  {
    name: 'the list of domains',
    path: () => '/inbox/domains',
    show: (page) => page.getByRole('link', { name: DOMAIN }).waitFor(),
  },
  {
    name: 'the form of a domain',
    path: () => '/inbox/domains',
    async show(page) {
      await page.getByRole('button', { name: 'Add domain' }).click();
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a domain',
    path: () => `/inbox/domains/${DOMAIN}`,
    async show(page) {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('Not verified').waitFor();
    },
  },
  {
    name: 'a deleted domain',
    path: () => '/inbox/domains/nothing.example',
    show: (page) => page.getByText('Domain not found').waitFor(),
  },
  {
    name: 'the API keys',
    path: () => '/inbox/api-keys',
    show: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'the form of an API key',
    path: () => '/inbox/api-keys',
    async show(page) {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the revocation of an API key',
    path: () => '/inbox/api-keys',
    async show(page) {
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the empty list of suppressions',
    path: () => '/inbox/suppressions',
    isEmpty: true,
    show: (page) => page.getByText('No suppressed addresses').waitFor(),
  },
  {
    name: 'the suppressions',
    path: () => '/inbox/suppressions',
    show: (page) => page.getByRole('rowheader').first().waitFor(),
  },
  {
    name: 'a search without a suppression',
    path: () => '/inbox/suppressions?search=nothing',
    show: (page) => page.getByText('No suppressed address contains').waitFor(),
  },
  { name: 'the empty webhooks', path: () => '/inbox/webhooks', isEmpty: true, show: heading('No webhooks yet') },
  { name: 'the webhooks', path: () => '/inbox/webhooks', show: heading('Subscriptions') },
  {
    name: 'a new webhook',
    path: () => '/inbox/webhooks',
    async show(page) {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a triggered event',
    path: () => '/inbox/webhooks',
    async show(page) {
      await page.getByRole('button', { name: 'Trigger an event' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a webhook delivery',
    path: () => `/inbox/webhooks/deliveries/${delivery}`,
    show: heading('Verify the signature'),
  },
  { name: 'the empty request log', path: () => '/inbox/requests', isEmpty: true, show: heading('No requests yet') },
  {
    name: 'the request log',
    path: () => '/inbox/requests',
    show: (page) => page.getByRole('link', { name: 'POST /v1/webhooks' }).first().waitFor(),
  },
  { name: 'a logged request', path: () => `/inbox/requests/${request}`, show: heading('Warnings') },
  { name: 'no SMTP sessions', path: () => '/inbox/smtp', isEmpty: true, show: heading('No sessions yet') },
  {
    name: 'the SMTP sessions',
    path: () => '/inbox/smtp',
    show: (page) => page.getByRole('link', { name: 'app.example.test' }).waitFor(),
  },
  { name: 'an SMTP session', path: () => `/inbox/smtp/${session}`, show: heading('Transcript') },
  { name: 'an unknown page', path: () => '/inbox/nothing', show: (page) => page.getByText('Page not found').waitFor() },
];

describe.skipIf(withoutBrowser)(`the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server, empty] = await Promise.all([launchBrowser(), startInbox(), startInbox()]);
    await server.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/hooks', events: ['email.sent'] });
    await server.call('POST', '/_svc/rules', { to: '*@corp.test', outcome: 'bounced', times: 2 });
    await server.call('POST', '/_svc/faults', { webhook: 'https://faults.example/*', code: 500, times: 2 });
    await server.send({ subject: 'Second' });
    await server.send({ to: 'bounced@simulator.test', subject: 'Bounces' });
    await server.call('POST', '/v1/domains', { domain: DOMAIN });
    await server.call('PATCH', `/_svc/dns/${DOMAIN}`, { published: false });
    await server.call('POST', '/_svc/suppressions', { address: 'eve@example.test' });
    id = await server.send({
      subject: 'Reset your password',
      html: '<p>Your code is 482913.</p><a href="https://shop.example/reset?t=1">Reset password</a>',
      tags: ['account'],
      attachments: [{ filename: 'notes.txt', content: 'bm90ZXM=', contentType: 'text/plain' }],
    });
    const { json } = await server.call('POST', '/v1/templates', {
      name: 'welcome',
      subject: 'Welcome',
      html: '<p>Welcome, {{name}}</p>',
      text: 'Welcome',
    });
    templateId = json.data.id;
  });
  beforeAll(async () => {
    // The server refuses the connection: the port of its webhook is that of no server.
    const webhook = { url: 'http://127.0.0.1:9/hooks', events: ['email.sent'], secret: 'whsec_1' };
    await server.call('POST', '/v1/webhooks', webhook);
    await server.call('POST', '/_svc/events/trigger', { type: 'email.sent' });
    await server.call('POST', '/_svc/clock/advance', { by: '1s' });
    await brokenSession((await server.read('/_svc/info')).smtp);
    session = (await server.read('/_svc/smtp-sessions')).sessions[0].id;
    delivery = (await server.read('/_svc/deliveries')).deliveries[0].id;
    await server.call('POST', '/v1/domains', { domain: 'second.example.com', misspelled: 1 });
    request = (await server.read('/_svc/requests')).requests[0].request_id;
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.closeClean(), empty.closeClean()]);
  });
  // A view may have moved or frozen the clock.
  afterEach(() => server.call('PATCH', '/_svc/clock', { offset_ms: 0 }));

  describe.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 1280 },
    { theme: 'light', width: 390 },
  ] as const)('in the $theme theme, $width pixels wide', ({ theme, width }) => {
    it.each(views)('has no violation in $name', async ({ path, isEmpty, show }) => {
      const { origin } = isEmpty ? empty : server;
      const options = { colorScheme: theme, viewport: { width, height: 800 } };
      const { page, problems, close } = await openInbox(browser, origin, path?.() ?? '/', options);
      await show?.(page);
      await page.evaluate(axe);

      const found = await page.evaluate(violations);

      expect(found).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(problems.join('\n')).toBe('');
      await close();
    });
  });
});

/** Runs in the page. The content of the email's frame is its author's. */
async function violations(): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: axe-core adds itself to the page
  const { axe } = globalThis as any;
  const { violations } = await axe.run({ exclude: ['iframe'] });
  // biome-ignore lint/suspicious/noExplicitAny: as axe-core returns it
  return violations.flatMap(({ id, help, nodes }: any) => nodes.map((node: any) => `${id}: ${help}: ${node.html}`));
}
