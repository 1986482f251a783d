import { type ComponentType, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { shortcutsOf } from '../../app/shortcuts/parts.js';
import { useShortcuts } from '../../app/shortcuts/shortcuts.js';
import { ErrorBoundary } from '../../components/failure-view.js';
import { loadable } from '../../components/loadable.js';
import styles from './email-page.module.css';
import { PreviewTab } from './preview/preview-tab.js';
import { TextTab } from './text-tab.js';
import type { EmailDetails, TabProps } from './types.js';

interface Tab {
  /** The last part of the address. */
  name: string;
  title: string;
  /** Shown next to the title. */
  count?(email: EmailDetails): number;
  isShown?(email: EmailDetails): boolean;
  component: ComponentType<TabProps>;
}

/** The tabs of an email. A new tab is an entry. */
const tabs: readonly Tab[] = [
  { name: 'preview', title: 'Preview', isShown: ({ html }) => html !== '', component: PreviewTab },
  { name: 'text', title: 'Text', component: TextTab },
  {
    name: 'timeline',
    title: 'Timeline',
    component: loadable(() => import('./timeline/timeline-tab.js').then((file) => file.TimelineTab)),
  },
  {
    name: 'delivery',
    title: 'Delivery',
    component: loadable(() => import('./delivery/delivery-tab.js').then((file) => file.DeliveryTab)),
  },
  {
    name: 'links',
    title: 'Links',
    count: ({ links }) => links.length,
    component: loadable(() => import('./links-tab.js').then((file) => file.LinksTab)),
  },
  {
    name: 'attachments',
    title: 'Attachments',
    count: ({ attachments }) => attachments.length,
    isShown: ({ attachments }) => attachments.length > 0,
    component: loadable(() => import('./attachments/attachments-tab.js').then((file) => file.AttachmentsTab)),
  },
  {
    name: 'checks',
    title: 'Checks',
    component: loadable(() => import('./checks/checks-tab.js').then((file) => file.ChecksTab)),
  },
  {
    name: 'code',
    title: 'Code',
    component: loadable(() => import('./code/code-tab.js').then((file) => file.CodeTab)),
  },
  {
    name: 'headers',
    title: 'Headers',
    component: loadable(() => import('./headers-tab.js').then((file) => file.HeadersTab)),
  },
  {
    name: 'structure',
    title: 'MIME',
    component: loadable(() => import('./structure/structure-tab.js').then((file) => file.StructureTab)),
  },
  {
    name: 'source',
    title: 'Source',
    component: loadable(() => import('./source/source-tab.js').then((file) => file.SourceTab)),
  },
];

/** The tabs are links, so that each has an address. */
export function Tabs({ email, tab, suffix, onFrame }: TabProps & { tab: string | undefined; suffix: string }) {
  // An address may name a tab that has nothing to show, and explains that.
  const shown = tabs.filter(({ name, isShown }) => name === tab || (isShown?.(email) ?? true));
  const current = shown.find(({ name }) => name === tab) ?? (shown[0] as Tab);
  const Content = current.component;
  const navigation = useRef<HTMLElement>(null);
  const focus = () => navigation.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  useShortcuts(shortcutsOf('Emails', { t: focus }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone, the current tab may be outside of the row
  useEffect(() => {
    navigation.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current.name]);
  return (
    <>
      <nav ref={navigation} className={styles.tabs} aria-label="Parts of the email">
        {shown.map(({ name, title, count }) => (
          <Link
            key={name}
            href={`/emails/${email.id}/${name}${suffix}`}
            replace
            className={styles.tab ?? ''}
            aria-current={name === current.name ? 'page' : undefined}
          >
            {title} {count?.(email) ? <span className={styles.count}>{count(email)}</span> : null}
          </Link>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard */}
      <section className={styles.panel} tabIndex={0} aria-label={current.title}>
        <h2 className="visually-hidden">{current.title}</h2>
        <ErrorBoundary key={current.name}>
          <Content email={email} onFrame={onFrame} />
        </ErrorBoundary>
      </section>
    </>
  );
}
