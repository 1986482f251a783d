import type { EmailSummary } from '../../contract/service/emails.js';
import type { Column } from '../output/table.js';

/** Columns of a list of emails. */
export const EMAIL_COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'short id' },
  { title: 'STATUS', rank: 2, kind: 'status' },
  { title: 'CREATED', rank: 5, kind: 'time' },
  { title: 'TO', rank: 3 },
  { title: 'SUBJECT', rank: 4 },
];

/** An email, and which of its recipients were dropped, if that is known. */
export type ListedEmail = EmailSummary & { dropped?: 'none' | 'some' | 'all' };

/** Returns an email’s cells, in the order of the columns. */
export function emailRow({ id, status, dropped, created_at, to, subject }: ListedEmail): string[] {
  return [id, dropped === 'all' ? `${status}, dropped` : status, created_at, to, subject];
}
