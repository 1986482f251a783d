import { isAscii } from '../parsers/domain.js';

/**
 * Returns the form in which searches compare texts: without case, and with each run of white space as one space. Every
 * evaluator of a query uses it, so that all find the same emails.
 */
export function searchForm(text: string): string {
  const spaced = text.replace(/\s{2,}|[^\S ]/g, ' ');
  const lower = spaced.toLowerCase();
  // Upper case has no special forms: ß is SS, and a final sigma is a sigma.
  return isAscii(lower)
    ? lower
    : lower
        .toUpperCase()
        .toLowerCase()
        .replace(/\u03c2/g, '\u03c3')
        .normalize('NFC');
}
