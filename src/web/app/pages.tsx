import {
  Cable,
  ChartLine,
  Clock,
  Globe,
  KeyRound,
  LayoutTemplate,
  ListChecks,
  Mail,
  MailX,
  PenLine,
  ScrollText,
  Webhook,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { loadable } from '../components/loadable.js';
import { EmailsPage } from '../pages/emails/emails-page.js';

/** A page of the inbox. A new page is an entry of `pages`. */
export interface Page {
  name: string;
  title: string;
  /** The address of the page below /inbox. */
  path: string;
  /** The addresses that show the page, as a pattern of wouter: `/emails/:id?/:tab?`. */
  route: string;
  /** What else the page has, by which the palette finds it. */
  content?: string;
  /** The key that opens the page after `g`. */
  letter: string;
  icon: ComponentType<{ size?: number | string }>;
  /** Use `loadable(() => import(…))`, so that the first view does not load it. */
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
    name: 'compose',
    title: 'Compose',
    path: '/compose',
    route: '/compose',
    letter: 'c',
    icon: PenLine,
    component: loadable(() => import('../pages/compose/compose-page.js').then((file) => file.ComposePage)),
  },
  {
    name: 'templates',
    title: 'Templates',
    path: '/templates',
    route: '/templates/:id?',
    letter: 't',
    icon: LayoutTemplate,
    component: loadable(() => import('../pages/templates/list/template-list.js').then((file) => file.TemplatesPage)),
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    path: '/webhooks',
    route: '/webhooks/:section?/:id?',
    letter: 'w',
    icon: Webhook,
    component: loadable(() => import('../pages/webhooks/webhooks-page.js').then((file) => file.WebhooksPage)),
  },
  {
    name: 'analytics',
    title: 'Analytics',
    path: '/analytics',
    route: '/analytics',
    letter: 'a',
    icon: ChartLine,
    component: loadable(() => import('../pages/analytics/analytics-page.js').then((file) => file.AnalyticsPage)),
  },
  {
    name: 'domains',
    title: 'Domains',
    path: '/domains',
    route: '/domains/:domain?',
    letter: 'd',
    icon: Globe,
    component: loadable(() => import('../pages/domains/domains-page.js').then((file) => file.DomainsPage)),
  },
  {
    name: 'api-keys',
    title: 'API keys',
    path: '/api-keys',
    route: '/api-keys',
    letter: 'k',
    icon: KeyRound,
    component: loadable(() => import('../pages/api-keys/api-keys-page.js').then((file) => file.ApiKeysPage)),
  },
  {
    name: 'suppressions',
    title: 'Suppressions',
    path: '/suppressions',
    route: '/suppressions',
    letter: 's',
    icon: MailX,
    component: loadable(() =>
      import('../pages/suppressions/suppressions-page.js').then((file) => file.SuppressionsPage),
    ),
  },
  {
    name: 'rules',
    title: 'Rules',
    path: '/rules',
    route: '/rules',
    content: 'Faults, chaos',
    letter: 'u',
    icon: ListChecks,
    component: loadable(() => import('../pages/rules/rules-page.js').then((file) => file.RulesPage)),
  },
  {
    name: 'requests',
    title: 'Requests',
    path: '/requests',
    route: '/requests/:id?',
    letter: 'q',
    icon: ScrollText,
    component: loadable(() => import('../pages/requests/requests-page.js').then((file) => file.RequestsPage)),
  },
  {
    name: 'smtp',
    title: 'SMTP',
    path: '/smtp',
    route: '/smtp/:id?',
    letter: 'm',
    icon: Cable,
    component: loadable(() => import('../pages/smtp/smtp-page.js').then((file) => file.SmtpPage)),
  },
  {
    name: 'clock',
    title: 'Clock',
    path: '/clock',
    route: '/clock',
    letter: 'l',
    icon: Clock,
    component: loadable(() => import('../pages/clock/clock-page.js').then((file) => file.ClockPage)),
  },
];
