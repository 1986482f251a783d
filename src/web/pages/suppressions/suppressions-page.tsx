import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Result } from '../../../contract/endpoint.js';
import { formatCondition } from '../../../contract/vocabulary/query/format-query.js';
import { useControl, useControlChange, useReadOnFocus } from '../../api/calls.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyCommand } from '../../components/copy-text.js';
import { ConfirmAction } from '../../components/dialog.js';
import { TextField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';
import { formatCount } from '../../components/format.js';
import { Page } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import styles from './suppressions-page.module.css';

const PAGE_SIZE = 50;

/** The suppressed addresses. The search and the part of the list are in the address of the page. */
export function SuppressionsPage() {
  const [params, setParams] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const search = params.get('search') ?? '';
  const offset = /^\d{1,15}$/.exec(params.get('offset') ?? '')?.[0] ?? '0';
  const query = { limit: String(PAGE_SIZE), offset, ...(search && { search }) };
  const list = useControl('suppressions.list', { query }, { keepPrevious: true });
  useReadOnFocus('suppressions');
  const show = (text: string, from = 0) =>
    setParams(
      { ...(text && { search: text }), ...(from > 0 && { offset: String(from) }) },
      { replace: text !== search },
    );
  return (
    <Page
      title="Suppressions"
      about="Email to these addresses is dropped, because of a hard bounce or a complaint, or because they were added."
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          Add address
        </Button>
      }
    >
      <div className={styles.search}>
        <TextField label="Search" type="search" value={search} onChange={({ target }) => show(target.value)} />
      </div>
      <Loaded query={list}>
        {({ suppressions, pagination }) => (
          <>
            {suppressions.length > 0 ? (
              <SuppressionTable suppressions={suppressions} />
            ) : (
              <Nothing search={search} total={pagination.total} onShowAll={() => show('')} />
            )}
            {pagination.total > 0 && (
              <Pager label="suppressions" pagination={pagination} onOffset={(from) => show(search, from)} />
            )}
          </>
        )}
      </Loaded>
      {isAdding && <AddAddress onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface NothingProps {
  search: string;
  /** Number of addresses that match: the address of the page may lead beyond the last of them. */
  total: number;
  onShowAll(): void;
}

function Nothing({ search, total, onShowAll }: NothingProps) {
  if (search === '' && total === 0) {
    return (
      <EmptyState title="No suppressed addresses">
        <p>A hard bounce or a complaint adds its address. So does this command:</p>
        <CopyCommand text="svc suppressions add ada@example.test" />
      </EmptyState>
    );
  }
  return (
    <EmptyState title={search === '' ? 'No more suppressed addresses' : 'No suppressed address contains this text'}>
      <Button onClick={onShowAll}>Show all addresses</Button>
    </EmptyState>
  );
}

function AddAddress({ onClose }: { onClose(): void }) {
  const { mutateAsync: create } = useControlChange('suppressions.create');
  return (
    <FormDialog
      title="Suppress an address"
      action="Add"
      onSubmit={(fields) => create({ body: { address: String(fields.get('address')).trim() } })}
      onClose={onClose}
    >
      <TextField label="Address" name="address" inputMode="email" placeholder="ada@example.test" data-autofocus />
    </FormDialog>
  );
}

type Suppression = Result<Control['suppressions.list']>['suppressions'][number];

const REASONS = { hard_bounce: 'hard bounce', complaint: 'complaint', manual: 'manual' } as const;

export function SuppressionTable({ suppressions }: { suppressions: Suppression[] }) {
  const [removed, setRemoved] = useState<Suppression>();
  const { mutateAsync: remove } = useControlChange('suppressions.delete', 'emails');
  const hasWorkspaces = suppressions.some(({ workspace }) => workspace !== null);
  return (
    <>
      <Table
        label="Suppressed addresses"
        wide
        columns={[
          'Address',
          ...(hasWorkspaces ? ['Workspace'] : []),
          'Reason',
          'Since',
          'Emails',
          { hidden: 'Actions' },
        ]}
      >
        {suppressions.map((suppression) => {
          const { address, workspace, reason, email_id, created_at } = suppression;
          return (
            <tr key={`${address} ${workspace}`}>
              <th scope="row" className={tables.name}>
                <bdi>{address}</bdi>
              </th>
              {hasWorkspaces && <td data-label="Workspace:">{workspace ?? '–'}</td>}
              <td>
                <StatusBadge status={REASONS[reason]} />
              </td>
              <td className={`${tables.keep} ${tables.muted}`}>
                <Time at={created_at} />
              </td>
              <td className={tables.keep} data-label="Emails:">
                <Link href={emailsTo(address)} aria-label={`All emails to ${address}`}>
                  All
                </Link>
                {email_id && (
                  <>
                    {' · '}
                    <Link href={`/emails/${email_id}`} aria-label={`Email that suppressed ${address}`}>
                      Cause
                    </Link>
                  </>
                )}
              </td>
              <td className={tables.action}>
                <Button aria-label={`Remove ${address}`} onClick={() => setRemoved(suppression)}>
                  Remove
                </Button>
              </td>
            </tr>
          );
        })}
      </Table>
      {removed !== undefined && (
        <ConfirmAction
          title={`Send to ${removed.address} again?`}
          action="Remove"
          onConfirm={() =>
            remove({
              params: { address: removed.address },
              query: removed.workspace === null ? {} : { workspace: removed.workspace },
            })
          }
          onClose={() => setRemoved(undefined)}
        >
          <p>The address is removed from the suppression list, and the next email to it is sent.</p>
        </ConfirmAction>
      )}
    </>
  );
}

function emailsTo(address: string): string {
  return `/emails?search=${encodeURIComponent(formatCondition('to', address))}`;
}

interface Props {
  /** What the list contains, in the plural. */
  label: string;
  pagination: { total: number; limit: number; offset: number; has_more: boolean };
  onOffset(offset: number): void;
}

/** Shows which part of a list is shown, and leads to the parts before and after it. */
export function Pager({ label, pagination: { total, limit, offset, has_more }, onOffset }: Props) {
  const end = Math.min(total, offset + limit);
  return (
    <nav className={styles.pager} aria-label={`Pages of ${label}`}>
      <span role="status">
        {formatCount(Math.min(offset + 1, end))}–{formatCount(end)} of {formatCount(total)}
      </span>
      {(offset > 0 || has_more) && (
        <>
          <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
            Previous
          </Button>
          <Button disabled={!has_more} onClick={() => onOffset(offset + limit)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
