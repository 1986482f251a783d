import type { Page } from 'playwright-core';
import { heading, type Ids, type View } from './view.js';

/** The clock, rules, templates, webhooks, the request log, and composing. */
export const toolViews: readonly View[] = [
  {
    name: 'the clock',
    path: '/inbox/clock',
    show: (page) => page.getByRole('region', { name: 'Service time' }).waitFor(),
  },
  {
    name: 'the rules',
    path: '/inbox/rules',
    show: (page) => page.getByRole('table', { name: 'Rules' }).waitFor(),
  },
  {
    name: 'a new rule with a refused field',
    path: '/inbox/rules',
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
    path: '/inbox/clock',
    async show(page) {
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('button', { name: 'Reset clock' }).waitFor();
    },
  },
  {
    name: 'composing',
    path: '/inbox/compose',
    show: (page) => page.getByLabel('Attachments').waitFor(),
  },
  {
    name: 'no templates',
    path: '/inbox/templates',
    isEmpty: true,
    show: (page) => page.getByText('No templates yet').waitFor(),
  },
  {
    name: 'the templates',
    path: '/inbox/templates',
    show: (page) => page.getByText('1 template').waitFor(),
  },
  ...['html', 'text', 'data', 'json'].map((part) => ({
    name: `the template editor with ${part}`,
    path: ({ template }: Ids) => `/inbox/templates/${template}?part=${part}`,
    async show(page: Page) {
      await page.getByText('1 problem').waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'unsaved changes of a template, and a test email',
    path: ({ template }) => `/inbox/templates/${template}`,
    async show(page) {
      await page.getByRole('textbox', { name: 'Subject' }).fill('');
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'the empty webhooks', path: '/inbox/webhooks', isEmpty: true, show: heading('No webhooks yet') },
  { name: 'the webhooks', path: '/inbox/webhooks', show: heading('Subscriptions') },
  {
    name: 'a new webhook',
    path: '/inbox/webhooks',
    async show(page) {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a triggered event',
    path: '/inbox/webhooks',
    async show(page) {
      await page.getByRole('button', { name: 'Trigger an event' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a webhook delivery',
    path: ({ delivery }) => `/inbox/webhooks/deliveries/${delivery}`,
    show: heading('Verify the signature'),
  },
  { name: 'the empty request log', path: '/inbox/requests', isEmpty: true, show: heading('No requests yet') },
  {
    name: 'the request log',
    path: '/inbox/requests',
    show: (page) => page.getByRole('link', { name: 'POST /v1/webhooks' }).first().waitFor(),
  },
  { name: 'a logged request', path: ({ request }) => `/inbox/requests/${request}`, show: heading('Warnings') },
  { name: 'an unknown page', path: '/inbox/nothing', show: (page) => page.getByText('Page not found').waitFor() },
];
