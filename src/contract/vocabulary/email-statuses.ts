/**
 * The statuses of an email. Separate from the schemas, so that commands start without zod. Specification: States and
 * transitions; gaps 2 and 3.
 */
export const emailStatuses = [
  'scheduled',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'dropped',
  'cancelled',
] as const;
