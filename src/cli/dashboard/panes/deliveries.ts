import type { DeliverySummary } from '../../../contract/control/deliveries.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { describeDelivery } from './delivery-detail.js';
import { newestOf } from './newest.js';
import { type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const deliveries: Pane = {
  title: 'Deliveries',
  item: 'Delivery',
  columns: [
    { title: 'EVENT', width: 16, sort: true },
    { title: 'URL', width: 8, grow: 1, sort: true },
    { title: 'RESULT', width: 6, sort: true },
    { title: 'TRIES', width: 5, from: 60 },
    { title: 'NEXT', width: 8, from: 70 },
    { title: 'TIME', width: 8, from: 48 },
    { title: 'ID', width: 30, from: 130 },
  ],
  empty: 'No webhook deliveries yet.',
  fill: 'webhooks listen --forward-to http://localhost:3000/hooks',
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
  const next = attempts > 0 && next_attempt_at !== null ? localTimeOfDay(next_attempt_at) : '';
  return {
    id,
    cells: [type, url, { text: outcome, tone: tones[state] }, `×${attempts}`, next, localTimeOfDay(created_at), id],
    words: wordsOf(id, event_id, type, url, state, status, error, replay_of),
    open: (client) => describeDelivery(client, id),
    copies: async () => [{ name: 'URL', value: url }],
    replay: { delivery_id: id },
  };
}
