import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { shortcutsOf, useShortcuts } from '../../../common/shortcuts.js';
import { HtmlPreview } from '../../../components/html-preview/html-preview.js';
import { loadable } from '../../../components/loadable.js';
import { EmptyState, ErrorBoundary, Loaded } from '../../../components/states.js';
import styles from '../email-page.module.css';
import { type EmailDetails, type TabProps, useContentUrls } from '../types.js';
import { TextBeginning, TextTab } from './text-tab.js';

/** HTML that a browser needs longer for than one notices. */
const LARGE_CHARACTERS = 500_000;
const EmailDifferences = loadable(() => import('./email-differences.js').then((file) => file.EmailDifferences), null);

/** The copy before tracking was added. */
const AS_WRITTEN = '';

/** The HTML of the email, or of a recipient's copy. */
function PreviewTab(props: TabProps) {
  const urls = useContentUrls(props.email.id);
  if (props.email.html === '') {
    return (
      <EmptyState title="No HTML">
        <p>This email has no HTML.</p>
      </EmptyState>
    );
  }
  return <Loaded query={urls}>{(urls) => <Preview {...props} urls={urls} />}</Loaded>;
}

type Urls = NonNullable<ReturnType<typeof useContentUrls>['data']>;

function Preview({ email: { id, html, text, html_text }, onFrame, urls }: TabProps & { urls: Urls }) {
  const [recipient, setRecipient] = useState(AS_WRITTEN);
  const copy = urls.delivered.find(({ address }) => address === recipient);
  const { html: url, html_remote } = copy ?? urls;
  if (url === null || html_remote === null) return null;
  return (
    <HtmlPreview
      title="HTML of the email"
      html={html}
      urls={{ html: url, html_remote }}
      content={`${id} ${recipient}`}
      onUrl={onFrame}
      waiting={html.length > LARGE_CHARACTERS && <TextBeginning text={text || html_text} />}
      differences={(choice, isDark) => <EmailDifferences id={id} choice={choice} isDark={isDark} />}
    >
      {urls.delivered.length > 0 && (
        <select
          aria-label="Copy"
          className={styles.copies}
          value={recipient}
          onChange={(event) => setRecipient(event.target.value)}
        >
          <option value={AS_WRITTEN}>As written</option>
          {urls.delivered.map(({ address }) => (
            <option key={address} value={address}>
              Delivered to {address}
            </option>
          ))}
        </select>
      )}
    </HtmlPreview>
  );
}

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
    component: loadable(() => import('./timeline-tab.js').then((file) => file.TimelineTab)),
  },
  {
    name: 'delivery',
    title: 'Delivery',
    component: loadable(() => import('./delivery-tab.js').then((file) => file.DeliveryTab)),
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
    component: loadable(() => import('./attachments-tab.js').then((file) => file.AttachmentsTab)),
  },
  {
    name: 'checks',
    title: 'Checks',
    component: loadable(() => import('./checks-tab.js').then((file) => file.ChecksTab)),
  },
  {
    name: 'code',
    title: 'Code',
    component: loadable(() => import('./code-tab.js').then((file) => file.CodeTab)),
  },
  {
    name: 'headers',
    title: 'Headers',
    component: loadable(() => import('./headers-tab.js').then((file) => file.HeadersTab)),
  },
  {
    name: 'structure',
    title: 'MIME',
    component: loadable(() => import('./structure-tab.js').then((file) => file.StructureTab)),
  },
  {
    name: 'source',
    title: 'Source',
    component: loadable(() => import('./source-tab.js').then((file) => file.SourceTab)),
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
