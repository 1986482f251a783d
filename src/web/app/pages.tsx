import { Clock, ListChecks, Mail, PenLine } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { EmailsPage } from '../pages/emails/emails-page.js';

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
    name: 'compose',
    title: 'Compose',
    path: '/compose',
    route: '/compose',
    letter: 'c',
    icon: PenLine,
    component: lazy(() => import('../pages/compose/compose-page.js').then((file) => ({ default: file.ComposePage }))),
  },
  {
    name: 'rules',
    title: 'Rules',
    path: '/rules',
    route: '/rules',
    letter: 'u',
    icon: ListChecks,
    component: lazy(() => import('../pages/rules/rules-page.js').then((file) => ({ default: file.RulesPage }))),
  },
  {
    name: 'clock',
    title: 'Clock',
    path: '/clock',
    route: '/clock',
    letter: 'l',
    icon: Clock,
    component: lazy(() => import('../pages/clock/clock-page.js').then((file) => ({ default: file.ClockPage }))),
  },
];
