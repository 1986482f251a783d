import { useMutationState } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ControlOperations } from '../../../client/operations.js';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Call } from '../../../contract/endpoint.js';
import { formatCount, plural } from '../../components/format.js';
import styles from './clock-page.module.css';

type Move = ControlOperations['clock.advance']['result'];

/** One and several runs of the service's jobs, in the order in which they are shown. */
const JOBS: Record<string, readonly [string, string]> = {
  'email.send': ['scheduled email', 'scheduled emails'],
  'email.deliver': ['round of deliveries', 'rounds of deliveries'],
  'email.outcome': ['step of an outcome', 'steps of outcomes'],
  'email.engage': ['open or click', 'opens and clicks'],
  'email.parse': ['message parsed', 'messages parsed'],
  'webhook.attempt': ['webhook attempt', 'webhook attempts'],
};

/** Shows what the last move of the clock ran, or that it still runs. */
export function LastMove({ isMoving }: { isMoving: boolean }) {
  const moves = useMutationState({
    filters: { mutationKey: ['clock'], status: 'success' },
    select: ({ state: { data, variables } }) => (isFreeze(variables) ? undefined : (data as Move)),
  });
  // Freezing and resuming move nothing.
  const last = moves.at(-1);
  return (
    <div role="status">
      {isMoving && (
        <p className={styles.moving}>
          The clock is moving. Everything that becomes due runs first, and webhook receivers have up to 10 seconds to
          respond.
        </p>
      )}
      {!isMoving && last && <Result move={last} />}
    </div>
  );
}

function isFreeze(call: unknown): boolean {
  return (call as Call<Control['clock.update']>).body.frozen !== undefined;
}

function Result({ move: { ran, cut_short } }: { move: Move }) {
  const counts = Object.entries(JOBS).flatMap(([kind, [one, many]]) => {
    const count = ran[kind] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`];
  });
  const webhooks = ran['webhook.attempt'] === undefined ? 0 : 1;
  return (
    <p className={styles.moving}>
      {counts.length === 0 ? 'Nothing was due.' : `Ran ${counts.join(', ')}. `}
      {cut_short > 0 && `${plural(cut_short, 'webhook attempt')} timed out before a response. `}
      {counts.length > webhooks && <Link href="/emails">Show the emails</Link>}
      {counts.length > 1 && webhooks > 0 && ' '}
      {webhooks > 0 && <Link href="/webhooks">Show the webhook deliveries</Link>}
    </p>
  );
}
