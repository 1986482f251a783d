import { ChartLine, Globe, KeyRound, Mail, MailX } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { EmailsPage } from '../pages/emails/emails-page.js';

const AnalyticsPage = lazy(() =>
  import('../pages/analytics/analytics-page.js').then(({ AnalyticsPage }) => ({ default: AnalyticsPage })),
);
const DomainsPage = lazy(() =>
  import('../pages/domains/domains-page.js').then(({ DomainsPage }) => ({ default: DomainsPage })),
);
const ApiKeysPage = lazy(() =>
  import('../pages/api-keys/api-keys-page.js').then(({ ApiKeysPage }) => ({ default: ApiKeysPage })),
);
const SuppressionsPage = lazy(() =>
  import('../pages/suppressions/suppressions-page.js').then(({ SuppressionsPage }) => ({ default: SuppressionsPage })),
);

/** A page of the inbox. A new page is an entry of `pages`. */
export interface Page {
  name: string;
  title: string;
  /** The address of the page below /inbox. */
  path: string;
  /** The addresses that show the page, as a pattern of wouter: `/emails/:id?/:tab?`. */
  route: string;
  /** The key that opens the page after `g`. */
  letter: string;
  icon: ComponentType<{ size?: number | string }>;
  /** Use `lazy(() => import(…))`, so that the first view does not load it. */
  component: ComponentType;
}

export const pages: readonly Page[] = [
  {
    name: 'emails',
    title: 'Emails',
    path: '/emails',
    route: '/emails/:id?/:tab?',
    letter: 'e',
    icon: Mail,
    component: EmailsPage,
  },
  {
    name: 'analytics',
    title: 'Analytics',
    path: '/analytics',
    route: '/analytics',
    letter: 'a',
    icon: ChartLine,
    component: AnalyticsPage,
  },
  {
    name: 'domains',
    title: 'Domains',
    path: '/domains',
    route: '/domains/:domain?',
    letter: 'd',
    icon: Globe,
    component: DomainsPage,
  },
  {
    name: 'api-keys',
    title: 'API keys',
    path: '/api-keys',
    route: '/api-keys',
    letter: 'k',
    icon: KeyRound,
    component: ApiKeysPage,
  },
  {
    name: 'suppressions',
    title: 'Suppressions',
    path: '/suppressions',
    route: '/suppressions',
    letter: 's',
    icon: MailX,
    component: SuppressionsPage,
  },
];
