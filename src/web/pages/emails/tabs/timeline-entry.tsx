import { ChevronRight, RotateCw } from 'lucide-react';
import type { ControlOperations } from '../../../../client/operations.js';
import { useControlChange } from '../../../api/calls.js';
import { Attempts } from '../../../components/attempts/attempt.js';
import { StatusBadge, Tag } from '../../../components/badge.js';
import { Button, IconButton } from '../../../components/button.js';
import { plural } from '../../../components/format.js';
import { Problem } from '../../../components/states.js';
import { Time } from '../../../components/time.js';
import styles from '../tabs/timeline-tab.module.css';
import type { Entry } from './timeline-entries.js';

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

interface DeliveryRowProps {
  delivery: ControlOperations['deliveries.list']['result']['deliveries'][number];
  isOpen: boolean;
  onToggle(): void;
}

/** A webhook delivery of an event in a line, which opens its attempts. */
function DeliveryRow({ delivery, isOpen, onToggle }: DeliveryRowProps) {
  const { id, url, state, type, replay_of } = delivery;
  const replay = useReplay();
  return (
    <li className={styles.delivery}>
      <div className={styles.row}>
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
          <ChevronRight size={16} aria-hidden />
          <span className={styles.summary}>
            <span className={styles.url}>{url}</span>
            <StatusBadge status={state} />
            {replay_of && <Tag>replay</Tag>}
            <span className={styles.progress}>
              <Progress delivery={delivery} />
            </span>
          </span>
        </button>
        <Button
          aria-label={`Replay the delivery of ${type} to ${url}`}
          disabled={replay.isPending}
          onClick={() => replay.mutate({ body: { delivery_id: id } })}
        >
          Replay
        </Button>
      </div>
      <ReplayResult replay={replay} />
      {isOpen && (
        <div className={styles.attempts}>
          <Attempts deliveryId={id} />
        </div>
      )}
    </li>
  );
}

function Progress({ delivery: { attempts, status, error, next_attempt_at } }: Pick<DeliveryRowProps, 'delivery'>) {
  return (
    <>
      {plural(attempts, 'attempt')}
      {status !== null && `, last status ${status}`}
      {status === null && error !== null && ', no response'}
      {next_attempt_at !== null && attempts > 0 && (
        <>
          , next <Time at={next_attempt_at} />
        </>
      )}
    </>
  );
}

type Replay = ReturnType<typeof useReplay>;

/** Returns the call that sends a delivery or an event again. */
const useReplay = () => useControlChange('deliveries.replay', 'webhooks');

/** Shows the responses to a replay, or why it failed. */
function ReplayResult({ replay: { data, error, isPending } }: { replay: Replay }) {
  if (error) {
    return (
      <div className={styles.result}>
        <Problem error={error} />
      </div>
    );
  }
  return (
    <p role="status" className={styles.result}>
      {isPending && 'Replaying…'}
      {data && summaryOf(data.attempts)}
    </p>
  );
}

function summaryOf(attempts: NonNullable<Replay['data']>['attempts']): string {
  if (attempts.length === 0) return 'Replayed.';
  const responses = attempts.map(({ status, error }) => (status === null ? (error ?? 'no response') : String(status)));
  return `Replayed to ${plural(attempts.length, 'webhook')}: ${responses.join(', ')}.`;
}
