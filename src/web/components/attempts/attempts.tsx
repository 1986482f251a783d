import { useControl } from '../../api/calls.js';
import { Loaded } from '../loaded.js';
import { Time } from '../time.js';
import { AttemptView, type Delivery } from './attempt.js';
import styles from './attempts.module.css';

/** Shows all attempts of a webhook delivery, newest first, with their requests and responses. */
export function Attempts({ deliveryId }: { deliveryId: string }) {
  const delivery = useControl('deliveries.get', { params: { id: deliveryId } });
  return <Loaded query={delivery}>{(delivery) => <AttemptList delivery={delivery} />}</Loaded>;
}

/** The attempts of a delivery that is loaded. The newest one is open. */
function AttemptList({ delivery }: { delivery: Delivery }) {
  const { log } = delivery;
  return (
    <div className={styles.attempts}>
      <NextAttempt delivery={delivery} />
      <ol reversed className={styles.list} aria-label="Attempts, newest first">
        {log.toReversed().map((attempt) => (
          <li key={attempt.attempt}>
            <AttemptView attempt={attempt} isNewest={attempt === log.at(-1)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Shows when the next attempt is due, or that none follows. */
function NextAttempt({ delivery: { state, next_attempt_at, log } }: { delivery: Delivery }) {
  if (state === 'pending' && next_attempt_at !== null) {
    return (
      <p>
        {log.length === 0 ? 'The first attempt is under way, or due at ' : `Attempt ${log.length + 1} is due at `}
        <Time at={next_attempt_at} />.
      </p>
    );
  }
  if (state !== 'failed') return null;
  return (
    <p>
      {log.length === 0
        ? 'No attempt was made: the webhook was paused or deleted before.'
        : 'No more attempts. Replay it to send it again.'}
    </p>
  );
}
