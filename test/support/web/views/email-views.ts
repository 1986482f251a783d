import type { Page } from 'playwright-core';
import type { Ids, View } from './view.js';

export const tabs = [
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
/** The list of emails, and an opened email. */
export const emailViews: readonly View[] = [
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
    path: '/inbox/emails?search=nothing-like-this',
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
    path: ({ email }: Ids) => `/inbox/emails/${email}/${tab}`,
    async show(page: Page) {
      await page.getByRole('article').waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' });
    },
  })),
  {
    name: 'attempts in the timeline',
    path: ({ email }: Ids) => `/inbox/emails/${email}/timeline`,
    async show(page) {
      await page.getByRole('list', { name: 'Timeline' }).waitFor();
      await page.getByRole('button', { name: /hooks (pending|failed)/ }).click();
      await page.getByText('Attempt 1 of 4').waitFor();
    },
  },
  {
    name: 'the simulation of an outcome',
    path: ({ email }: Ids) => `/inbox/emails/${email}/timeline`,
    async show(page) {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Simulate an outcome' }).click();
      await page.getByRole('radio', { name: 'Bounced', exact: true }).check();
    },
  },
  {
    name: 'a deleted email',
    path: '/inbox/emails/msg_01arz3ndektsv4rrffq69g5fav',
    show: (page) => page.getByText('Email not found').waitFor(),
  },
];
