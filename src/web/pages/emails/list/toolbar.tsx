import { ListFilter, MailOpen, MailX, Trash2, X } from 'lucide-react';
import type { ApiFailure } from '../../../../client/failures.js';
import { emailStatuses } from '../../../../contract/vocabulary/emails.js';
import type { QueryField } from '../../../../contract/vocabulary/query/query.js';
import { useControl } from '../../../api/calls.js';
import { describeFailure } from '../../../api/failures.js';
import { Button, IconButton } from '../../../components/button.js';
import { formatCount, plural } from '../../../components/format.js';
import { Menu } from '../../../components/menu/menu.js';
import { mailboxesOf } from '../addresses.js';
import { requiredValue, withRequired } from '../search/query-terms.js';
import { SearchBox } from '../search/search-box.js';
import styles from './toolbar.module.css';
import type { EmailActions } from './use-email-actions.js';
import type { EmailRows } from './use-email-rows.js';
import type { Selection } from './use-selection.js';

interface Props {
  search: string;
  rows: EmailRows;
  selection: Selection;
  actions: EmailActions;
  onSearch(search: string): void;
  /** Whether the list has what was found before the query became invalid. */
  isStale: boolean;
  onInvalid(isInvalid: boolean): void;
}

export function Toolbar({ search, rows, selection, actions, onSearch, isStale, onInvalid }: Props) {
  const failure = actions.error === undefined ? undefined : describeFailure(actions.error);
  return (
    <div className={styles.toolbar}>
      <div className={styles.row}>
        <SearchBox search={search} problem={refusal(rows.error)} onSearch={onSearch} onInvalid={onInvalid} />
        <FilterMenu search={search} rows={rows} onSearch={onSearch} />
      </div>
      {rows.count > 0 && (
        <div className={styles.row}>
          <input
            type="checkbox"
            aria-label="Select all emails"
            checked={selection.isAll}
            disabled={!selection.canSelectAll && selection.count === 0}
            title={selection.canSelectAll || isStale ? undefined : 'Older results can be selected only one by one'}
            ref={(box) => {
              if (box) box.indeterminate = selection.count > 0 && !selection.isAll;
            }}
            onChange={() => (selection.count > 0 ? selection.clear() : selection.selectAll())}
          />
          {selection.count > 0 ? (
            <SelectionTools selection={selection} rows={rows} actions={actions} />
          ) : (
            <>
              <span role="status">{isStale ? 'Not searched' : countText(rows, search)}</span>
              {!isStale && selection.canSelectAll && rows.loaded.some(({ read }) => !read) && (
                <button type="button" className={styles.all} onClick={actions.markAllRead}>
                  Mark all as read
                </button>
              )}
            </>
          )}
        </div>
      )}
      {failure && (
        <p role="alert" className={styles.problem}>
          {failure.title}: {failure.message}
        </p>
      )}
    </div>
  );
}

function SelectionTools({ selection, rows, actions }: Pick<Props, 'selection' | 'rows' | 'actions'>) {
  const more = selection.isAll && !rows.isExact;
  return (
    <>
      <span role="status">{more ? 'All matching emails selected' : `${formatCount(selection.count)} selected`}</span>
      <span className={styles.tools}>
        <IconButton label="Mark as read" icon={MailOpen} onClick={() => actions.mark(true)} />
        <IconButton label="Mark as unread" icon={MailX} onClick={() => actions.mark(false)} />
        <IconButton label="Delete" icon={Trash2} onClick={actions.removeSelected} />
        <IconButton label="Deselect all" icon={X} onClick={selection.clear} />
      </span>
    </>
  );
}

/** Chooses what the query requires. */
function FilterMenu({ search, rows, onSearch }: Pick<Props, 'search' | 'rows' | 'onSearch'>) {
  const isOn =
    requiredValue(search, 'is') === 'suppressed' ||
    (['status', 'from', 'tag', 'recipient'] as const).some((field) => requiredValue(search, field) !== undefined);
  return (
    <Menu
      trigger={
        <Button icon={ListFilter} className={`${styles.filter} ${isOn ? styles.on : ''}`} aria-label="Filter">
          <span>Filter</span>
        </Button>
      }
    >
      {(parts) => <FilterChoices parts={parts} search={search} rows={rows} onSearch={onSearch} />}
    </Menu>
  );
}

