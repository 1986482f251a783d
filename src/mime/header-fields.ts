/** Lists the header fields that are read, by name in lower case. */

export const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'reply-to']);

export const PART_FIELDS: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'content-transfer-encoding',
  'content-id',
]);

export const MESSAGE_FIELDS: ReadonlySet<string> = new Set([...ADDRESS_FIELDS, ...PART_FIELDS, 'subject']);

/** Fields that a message has once at most (RFC 5322, section 3.6). To and Cc are read wherever they are. */
export const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'mime-version',
]);
