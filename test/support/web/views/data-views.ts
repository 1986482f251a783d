import { DOMAIN, type View } from './view.js';

/** Analytics, domains, API keys and suppressions. */
export const dataViews: readonly View[] = [
  {
    name: 'empty analytics',
    path: '/inbox/analytics',
    isEmpty: true,
    show: (page) => page.getByText('No events in this period').waitFor(),
  },
  {
    name: 'analytics',
    path: '/inbox/analytics?from=2020-01-01&to=2099-12-31&by=month',
    show: (page) => page.locator('canvas').waitFor(),
  },
  {
    name: 'the empty list of domains',
    path: '/inbox/domains',
    isEmpty: true,
    show: (page) => page.getByText('No domains yet').waitFor(),
  },
  {
    name: 'the list of domains',
    path: '/inbox/domains',
    show: (page) => page.getByRole('link', { name: DOMAIN }).waitFor(),
  },
  {
    name: 'the form of a domain',
    path: '/inbox/domains',
    async show(page) {
      await page.getByRole('button', { name: 'Add domain' }).click();
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a domain',
    path: `/inbox/domains/${DOMAIN}`,
    async show(page) {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('Not verified').waitFor();
    },
  },
  {
    name: 'a deleted domain',
    path: '/inbox/domains/nothing.example',
    show: (page) => page.getByText('Domain not found').waitFor(),
  },
  {
    name: 'the API keys',
    path: '/inbox/api-keys',
    show: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'the form of an API key',
    path: '/inbox/api-keys',
    async show(page) {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the revocation of an API key',
    path: '/inbox/api-keys',
    async show(page) {
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the empty list of suppressions',
    path: '/inbox/suppressions',
    isEmpty: true,
    show: (page) => page.getByText('No suppressed addresses').waitFor(),
  },
  {
    name: 'the suppressions',
    path: '/inbox/suppressions',
    show: (page) => page.getByRole('rowheader').first().waitFor(),
  },
  {
    name: 'a search without a suppression',
    path: '/inbox/suppressions?search=nothing',
    show: (page) => page.getByText('No suppressed address contains').waitFor(),
  },
];
