import { searchForm } from '../../../contract/vocabulary/helpers/search-form.js';
import type { Pattern } from '../../../contract/vocabulary/query/query.js';
import { tagForm } from '../tables/mail/tags.js';

/** Returns whether a value that matches a pattern is equal to it without white space around it. */
export function isTrimmed(pattern: Pattern): boolean {
  return pattern.kind !== 'contains' || searchForm(pattern.text) === tagForm(pattern.text);
}
