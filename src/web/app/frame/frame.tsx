import { Clock, Menu as MenuIcon, X } from 'lucide-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { DELETION_UNDO_MS } from '../../../contract/vocabulary/limits.js';
import { useControl, useControlChange, useInbox } from '../../api/calls.js';
import { describeFailure, isNotFound } from '../../api/failures.js';
import { useIsClockMoving, useServiceClock, useTick } from '../../api/service-clock.js';
import type { Undoable } from '../../api/undo-offer.js';
import { shortcutsOf, useShortcuts, useTypeAhead } from '../../common/shortcuts.js';
import { Button, IconButton } from '../../components/button.js';
import { formatInstant } from '../../components/format.js';
import { afterFrame, loadable, useIsDrawn } from '../../components/loadable.js';
import { ErrorBoundary, Problem } from '../../components/states.js';
import { EmailPage } from '../../pages/emails/emails-page.js';
import { pages } from '../pages.js';
import styles from './frame.module.css';
import { Sidebar, Workspace } from './sidebar.js';

const Palette = loadable(() => import('../palette/palette.js').then((file) => file.Palette), null);
const ShortcutHelp = loadable(() => import('../shortcut-help.js').then((file) => file.ShortcutHelp), null);

/**
 * Milliseconds after the first view at which the palette is loaded, so that it gets the first key that is typed, and the
 * view of an email, so that it opens at once, even if the server stopped.
 */
const PRELOAD_MS = 300;

