import { SerialQueue } from '../jobs/serial-queue.js';
import type { AttemptRef } from '../store.js';
import type { DeliveryDeps } from './attempt.js';
import type { AttemptFeed } from './ephemeral-subscriptions.js';

interface ForeignAttemptsDeps extends Pick<DeliveryDeps, 'store' | 'retrySchedule'> {
  feed: AttemptFeed;
  onInternalError(error: unknown): void;
}

/** Publishes the attempts of other servers on the database to streams of this one, in the order of their commits. */
export function publishForeignAttempts({ store, feed, retrySchedule, onInternalError }: ForeignAttemptsDeps): void {
  const inOrder = new SerialQueue();
  const { deliveries } = store.read;

  async function publish({ deliveryId, attempt: number }: AttemptRef): Promise<void> {
    const found = await deliveries.find(deliveryId);
    const attempt = (await deliveries.attempts(deliveryId)).find((each) => each.attempt === number);
    if (!found?.webhook || !attempt) return;
    feed.publishForeign({ ...found, webhook: found.webhook, attempt, maxAttempts: retrySchedule.length + 1 });
  }

  store.onCommit(({ foreign, attempts }) => {
    if (!foreign || !attempts || !feed.isFollowed) return;
    for (const attempt of attempts) inOrder.run(() => publish(attempt)).catch(onInternalError);
  });
}
