import type { StoredContent } from '../../../core/model/contents.js';
import type { Columns } from './columns.js';

/** Reads the location of a row's content; null if the content is in the row itself. */
export function readStored(row: Columns, keyColumn = 'content_key', sizeColumn = 'size'): StoredContent | null {
  const key = row.textOrNull(keyColumn);
  return key === null ? null : { key, size: row.integer(sizeColumn, 0) };
}
