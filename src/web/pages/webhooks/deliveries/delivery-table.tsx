import { Link } from 'wouter';
import { StatusBadge } from '../../../components/badge.js';
import { Table } from '../../../components/table.js';
import table from '../../../components/table.module.css';
import { Time } from '../../../components/time.js';
import { deliveryPath } from '../addresses.js';
import type { DeliverySummary } from '../subscriptions/webhook-form.js';
import styles from './deliveries.module.css';

/** Deliveries, newest first, with the result of the last attempt. */
export function DeliveryTable({ deliveries }: { deliveries: readonly DeliverySummary[] }) {
  return (
    <Table label="Deliveries, newest first" wide columns={['Time', 'Event', 'State', 'Last attempt', 'URL']}>
      {deliveries.map((delivery) => (
        <tr key={delivery.id}>
          <td className={table.keep}>
            <Time at={delivery.created_at} />
          </td>
          <td className={table.keep}>
            <Link href={deliveryPath(delivery.id)}>{delivery.type}</Link>
            {delivery.replay_of && <span className={table.muted}> (replay)</span>}
          </td>
          <td>
            <StatusBadge status={delivery.state} />
          </td>
          <td>
            <LastAttempt delivery={delivery} />
          </td>
          <td className={styles.url}>
            <bdi>{delivery.url}</bdi>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function LastAttempt({ delivery }: { delivery: DeliverySummary }) {
  const { attempts, status, error, duration_ms, state, next_attempt_at } = delivery;
  if (attempts === 0) return <span className={table.muted}>{state === 'pending' ? 'Waiting' : 'None'}</span>;
  return (
    <>
      {status === null ? (error ?? 'No response') : `Status ${status}`}{' '}
      <span className={table.muted}>
        {duration_ms === null ? '' : `in ${duration_ms} ms`}
        {attempts > 1 && `, attempt ${attempts}`}
      </span>
      {state === 'pending' && next_attempt_at !== null && (
        <div className={table.muted}>
          Next at <Time at={next_attempt_at} />
        </div>
      )}
    </>
  );
}
