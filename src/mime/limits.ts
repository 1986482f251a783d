/**
 * Limits what is parsed of one message. Anything beyond is omitted from the parsed form, never from the raw message.
 */

/** Header fields, over all parts. */
export const HEADER_FIELDS_MAX = 10_000;

/** Bytes of header fields, over all parts. */
export const HEADER_BYTES_MAX = 1024 * 1024;

/** Characters of one address field: the grammar of groups and comments takes more than linear time to read. */
export const ADDRESS_FIELD_MAX = 256 * 1024;

/** Characters of a subject, and of a sender as it is shown. */
export const SHOWN_FIELD_MAX = 20_000;

/** MIME parts. What follows the last one is part of it. */
export const PARTS_MAX = 1_000;

/** Links of one email that are listed, and that tracking replaces. */
export const LINKS_MAX = 5_000;

/** Characters of a URL: browsers stop at about this length too. */
export const URL_MAX = 64 * 1024;
