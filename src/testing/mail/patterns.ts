import type { TextPattern } from '../api/emails.js';

/** Returns whether a text has this part, ignoring case, or matches this regular expression. */
export function matchesPattern(text: string, pattern: TextPattern): boolean {
  if (typeof pattern === 'string') return text.toLowerCase().includes(pattern.toLowerCase());
  // A global or sticky expression starts where it stopped; a test may use it several times.
  pattern.lastIndex = 0;
  const found = pattern.test(text);
  pattern.lastIndex = 0;
  return found;
}
