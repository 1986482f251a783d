/** Specification: States and transitions; decisions 2 and 3. Without a schema library, so that commands can name them cheaply. */
export const emailStatuses = [
  'scheduled',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'dropped',
  'cancelled',
] as const;
