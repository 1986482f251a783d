import { useState } from 'react';
import { Link } from 'wouter';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Result } from '../../../contract/endpoint.js';
import { formatCondition } from '../../../contract/vocabulary/query/format-query.js';
import { useControlChange } from '../../api/calls.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmAction } from '../../components/confirm-action.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';

type Suppression = Result<Control['suppressions.list']>['suppressions'][number];

const REASONS = { hard_bounce: 'hard bounce', complaint: 'complaint', manual: 'manual' } as const;

export function SuppressionTable({ suppressions }: { suppressions: Suppression[] }) {
  const [removed, setRemoved] = useState<Suppression>();
  const { mutateAsync: remove } = useControlChange('suppressions.delete', 'emails');
  const hasWorkspaces = suppressions.some(({ workspace }) => workspace !== null);
  return (
    <>
      <table className={`${tables.table} ${tables.wide}`}>
        <caption className="visually-hidden">Suppressed addresses</caption>
        <thead>
          <tr>
            <th scope="col">Address</th>
            {hasWorkspaces && <th scope="col">Workspace</th>}
            <th scope="col">Reason</th>
            <th scope="col">Since</th>
            <th scope="col">Emails</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
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
