import type { Columns } from './columns.js';

/** Defines how emails are counted: per value of a field, and per block of consecutive numbers. */

/** The fields whose values are counted. `size` counts classes of sizes, `has` emails with HTML, and
 * `workspace` those that have one. */
export type CountedField =
  | 'status'
  | 'sender'
  | 'tag'
  | 'added_tag'
  | 'hour'
  | 'origin'
  | 'size'
  | 'is'
  | 'has'
  | 'workspace';

/** A change of the number of emails whose field has a value. */
export interface EmailCount {
  field: CountedField;
  value: string;
  seq: number;
  /** 1 for one more, -1 for one fewer. */
  by: number;
}

/** The values of an email under which it is counted. */
export interface CountedEmail {
  id: string;
  seq: number;
  status: string;
  sender: string;
  tags: readonly string[];
  addedTags: readonly string[];
  createdAt: number;
  origin: string;
  size: number;
  isRead: boolean;
  hasHtml: boolean;
  workspace: string | null;
}

/** The columns for `readCounted`. */
export const COUNTED_COLUMNS = `id, seq, status, sender_mailbox, tags, added_tags, created_at, origin, size, read_at IS NOT NULL,
  EXISTS (SELECT 1 FROM bodies WHERE email_seq = seq AND html_size > 0), workspace`;

/** Reads a row of `COUNTED_COLUMNS`. */
export function readCounted(row: unknown): CountedEmail {
  const [id, seq, status, sender, tags, addedTags, createdAt, origin, size, isRead, hasHtml, workspace] = row as [
    ...[string, number, string, string, string, string, number, string, number],
    ...[0 | 1, 0 | 1, string | null],
  ];
  return {
    ...{ id, seq, status, sender, createdAt, origin, size },
    ...{ tags: JSON.parse(tags) as string[], addedTags: JSON.parse(addedTags) as string[] },
    ...{ isRead: isRead === 1, hasHtml: hasHtml === 1, workspace },
  };
}

/** Returns the changes of counts when an email is added (1) or removed (-1). */
export function countsOfEmail(email: CountedEmail, by: number): EmailCount[] {
  const { seq } = email;
  const counts: EmailCount[] = [
    { field: 'status', value: email.status, seq, by },
    { field: 'sender', value: email.sender, seq, by },
    { field: 'hour', value: hourOf(email.createdAt), seq, by },
    { field: 'origin', value: email.origin, seq, by },
    { field: 'size', value: sizeClass(email.size), seq, by },
  ];
  counts.push(...countsOfTags(email, by));
  if (email.isRead) counts.push({ field: 'is', value: 'read', seq, by });
  if (email.hasHtml) counts.push({ field: 'has', value: 'html', seq, by });
  // Emails without one are the others.
  if (email.workspace !== null) counts.push({ field: 'workspace', value: email.workspace, seq, by });
  return counts;
}

/** Returns the changes of counts when an email gets (1) or loses (-1) all of its tags. */
export function countsOfTags({ seq, tags, addedTags }: Pick<CountedEmail, 'seq' | 'tags' | 'addedTags'>, by: number) {
  const counted = (field: CountedField, of: readonly string[]): EmailCount[] =>
    [...new Set(of)].map((value) => ({ field, value, seq, by }));
  return [...counted('tag', tags), ...counted('added_tag', addedTags)];
}

/** The bits of a number within its block. */
export const BLOCK_BITS = 10;
export const HOUR_MS = 3_600_000;

/** Returns the hour of an instant as it is counted. Later hours sort after earlier ones. */
export function hourOf(instant: number): string {
  return String(Math.max(0, Math.floor(instant / HOUR_MS))).padStart(8, '0');
}

/** Returns the first instant of an hour as it is counted. */
export function startOfHour(hour: string): number {
  return Number(hour) * HOUR_MS;
}

/** Returns the class of a size as it is counted: its number of bits. Larger classes sort after smaller ones. */
export function sizeClass(size: number): string {
  return String(size < 1 ? 0 : Math.floor(Math.log2(size)) + 1).padStart(2, '0');
}

/** Emails with a value of a field; all emails without one. */
export interface Counted {
  field: CountedField;
  value?: string | undefined;
}

/** Checks a row of `email_counts`. */
export function readEmailCount(row: Columns): void {
  for (const name of ['field', 'value']) row.text(name);
  row.integer('block');
  row.integer('count', 0);
}