/** The parts that every page has: navigation, connection state, palette and list of shortcuts. */
export function Frame({ children }: { children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [overlay, setOverlay] = useState<'palette' | 'help' | 'navigation'>();
  const isDrawn = useIsDrawn();
  const { suspend, resume } = useTypeAhead();
  const close = () => setOverlay(undefined);
  const open = (dialog: 'palette' | 'help') => {
    if (overlay === dialog) return;
    suspend(close);
    (dialog === 'palette' ? Palette : ShortcutHelp).load().catch(resume);
    setOverlay(dialog);
  };
  const page = pages.find((each) => path.startsWith(each.path));
  useUnreadInTitle(page?.title, /^\/emails\/([^/]+)/.exec(path)?.[1]);
  useEffect(() => {
    // What cannot be loaded now is loaded when it is used.
    const preload = () => void Promise.all([Palette.load(), ShortcutHelp.load(), EmailPage.load()]).catch(() => {});
    const timer = setTimeout(preload, PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useShortcuts([
    { keys: '?', label: 'Show keyboard shortcuts', group: 'General', run: () => open('help') },
    { keys: 'Mod+k', label: 'Open the command palette', group: 'General', run: () => open('palette') },
    { keys: 'c', label: 'Compose an email', group: 'General', run: () => navigate('/compose') },
    ...pages.map(({ letter, title, path, content }) => ({
      keys: `g ${letter}`,
      label: `Go to ${title}`,
      content,
      group: 'Navigation',
      run: () => navigate(path),
    })),
  ]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.bar}>
        <IconButton
          label="Navigation"
          icon={MenuIcon}
          aria-expanded={overlay === 'navigation'}
          onClick={() => setOverlay(overlay === 'navigation' ? undefined : 'navigation')}
        />
        <span>{page?.title ?? 'svc inbox'}</span>
        <Workspace />
      </header>
      <Sidebar
        isOpen={overlay === 'navigation'}
        onClose={close}
        onPalette={() => open('palette')}
        onHelp={() => open('help')}
      />
      <main id="content" className={styles.content} tabIndex={-1}>
        <div className={styles.notices}>
          <ConnectionBanner />
          {isDrawn && <ClockNotice />}
        </div>
        <ErrorBoundary until={`${overlay} ${path}`}>
          {overlay === 'palette' && <Palette onClose={close} />}
          {overlay === 'help' && <ShortcutHelp onClose={close} />}
        </ErrorBoundary>
        {children}
        <UndoToast />
      </main>
    </div>
  );
}

/** Appears while the server cannot be reached. */
function ConnectionBanner() {
  const { live } = useInbox();
  const state = useSyncExternalStore(live.subscribe, () => live.state);
  return (
    <div role="status" data-connection={state}>
      {state === 'lost' && (
        <div className={styles.banner}>
          <span>
            <strong>Disconnected:</strong> the server stopped or cannot be reached. This page reconnects automatically.
          </span>
          <Button onClick={live.retry}>Connect now</Button>
        </div>
      )}
    </div>
  );
}

const SUBJECT_SHOWN = 100;

/** Shows the number of unread emails in the title and in the icon of the tab, or the subject of the opened email. */
function useUnreadInTitle(page: string | undefined, emailId: string | undefined): void {
  const { data } = useControl('summary', {});
  const unread = data?.unread ?? 0;
  const email = useControl('emails.inspect', { params: { id: emailId ?? '' } }, { enabled: emailId !== undefined });
  const subject = emailId && email.data?.subject.slice(0, SUBJECT_SHOWN);
  useEffect(() => {
    document.title = subject
      ? `${subject} – svc inbox`
      : `${unread > 0 ? `(${unread}) ` : ''}${page ? `${page} – ` : ''}svc inbox`;
  }, [unread, page, subject]);
  useEffect(
    () =>
      afterFrame(() => {
        const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
        if (link) link.href = `data:image/svg+xml,${encodeURIComponent(faviconFor(unread))}`;
      }),
    [unread],
  );
}

function faviconFor(unread: number): string {
  const count = unread > 99 ? '99+' : String(unread);
  const size = count.length > 2 ? 13 : 16;
  const badge =
    unread === 0
      ? ''
      : `<rect x="8" y="14" width="24" height="18" rx="9" fill="#d92d20"/><text x="20" y="28.5" font-family="sans-serif" font-size="${size}" font-weight="700" fill="#fff" text-anchor="middle">${count}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2456d6"/><path d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/>${badge}</svg>`;
}

/** Shows the service's time on every page while its clock is moved, frozen, or moving. */
function ClockNotice() {
  const clock = useServiceClock();
  const isMoving = useIsClockMoving();
  const reset = useControlChange('clock.update');
  const isShown = clock !== undefined && (clock.isMoved || isMoving);
  useTick(isShown && !clock.isFrozen);
  if (!isShown) return null;
  const time = new Date(clock.now());
  return (
    <section className={styles.notice} aria-label="Service clock">
      <p className={styles.time}>
        <Clock size={16} aria-hidden />
        <span>
          <span className={styles.label}>Service time </span>
          <time dateTime={time.toISOString()}>{formatInstant(time)}</time>
        </span>
        <strong>{isMoving ? 'moving…' : clock.difference}</strong>
      </p>
      <span className={styles.actions}>
        <Link href="/clock">Change</Link>
        <Button disabled={isMoving} onClick={() => reset.mutate({ body: { offset_ms: 0 } })}>
          Reset clock
        </Button>
      </span>
      {reset.error && <Problem error={reset.error} />}
    </section>
  );
}

/** Offers to undo the last deletion, for as long as the server keeps its emails. */
function UndoToast() {
  const { undo } = useInbox();
  const offered = useSyncExternalStore(undo.subscribe, undo.get);
  return <div role="status">{offered && <Offer key={offered.undoId} {...offered} />}</div>;
}

function Offer({ undoId, text }: Undoable) {
  const { undo: offer } = useInbox();
  const restoring = useControlChange('emails.restore', 'summary');
  const [isOver, setOver] = useState(false);
  const failure = restoring.error ? describeFailure(restoring.error).message : undefined;
  const close = () => offer.set(undefined);
  const undo = () => {
    if (!restoring.isPending) restoring.mutate({ body: { undo_id: undoId } }, { onSuccess: close });
  };
  useShortcuts(shortcutsOf('Deletion', { z: undo }));
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), DELETION_UNDO_MS);
    return () => clearTimeout(timer);
  }, []);
  // A failure stays until the user has read it.
  const isDone = isOver && !restoring.isPending && failure === undefined;
  useEffect(() => {
    if (isDone) offer.set(undefined);
  }, [isDone, offer]);
  return (
    <div className={styles.toast}>
      <span>{failure ?? text}</span>
      {!isNotFound(restoring.error) && (
        <Button aria-keyshortcuts="z" title="Undo (z)" onClick={undo}>
          Undo
        </Button>
      )}
      <IconButton label="Close" icon={X} onClick={close} />
    </div>
  );
}
