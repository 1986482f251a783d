import { Link, useLocation, useSearchParams } from 'wouter';
import { useSavedSearches } from './saved.js';
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
