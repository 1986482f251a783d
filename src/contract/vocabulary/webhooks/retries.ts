/**
 * Milliseconds from each failed attempt of a webhook delivery to the next; each adds an attempt. Specification: Delivery
 * rules; gap 23.
 */
export const WEBHOOK_RETRY_MS = [5_000, 30_000, 120_000] as const;
