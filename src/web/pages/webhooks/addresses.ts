/** Addresses of the pages of webhooks, below /inbox. */

export interface DeliveryFilter {
  webhook?: string | undefined;
  state?: string | undefined;
  event?: string | undefined;
}

/** The address of the deliveries that match a filter. */
export function deliveriesPath(filter: DeliveryFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return query.size > 0 ? `/webhooks?${query}` : '/webhooks';
}

export function deliveryPath(id: string): string {
  return `/webhooks/deliveries/${encodeURIComponent(id)}`;
}
