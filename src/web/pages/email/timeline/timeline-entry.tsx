import { RotateCw } from 'lucide-react';
import type { ControlOperations } from '../../../../client/operations.js';
import { StatusBadge } from '../../../components/badge.js';
import { IconButton } from '../../../components/button.js';
import { Time } from '../../../components/time.js';
import { DeliveryRow } from './delivery-row.js';
import type { Entry } from './entries.js';
import { ReplayResult, useReplay } from './replay.js';
import styles from './timeline-tab.module.css';

interface Props {
  entry: Entry;
  /** Deliveries of the event, newest first. */
  deliveries: ControlOperations['deliveries.list']['result']['deliveries'];
  openDelivery: string | null;
  onOpen(id: string | null): void;
}

export function TimelineEntry({ entry, deliveries, openDelivery, onOpen }: Props) {
  const { what, recipient, details, event, isPending } = entry;
  return (
    <li className={styles.entry} data-pending={isPending}>
      <div className={styles.head}>
        <StatusBadge status={what} />
        {recipient && <bdi className={styles.recipient}>{recipient}</bdi>}
        <When entry={entry} />
        {event && <ReplayEvent id={event.id} name={`${what}${recipient ? ` for ${recipient}` : ''}`} />}
      </div>
      {details.length > 0 && (
        <dl className={styles.details}>
          {details.map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {deliveries.length > 0 && (
        <ul className={styles.deliveries} aria-label={`Webhook deliveries of ${what}`}>
          {deliveries.toReversed().map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              isOpen={delivery.id === openDelivery}
              onToggle={() => onOpen(delivery.id === openDelivery ? null : delivery.id)}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

function When({ entry: { at, isPending } }: { entry: Entry }) {
  if (at === null) return null;
  return (
    <span className={styles.when}>
      {isPending && 'due '}
      <Time at={at} />
    </span>
  );
}

function ReplayEvent({ id, name }: { id: string; name: string }) {
  const replay = useReplay();
  return (
    <>
      <IconButton
        label={`Replay the event ${name}`}
        icon={RotateCw}
        disabled={replay.isPending}
        onClick={() => replay.mutate({ body: { event_id: id } })}
      />
      <ReplayResult replay={replay} />
    </>
  );
}
