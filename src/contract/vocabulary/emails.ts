/**
 * The statuses of an email. Separate from the schemas, so that commands start without zod. Specification: States and
 * transitions; gaps 2 and 3.
 */
export const emailStatuses = ['scheduled', 'sent', 'delivered', 'bounced', 'complained', 'cancelled'] as const;

/** The statuses of a recipient. An email itself is never dropped (gap 41). */
export const recipientStatuses = [...emailStatuses, 'dropped'] as const;

/** The statuses that the specification lists for the filter of a list. Specification: List Emails; gap 30. */
export const filterStatuses: readonly string[] = ['sent', 'delivered', 'bounced', 'complained'];

export function isFilterStatus(status: string): boolean {
  return filterStatuses.includes(status);
}

/** Why a link is in an email. */
export const linkKinds = ['verify', 'reset', 'magic', 'invite', 'unsubscribe', 'other'] as const;
export type LinkKind = (typeof linkKinds)[number];
