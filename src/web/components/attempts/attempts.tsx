import { useControl, useInbox } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { FailureView } from '../failure-view.js';
import { Loading } from '../loading.js';
import { Time } from '../time.js';
import { AttemptView } from './attempt.js';
import styles from './attempts.module.css';
import type { Delivery } from './types.js';

/** Shows all attempts of a webhook delivery, newest first, with their requests and responses. */
export function Attempts({ deliveryId }: { deliveryId: string }) {
  const { data, error, refetch } = useControl('deliveries.get', { params: { id: deliveryId } });
  if (data) return <AttemptList delivery={data} />;
  return error ? <FailureView {...describeFailure(error)} onRetry={() => void refetch()} /> : <Loading />;
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
  const { client } = useInbox();
  const now = client.now ? Date.parse(client.now) : 0;
  if (state === 'pending' && next_attempt_at !== null) {
    return (
      <p>
        {log.length === 0 ? 'The first attempt is under way, or due at ' : `Attempt ${log.length + 1} is due at `}
        <Time at={next_attempt_at} now={now} />.
      </p>
    );
  }
  if (state !== 'failed') return null;
  return <p>{log.length === 0 ? 'It ended without an attempt.' : 'No more attempts. Replay it to send it again.'}</p>;
}
