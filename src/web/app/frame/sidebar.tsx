import { ChevronsUpDown, Keyboard, Search, Settings as SettingsIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useControl, useInbox } from '../../api/calls.js';
import { areNotificationsOn, setNotifications } from '../../common/notifications.js';
import { storedTheme, storeTheme, type Theme } from '../../common/theme.js';
import { formatCount } from '../../components/format.js';
import { Keys } from '../../components/keys.js';
import { Menu } from '../../components/menu/menu.js';
import { SavedSearches } from '../../pages/emails/search/saved-searches.js';
import { type Page, pages } from '../pages.js';
import styles from './sidebar.module.css';

interface Props {
  isOpen: boolean;
  onClose(): void;
  onPalette(): void;
  onHelp(): void;
}

/** The navigation. On a narrow screen, it covers the page while it is open. */
export function Sidebar({ isOpen, onClose, onPalette, onHelp }: Props) {
  const [path] = useLocation();
  const { data } = useControl('summary', {});
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen, onClose]);
  return (
    <>
      {isOpen && <div className={styles.backdrop} onClick={onClose} aria-hidden="true" />}
      <aside className={`${styles.sidebar} ${isOpen ? styles.open : ''}`} aria-label="Navigation">
        <div className={styles.brand}>
          <Logo />
          svc inbox
        </div>
        <Workspace />
        <button type="button" className={styles.find} onClick={onPalette}>
          <Search size={15} aria-hidden />
          Jump to…
          <span className={styles.keys} aria-hidden="true">
            <Keys keys="Mod+k" />
          </span>
        </button>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: its links take the keyboard */}
        <nav aria-label="Pages" className={styles.pages} onClick={onClose}>
          <ul>
            {pages.map((page) => (
              <li key={page.name}>
                <PageLink
                  page={page}
                  isCurrent={path.startsWith(page.path)}
                  unread={page.name === 'emails' ? data?.unread : undefined}
                />
                {page.name === 'emails' && <SavedSearches />}
              </li>
            ))}
          </ul>
        </nav>
        <Addresses />
        <div className={styles.tools}>
          <Settings />
          <button type="button" className={styles.tool} onClick={onHelp}>
            <Keyboard size={16} aria-hidden />
            Shortcuts
          </button>
        </div>
      </aside>
    </>
  );
}

interface PageLinkProps {
  page: Page;
  isCurrent: boolean;
  unread: number | undefined;
}

function PageLink({ page: { title, path, icon: Icon }, isCurrent, unread }: PageLinkProps) {
  return (
    <Link href={path} className={styles.page ?? ''} aria-current={isCurrent ? 'page' : undefined}>
      <Icon size={16} />
      {title}
      {unread ? (
        <span className={styles.count}>
          {formatCount(unread)} <span className="visually-hidden">unread</span>
        </span>
      ) : null}
    </Link>
  );
}

/** Who has signed in, and the addresses to send email to. */
function Addresses() {
  const { info } = useInbox();
  return (
    <dl className={styles.addresses}>
      {info.person !== null && (
        <div>
          <dt>You</dt>
          <dd>{info.person}</dd>
        </div>
      )}
      {info.smtp && (
        <div>
          <dt>SMTP</dt>
          <dd>
            {info.smtp.host}:{info.smtp.port}
          </dd>
        </div>
      )}
      <div>
        <dt>API</dt>
        <dd>{info.base_url.replace(/^https?:\/\//, '')}</dd>
      </div>
    </dl>
  );
}

/** The icon of the inbox, in the size of a line. The browser would load a separate document for an image. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2456d6" />
      <path
        d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinejoin="round"
      />
    </svg>
  );
}

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const SWITCH = [
  { value: 'off', label: 'Off' },
  { value: 'on', label: 'On, while in the background' },
];

/** Settings of this browser. */
function Settings() {
  const [theme, setTheme] = useState(storedTheme);
  const [notifies, setNotifies] = useState(areNotificationsOn);
  const choose = (value: string) => {
    storeTheme(value as Theme);
    setTheme(value as Theme);
  };
  return (
    <Menu
      trigger={
        <button type="button" className={styles.tool}>
          <SettingsIcon size={16} aria-hidden />
          Settings
        </button>
      }
    >
      {({ MenuChoice, MenuSeparator }) => (
        <>
          <MenuChoice label="Theme" value={theme} choices={THEMES} onChange={choose} />
          <MenuSeparator />
          <MenuChoice
            label="Desktop notifications"
            value={notifies ? 'on' : 'off'}
            choices={SWITCH}
            onChange={(value) => void setNotifications(value === 'on').then(setNotifies)}
          />
        </>
      )}
    </Menu>
  );
}

const ALL = 'All workspaces';

/**
 * The workspace that the page shows. An administrator chooses another one. A server without workspaces shows nothing.
 */
export function Workspace() {
  const { info, session } = useInbox();
  const [failure, setFailure] = useState<string>();
  const { workspace, workspaces } = info;
  if (workspace === null && workspaces.length === 0) return null;
  const name = workspace ?? ALL;
  if (workspaces.length === 0) {
    return (
      <span className={styles.workspace} title={`Only the emails and webhooks of workspace ${name}`}>
        <span className="visually-hidden">Workspace </span>
        <span className={styles.name}>{name}</span>
      </span>
    );
  }
  const choose = (value: string) =>
    session.switchTo(value).then(
      // Every page of the inbox shows something of the workspace.
      () => location.assign('/inbox'),
      (error: Error) => setFailure(error.message),
    );
  return (
    <>
      {failure && (
        <span role="alert" className="visually-hidden">
          {failure}
        </span>
      )}
      <Menu
        trigger={
          <button
            type="button"
            className={`${styles.workspace} ${workspace === null ? styles.all : ''}`}
            title={failure ?? 'Switch the workspace'}
          >
            <span className="visually-hidden">Workspace </span>
            <span className={styles.name}>{name}</span>
            <ChevronsUpDown size={12} aria-hidden />
          </button>
        }
      >
        {({ MenuChoice }) => (
          <MenuChoice
            label="Workspace"
            value={workspace ?? ''}
            choices={[{ value: '', label: ALL }, ...workspaces.map((each) => ({ value: each, label: each }))]}
            onChange={(value) => void choose(value)}
          />
        )}
      </Menu>
    </>
  );
}
