import type { DeliverySummary } from '../../../contract/control/deliveries.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { describeDelivery } from './delivery-detail.js';
import { newestOf } from './newest.js';
import { column, type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const deliveries: Pane = {
  title: 'Deliveries',
  empty: 'No webhook deliveries yet. To get some: svc webhooks listen --forward-to :3000/hooks',
  elsewhere: 'svc webhooks deliveries',
  read: newestOf(async (client, query) => {
    const { deliveries: items, pagination } = await client.control('deliveries.list', { query });
    return { items, pagination };
  }, rowOf),
};

const tones: Record<DeliverySummary['state'], Tone> = { pending: 'waiting', succeeded: 'good', failed: 'bad' };

function rowOf(delivery: DeliverySummary): Row {
  const { id, type, url, state, status, error, attempts, created_at, next_attempt_at, event_id, replay_of } = delivery;
  const outcome = status === null ? (error === null ? '…' : 'error') : String(status);
  // An attempt that is due is already in progress. The next time is shown for retries only.
  const next = attempts > 0 && next_attempt_at !== null ? `next ${localTimeOfDay(next_attempt_at)}` : [];
  return {
    id,
    tone: tones[state],
    words: wordsOf(id, event_id, type, url, state, status, error, replay_of),
    line: (width) =>
      [
        localTimeOfDay(created_at),
        outcome.padEnd(5),
        type.padEnd(16),
        `×${attempts}`,
        next,
        column(url, width).trimEnd(),
      ]
        .flat()
        .join(' '),
    open: (client) => describeDelivery(client, id),
    replay: { delivery_id: id },
  };
}
