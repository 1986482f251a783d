import { Menu as MenuIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useIsDrawn } from '../../components/after-frame.js';
import { IconButton } from '../../components/button.js';
import { ErrorBoundary } from '../../components/failure-view.js';
import { loadable } from '../../components/loadable.js';
import { EmailPage } from '../../pages/emails/emails-page.js';
import { pages } from '../pages.js';
import { useShortcuts, useTypeAhead } from '../shortcuts/shortcuts.js';
import { ClockNotice } from './clock-notice.js';
import { ConnectionBanner } from './connection-banner.js';
import styles from './frame.module.css';
import { Sidebar } from './sidebar.js';
import { UndoToast } from './undo-toast.js';
import { useUnreadInTitle } from './unread-title.js';
import { Workspace } from './workspace.js';

const Palette = loadable(() => import('../palette/palette.js').then((file) => file.Palette), null);
const ShortcutHelp = loadable(() => import('../shortcuts/shortcut-help.js').then((file) => file.ShortcutHelp), null);

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
