import { INSTANT_MAX, INSTANT_MIN } from '../../../contract/vocabulary/instant-bounds.js';
import type { Query } from '../../../contract/vocabulary/query/query.js';

/** Returns the first and the last instant at which a match can have been created. */
export function createdIn(query: Query, now: number): [from: number, to: number] {
  let [from, to] = [INSTANT_MIN, INSTANT_MAX];
  for (const term of query.kind === 'and' ? query.terms : [query]) {
    const isNegated = term.kind === 'not';
    const condition = isNegated ? term.term : term;
    if (condition.kind !== 'condition' || (condition.field !== 'before' && condition.field !== 'after')) continue;
    const at = 'at' in condition.time ? condition.time.at : now - condition.time.ago;
    if ((condition.field === 'before') !== isNegated) to = Math.min(to, at);
    else from = Math.max(from, at);
  }
  return [from, to];
}
