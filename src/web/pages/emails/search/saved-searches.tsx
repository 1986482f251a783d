import { useSyncExternalStore } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { readStored, writeStored } from '../../../common/stored.js';
import styles from './saved-searches.module.css';

const BUILT_IN = [
  { label: 'Unread', search: 'is:unread' },
  { label: 'With a code', search: 'has:code' },
  { label: 'Bounced', search: 'status:bounced' },
];

/** Links to searches, in the navigation. */
export function SavedSearches() {
  const [path] = useLocation();
  const [parameters] = useSearchParams();
  const current = path.startsWith('/emails') ? parameters.get('search') : undefined;
  const own = useSavedSearches()
    .filter((search) => !BUILT_IN.some((each) => each.search === search))
    .map((search) => ({ label: search, search }));
  return (
    <ul className={styles.list} aria-label="Saved searches">
      {[...BUILT_IN, ...own].map(({ label, search }) => (
        <li key={search}>
          <Link
            href={`/emails?search=${encodeURIComponent(search)}`}
            title={search}
            aria-current={search === current ? 'true' : undefined}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Searches that the user saved in this browser. */

const KEY = 'svc-saved-searches';
const CHANGED = 'svc-saved-searches-changed';

export function useSavedSearches(): readonly string[] {
  return parse(useSyncExternalStore(subscribe, () => readStored(KEY) ?? '[]'));
}

export function isSaved(saved: readonly string[], search: string): boolean {
  return saved.includes(search);
}

export function toggleSaved(search: string): void {
  const saved = parse(readStored(KEY) ?? '[]');
  writeStored(
    KEY,
    JSON.stringify(isSaved(saved, search) ? saved.filter((each) => each !== search) : [...saved, search]),
  );
  window.dispatchEvent(new Event(CHANGED));
}

/** Another tab may have changed them, too. */
function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener('storage', listener);
    window.removeEventListener(CHANGED, listener);
  };
}

function parse(stored: string): string[] {
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
