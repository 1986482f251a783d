import { ChevronRight } from 'lucide-react';
import type { ControlOperations } from '../../../../client/operations.js';
import { Attempts } from '../../../components/attempts/attempts.js';
import { StatusBadge, Tag } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { plural } from '../../../components/format.js';
import { Time } from '../../../components/time.js';
import { ReplayResult, useReplay } from './replay.js';
import styles from './timeline-tab.module.css';

interface Props {
  delivery: ControlOperations['deliveries.list']['result']['deliveries'][number];
  isOpen: boolean;
  onToggle(): void;
}

/** A webhook delivery of an event in a line, which opens its attempts. */
export function DeliveryRow({ delivery, isOpen, onToggle }: Props) {
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

function Progress({ delivery: { attempts, status, error, next_attempt_at } }: Pick<Props, 'delivery'>) {
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
