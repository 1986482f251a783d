import { isWholeAddress, normalizeAddress } from '../../../contract/vocabulary/addresses.js';
import { emailStatuses } from '../../../contract/vocabulary/emails.js';
import type { Condition, Query } from '../../../contract/vocabulary/query/query.js';
import { BLOCK_BITS, sizeClass } from '../../common/rows/email-counts.js';
import type { Range } from '../../common/search/steps.js';
import { isTrimmed } from '../../common/search/texts.js';
import type { EmailCountTable } from '../../common/tables/mail/email-counts.js';
import type { Names } from './names.js';

/** An upper bound of the number of matches in each block of emails. Others have no match. */
export type Bounds = ReadonlyMap<number, number>;

/** Finds the blocks of emails that may have matches of a query, from the counts of emails. */
export class BlockBounds {
  constructor(
    private readonly counts: EmailCountTable,
    private readonly names: Names,
  ) {}

  /** Returns the bounds of a query; undefined if its values are not counted. */
  async of(query: Query): Promise<Bounds | undefined> {
    if (query.kind === 'condition') return (await this.#exact(query)) ?? this.#loose(query);
    if (query.kind === 'not') return this.#not(query.term);
    const excluded = query.kind === 'and' ? excludedStatuses(query.terms) : [];
    const terms = await Promise.all(query.terms.map((term) => this.of(term)));
    // Together, negated statuses exclude more than each of them.
    if (excluded.length > 1) terms.push(await this.counts.perBlock('status', others(excluded)));
    const known = terms.filter((term) => term !== undefined);
    if (query.kind === 'and') return known.length === 0 ? undefined : known.reduce(lower);
    return known.length < terms.length || terms.length === 0 ? undefined : known.reduce(sum);
  }

  async #not(query: Query): Promise<Bounds | undefined> {
    if (query.kind === 'not') return this.of(query.term);
    if (query.kind !== 'condition') {
      const kind = query.kind === 'and' ? 'or' : 'and';
      return this.of({ kind, terms: query.terms.map((term) => ({ kind: 'not', term })) });
    }
    const excluded = await this.#exact(query);
    if (!excluded) return undefined;
    const rest = Array.from(await this.counts.perBlock('status'), ([block, count]): [number, number] => [
      block,
      count - (excluded.get(block) ?? 0),
    ]);
    return new Map(rest.filter(([, count]) => count > 0));
  }

  /** Returns the numbers of emails for which a condition is true, if they are counted. */
  async #exact(condition: Condition): Promise<Bounds | undefined> {
    if (condition.field === 'tag') {
      const tags = this.names.tags(condition.pattern);
      // An email with two of several tags is counted twice.
      return tags && tags.length < 2 && isTrimmed(condition.pattern) ? this.#tagged(tags) : undefined;
    }
    if (!('word' in condition)) return undefined;
    const { field, word } = condition;
    if (field === 'status' || field === 'origin') return this.counts.perBlock(field, [word]);
    if (field === 'is' && word === 'scheduled') return this.counts.perBlock('status', [word]);
    if (field === 'is' && word === 'read') return this.counts.perBlock('is', [word]);
    if (field === 'is' && word === 'unread') return this.#not({ ...condition, word: 'read' });
    return field === 'has' && word === 'html' ? this.counts.perBlock('has', [word]) : undefined;
  }

  /** Returns the numbers of emails that have one of these tags, from their sender or added later. */
  async #tagged(tags: readonly string[]): Promise<Bounds> {
    return sum(await this.counts.perBlock('tag', tags), await this.counts.perBlock('added_tag', tags));
  }

  async #loose(condition: Condition): Promise<Bounds | undefined> {
    const ofSizes = (from: number, to: number) => this.counts.perBlockBetween('size', sizeClass(from), sizeClass(to));
    if (condition.field === 'larger') return ofSizes(condition.bytes, Number.MAX_SAFE_INTEGER);
    if (condition.field === 'smaller') return ofSizes(0, condition.bytes);
    if (!('pattern' in condition)) return undefined;
    const { field, pattern } = condition;
    if (field === 'tag') {
      const tags = this.names.tags(pattern);
      return tags && this.#tagged(tags);
    }
    if (field !== 'from' || pattern.kind !== 'contains' || !isWholeAddress(pattern.text)) return undefined;
    return this.counts.perBlock('sender', [normalizeAddress(pattern.text)]);
  }
}

/** Returns the statuses that terms exclude. */
function excludedStatuses(terms: readonly Query[]): string[] {
  return terms.flatMap((term) => {
    const excluded = term.kind === 'not' ? term.term : undefined;
    return excluded?.kind === 'condition' && excluded.field === 'status' ? [excluded.word] : [];
  });
}

const others = (excluded: readonly string[]) => emailStatuses.filter((status) => !excluded.includes(status));

/** Returns the lower of both bounds in each block. */
function lower(one: Bounds, other: Bounds): Bounds {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  const common = [...few].filter(([block]) => many.has(block));
  return new Map(common.map(([block, count]) => [block, Math.min(count, many.get(block) ?? 0)]));
}

function sum(one: Bounds, other: Bounds): Bounds {
  const sums = new Map(one);
  for (const [block, count] of other) sums.set(block, count + (sums.get(block) ?? 0));
  return sums;
}

/** Returns the number of matches of which there are at most as many. */
export function totalOf(bounds: Bounds): number {
  let total = 0;
  for (const count of bounds.values()) total += count;
  return total;
}

/** Returns the parts of a range that have blocks with matches, newest first. */
export function rangesOf(bounds: Bounds, { after, before }: Range): Range[] {
  const size = 2 ** BLOCK_BITS;
  const ranges: Range[] = [];
  for (const block of [...bounds.keys()].sort((a, b) => b - a)) {
    const part = { after: Math.max(after, block * size - 1), before: Math.min(before, (block + 1) * size) };
    const last = ranges.at(-1);
    if (part.before <= part.after + 1) continue;
    if (last && last.after === part.before - 1) last.after = part.after;
    else ranges.push(part);
  }
  return ranges;
}
