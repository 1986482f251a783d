import { queryOf } from '../../api/site.js';

/** Addresses of the pages of webhooks, below /inbox. */

export interface DeliveryFilter {
  webhook?: string | undefined;
  state?: string | undefined;
  event?: string | undefined;
}

/** What counts as failed: the replay of a delivery takes its place. */
export const FAILED = { state: 'failed', replayed: 'false' } as const;

/** The address of the deliveries that match a filter. */
export function deliveriesPath(filter: DeliveryFilter): string {
  return `/webhooks${queryOf({ ...filter })}`;
}

export function deliveryPath(id: string): string {
  return `/webhooks/deliveries/${encodeURIComponent(id)}`;
}
