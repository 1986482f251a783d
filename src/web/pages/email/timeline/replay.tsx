import { useControlChange } from '../../../api/calls.js';
import { plural } from '../../../components/format.js';
import { Problem } from '../../../components/problem.js';
import styles from './timeline-tab.module.css';

type Replay = ReturnType<typeof useReplay>;

/** Returns the call that sends a delivery or an event again. */
export const useReplay = () => useControlChange('deliveries.replay', 'webhooks');

/** Shows the responses to a replay, or why it failed. */
export function ReplayResult({ replay: { data, error, isPending } }: { replay: Replay }) {
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
