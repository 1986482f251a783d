import { LayoutTemplate, Mail } from 'lucide-react';
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
    name: 'templates',
    title: 'Templates',
    path: '/templates',
    route: '/templates/:id?',
    letter: 't',
    icon: LayoutTemplate,
    component: lazy(() =>
      import('../pages/templates/templates-page.js').then((file) => ({ default: file.TemplatesPage })),
    ),
  },
];