function countText(rows: EmailRows, search: string): string {
  if (!rows.isExact && rows.continueFrom !== undefined) return `${plural(rows.count, 'email')} found so far`;
  const count = rows.isExact
    ? plural(rows.count, 'email')
    : `More than ${plural(Math.max(0, rows.count - 1), 'email')}`;
  return search === '' ? count : `${count} found`;
}

/** Returns why the server refused the query: only the server can check regular expressions. */
function refusal(error: unknown): string | undefined {
  const { status, details } = (error ?? {}) as Partial<ApiFailure>;
  return status === 400 ? (details?.[0]?.message ?? describeFailure(error).message) : undefined;
}

const ANY = 'any';
/** Not a status of emails, but rows show it as one. */
const DROPPED = 'dropped';
/** Number of senders, tags and mailboxes to choose from. */
const SHOWN = 12;

interface FilterChoicesProps {
  parts: Pick<typeof import('../../../components/menu/menu-content.js'), 'MenuChoice' | 'MenuSeparator'>;
  search: string;
  rows: EmailRows;
  onSearch(search: string): void;
}

/** The choices of the filter. They are in the menu while it is open, so only then the server counts emails. */
function FilterChoices({ parts: { MenuChoice, MenuSeparator }, search, rows, onSearch }: FilterChoicesProps) {
  const { data: counts } = useControl('emails.counts', {});
  const isDropped = requiredValue(search, 'is') === 'suppressed';
  const filterStatus = (value: string) => {
    const rest = withRequired(isDropped ? withRequired(search, 'is', undefined) : search, 'status', undefined);
    const term = value === ANY ? '' : value === DROPPED ? 'is:suppressed' : `status:${value}`;
    onSearch(`${rest} ${term}`.trim());
  };
  const ofStatus = new Map(counts?.statuses.map(({ value, count }) => [value, count]));
  const statuses = [ANY, ...emailStatuses, DROPPED].map((value) => ({
    value,
    label: value === ANY ? 'Any status' : value,
    count: value === ANY || value === DROPPED || !counts ? undefined : (ofStatus.get(value) ?? 0),
  }));
  /** A choice of one of these values, or of the one that the query requires. */
  const choiceOf = (field: QueryField & ('from' | 'tag' | 'recipient'), label: string, any: string, all: Values) => {
    const chosen = requiredValue(search, field);
    const shown = all.slice(0, SHOWN);
    if (chosen !== undefined && !shown.some(({ value }) => value === chosen)) {
      shown.unshift(all.find(({ value }) => value === chosen) ?? { value: chosen });
    }
    if (shown.length === 0) return null;
    return (
      <>
        <MenuSeparator />
        <MenuChoice
          label={label}
          value={chosen ?? ''}
          choices={[{ value: '', label: any }, ...shown.map((each) => ({ ...each, label: each.value }))]}
          onChange={(value) => onSearch(withRequired(search, field, value === '' ? undefined : value))}
        />
      </>
    );
  };
  const mailboxes = new Set(rows.loaded.flatMap(({ to }) => mailboxesOf(to).slice(0, 1)));
  const status = isDropped ? DROPPED : (requiredValue(search, 'status') ?? ANY);
  return (
    <>
      <MenuChoice label="Status" value={status} choices={statuses} onChange={filterStatus} />
      {choiceOf('tag', 'Tag', 'Any tag', counts?.tags ?? [])}
      {choiceOf('from', 'Sender', 'Any sender', counts?.senders.filter(({ value }) => value !== '') ?? [])}
      {choiceOf(
        'recipient',
        'Mailbox',
        'Any mailbox',
        Array.from(mailboxes, (value) => ({ value })),
      )}
    </>
  );
}

type Values = { value: string; count?: number }[];
