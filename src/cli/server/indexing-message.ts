import type { App } from '../../app/app.js';

type IndexedSoFar = Parameters<Parameters<App['onIndexing']>[0]>[0];

/** Describes how far emails are indexed for searches, in one line. */
export function describeIndexing({ indexed, total }: IndexedSoFar): string {
  const count = (emails: number) => emails.toLocaleString('en-US');
  if (indexed === total) return `Indexed ${count(total)} emails for searches.`;
  return `Indexing emails for searches: ${count(indexed)} of ${count(total)}. Searches are slower until this is complete.`;
}
