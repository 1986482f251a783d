import { useCallback, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { MINUTE_MS } from '../../../contract/vocabulary/limits.js';
import { useInbox, useNow } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { queryOf } from '../../api/site.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { loadable } from '../../components/loadable.js';
import { EmptyState, ErrorBoundary, FailureView, Loading } from '../../components/states.js';
import { searchOf } from './addresses.js';
import styles from './emails-page.module.css';
import { EmailList } from './list/email-list.js';
import { Toolbar } from './list/toolbar.js';
import { useEmailActions } from './list/use-email-actions.js';
import { type EmailRows, type Pages, useEmailRows } from './list/use-email-rows.js';
import { useCursor } from './list/use-kept-place.js';
import { useListKeys } from './list/use-list-keys.js';
import { useSelection } from './list/use-selection.js';
import { queryHint } from './search/query-terms.js';
import { snippets } from './snippets.js';

export const EmailPage = loadable(() => import('./email-page.js').then((file) => file.EmailPage));

/** The list, and next to it the opened email. On a narrow screen, only one of them is shown. */
export function EmailsPage() {
  const { id, tab } = useParams<{ id?: string; tab?: string }>();
  const [, navigate] = useLocation();
  const { search, before, suffix } = useSearch();
  const [shown, setShown] = useState<Pages>({ first: 0, last: 0 });
  const scope = `${search} ${before ?? ''}`;
  const place = useCursor(scope);
  const rows = useEmailRows(search, before, shown, place.cursor.index);
  const [isStale, setStale] = useState(false);
  const selection = useSelection({ rows, scope, canSelectAll: before === undefined && !isStale });
  const actions = useEmailActions({ search, scope, selection, isExact: rows.isExact });
  const hrefOf = useCallback((each: string) => `/emails/${each}${suffix}`, [suffix]);
  const list = useListKeys({ ...place, rows, openId: id, selection, actions, hrefOf, listHref: `/emails${suffix}` });
  const { previous, next, close, ...cursor } = list;
  const isPlaced = before !== undefined || rows.isLoading || cursor.index >= 0 || place.cursor.id === id;
  // Rows show the day of an email: a time that changes with every response would draw all of them again.
  const now = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS;
  const onSearch = useCallback(
    (text: string) => {
      navigate(text === '' ? '/emails' : `/emails?search=${encodeURIComponent(text)}`, {
        replace: text !== '' && search !== '',
      });
    },
    [navigate, search],
  );
  return (
    <div className={styles.page} data-open={id !== undefined}>
      {id === undefined && <h1 className="visually-hidden">Emails</h1>}
      <section className={styles.list} aria-label="List of emails">
        <Toolbar
          search={search}
          rows={rows}
          selection={selection}
          actions={actions}
          onSearch={onSearch}
          isStale={isStale}
          onInvalid={setStale}
        />
        <div className={styles.found} inert={isStale && rows.loaded.length > 0}>
          <ListContent rows={rows} search={search} before={before} onSearch={onSearch}>
            <EmailList
              key={scope}
              scope={scope}
              rows={rows}
              cursor={cursor}
              openId={id}
              selection={selection}
              now={now}
              hrefOf={hrefOf}
              onShown={setShown}
            >
              <SearchEnd rows={rows} search={search} />
            </EmailList>
          </ListContent>
        </div>
      </section>
      {id !== undefined && (
        <section className={styles.message} aria-label="Email">
          <ErrorBoundary until={id}>
            <EmailPage
              key={id}
              id={id}
              tab={tab}
              suffix={suffix}
              actions={actions}
              onClose={close}
              previous={previous}
              next={next}
              position={{
                search,
                newest: isPlaced ? undefined : rows.row(0)?.cursor,
                onFound: (index) => place.setCursor({ id, index }),
              }}
            />
          </ErrorBoundary>
        </section>
      )}
      {actions.confirmation}
    </div>
  );
}

/** Returns the search of the address, and the part of the address that keeps it. */
function useSearch() {
  const [parameters] = useSearchParams();
  const { search, before } = searchOf(parameters);
  // Other parameters belong to the opened email.
  return { search, before, suffix: queryOf({ search, before }) };
}

interface ContentProps {
  rows: EmailRows;
  search: string;
  before: string | undefined;
  onSearch(search: string): void;
  children: React.ReactNode;
}

function ListContent({ rows, search, before, onSearch, children }: ContentProps) {
  if (rows.error !== undefined && rows.loaded.length === 0 && !isRefusedQuery(rows.error)) {
    return <FailureView {...describeFailure(rows.error)} onRetry={rows.retry} />;
  }
  if (rows.loaded.length > 0 || rows.count > 0) return children;
  if (rows.isLoading) return <Loading />;
  if (search === '' && before === undefined) return <FirstEmail />;
  const all = <Button onClick={() => onSearch('')}>Show all emails</Button>;
  if (rows.error !== undefined) {
    return (
      <EmptyState title="This search cannot be run">
        <p>Correct it in the search field.</p>
        {all}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No emails match">
      {rows.continueFrom === undefined ? (
        <p>
          Nothing matches <code>{search}</code>. {queryHint(search)}
        </p>
      ) : (
        <SearchEnd rows={rows} search={search} />
      )}
      {all}
    </EmptyState>
  );
}

function isRefusedQuery(error: unknown): boolean {
  return (error as { status?: number }).status === 400;
}

/** Offers to go on where the server stopped searching. */
function SearchEnd({ rows, search }: { rows: EmailRows; search: string }) {
  const [, navigate] = useLocation();
  if (rows.continueFrom === undefined) return null;
  const query = new URLSearchParams({ search, before: rows.continueFrom });
  return (
    <div className={styles.end}>
      <p>Older emails have not been searched yet: this search needs to read each of them.</p>
      <Button onClick={() => navigate(`/emails?${query}`)}>Search older emails</Button>
    </div>
  );
}

/** Shows how to send the first email to this server. */
function FirstEmail() {
  const { info } = useInbox();
  return (
    <div className={styles.firstEmailPage}>
      <h2>No emails yet</h2>
      <p>Send one to this server, and it appears here at once. It is not delivered to real mailboxes.</p>
      {snippets(info).map(({ title, hint, code }) => (
        <section key={title} className={styles.snippet}>
          <h3>{title}</h3>
          {hint && <p>{hint}</p>}
          <CopyText text={code} label={`Copy: ${title}`} />
        </section>
      ))}
    </div>
  );
}
