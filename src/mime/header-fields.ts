/** Lists the header fields that are read, by name in lower case. */

export const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'reply-to']);

export const PART_FIELDS: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'content-transfer-encoding',
  'content-id',
]);

export const MESSAGE_FIELDS: ReadonlySet<string> = new Set([...ADDRESS_FIELDS, ...PART_FIELDS, 'subject']);
