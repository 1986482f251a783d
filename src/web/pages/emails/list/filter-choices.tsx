import { emailStatuses } from '../../../../contract/vocabulary/emails/statuses.js';
import type { QueryField } from '../../../../contract/vocabulary/query/query.js';
import { useControl } from '../../../api/calls.js';
import { mailboxesOf } from '../addresses.js';
import { requiredValue, withRequired } from '../search/query-terms.js';
import type { EmailRows } from './use-email-rows.js';

const ANY = 'any';
/** Not a status of emails, but rows show it as one. */
const DROPPED = 'dropped';
/** Number of senders, tags and mailboxes to choose from. */
const SHOWN = 12;

interface Props {
  parts: Pick<typeof import('../../../components/menu/menu-content.js'), 'MenuChoice' | 'MenuSeparator'>;
  search: string;
  rows: EmailRows;
  onSearch(search: string): void;
}

/** The choices of the filter. They are in the menu while it is open, so only then the server counts emails. */
export function FilterChoices({ parts: { MenuChoice, MenuSeparator }, search, rows, onSearch }: Props) {
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
