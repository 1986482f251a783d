import { mailboxOf } from '../../components/format.js';

/** Shortens addresses for lists. */

/** Returns the name of `Name <address>`, otherwise the address. */
export function nameOf(address: string): string {
  const name = address.slice(0, Math.max(0, address.lastIndexOf('<'))).trim();
  return (name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name) || mailboxOf(address);
}

/**
 * Shortens recipients that are joined by ", ": the first without its name, because those of most tests have none, and
 * the number of the others.
 */
export function recipientsText(to: string): string {
  const [first = mailboxOf(to), ...others] = mailboxesOf(to);
  return `${first || '(no recipient)'}${others.length > 0 ? ` +${others.length}` : ''}`;
}

/** Returns the addresses of recipients that are joined by ", ", which a quoted name may contain, too. */
export function mailboxesOf(to: string): string[] {
  return to
    .split(', ')
    .filter((part) => part.includes('@'))
    .map(mailboxOf);
}

/** Number of rows that are read at once. Each event reads what is in view again, which is seldom more than one page. */
export const PAGE = 50;

export interface ListPage {
  search: string;
  before: string | undefined;
  page: number;
}

/** Returns the parameters of the call that reads one page of the list. */
export function pageParameters({ search, before, page }: ListPage) {
  return { search, limit: PAGE, offset: page * PAGE, ...(before !== undefined && { cursor: before }) };
}

/** Returns what the address of the list searches for, and the cursor that it continues from. */
export function searchOf(parameters: URLSearchParams): { search: string; before: string | undefined } {
  return { search: parameters.get('search') ?? '', before: parameters.get('before') ?? undefined };
}
