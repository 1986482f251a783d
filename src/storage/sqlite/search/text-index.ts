import type Database from 'better-sqlite3';
import type { Condition, Query } from '../../../contract/vocabulary/query/query.js';
import type { Range } from '../../common/search/steps.js';
import { textsOfCondition } from '../../common/search/texts.js';
import { isIndexError } from './repair-index.js';
import { containing, hasTrigram, type Terms } from './trigrams.js';

/** Number of emails with a trigram that are read at either end of the index to estimate its frequency. */
const SAMPLE = 32;
/** A trigram that is at least this frequent at one end needs no sample of the other. */
const COMMON = 0.5;
/** Maximum number of trigrams that begin with a text of one or two characters. */
const TERMS_MAX = 256;

/** Reads the index of searches. If it is missing or damaged, the caller is informed. */
export class TextIndex {
  readonly #newest;
  readonly #oldest;
  readonly #matching;
  readonly #span;
  #nextTerm: Database.Statement | undefined;

  constructor(
    private readonly db: Database.Database,
    private readonly onDamagedIndex: () => void,
  ) {
    const sample = (order: string) =>
      db.prepare(`SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid ${order} LIMIT ${SAMPLE}`).pluck();
    this.#newest = sample('DESC');
    this.#oldest = sample('ASC');
    this.#matching = db
      .prepare(
        `SELECT rowid FROM search WHERE search MATCH @expression AND rowid > @after AND rowid < @before
         ORDER BY rowid DESC LIMIT @limit`,
      )
      .pluck();
    this.#span = db.prepare('SELECT (SELECT min(seq) FROM emails), (SELECT max(seq) FROM emails)').raw();
  }

  /**
   * Returns an FTS5 expression that finds all matches of a query that are in the index now, and usually others.
   * Undefined if the index cannot narrow it. `withTerms` also narrows texts that are shorter than a trigram.
   */
  expressionOf(query: Query, withTerms: boolean): string | undefined {
    const [first, last] = this.#span.get() as [number, number];
    const terms: Terms = {
      frequency: (trigram) => this.#frequency(trigram, first, last),
      beginningWith: (text) => (withTerms ? this.#termsBeginningWith(text) : undefined),
    };
    return this.#orElse(undefined, () => textExpression(query, terms));
  }

  /**
   * Returns the numbers of the newest emails of a range in the index that match an expression: at most `limit`.
   * Undefined if the index is damaged.
   */
  matching(expression: string, range: Range, limit: number): number[] | undefined {
    return this.#orElse(undefined, () => this.#matching.all({ expression, ...range, limit }) as number[]);
  }

  /**
   * Estimates which part of all emails has a trigram, from the newest and from the oldest emails that have it. One end
   * alone would mistake numbers that rise with the emails for common or rare ones.
   */
  #frequency(trigram: string, first: number, last: number): number {
    const newest = this.#newest.all(trigram) as number[];
    const oldestOfNewest = newest.at(-1);
    if (oldestOfNewest === undefined) return 0;
    if (newest.length < SAMPLE) return newest.length / (last - first + 1);
    const atEnd = SAMPLE / (last - oldestOfNewest + 1);
    if (atEnd >= COMMON) return Math.min(1, atEnd);
    const newestOfOldest = (this.#oldest.all(trigram) as number[]).at(-1) ?? first;
    return Math.min(1, Math.max(atEnd, SAMPLE / (newestOfOldest - first + 1)));
  }

  /** Returns the trigrams that begin with a text; undefined for too many. Jumps from each one to the next. */
  #termsBeginningWith(text: string): string[] | undefined {
    this.#nextTerm ??= this.#prepareNextTerm();
    const found: string[] = [];
    for (let from = text; found.length <= TERMS_MAX; ) {
      const term = this.#nextTerm.get(from) as string | undefined;
      if (term === undefined || !term.startsWith(text)) return found;
      found.push(term);
      // No character comes before this one in the index.
      from = `${term}\u0001`;
    }
    return undefined;
  }

  #prepareNextTerm(): Database.Statement {
    this.db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_terms USING fts5vocab(main, 'search', 'instance')");
    return this.db.prepare('SELECT term FROM temp.search_terms WHERE term >= ? LIMIT 1').pluck();
  }

  #orElse<T>(other: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isIndexError(error)) throw error;
      this.onDamagedIndex();
      return other;
    }
  }
}

/**
 * Returns an FTS5 expression for a query: it finds every email that matches, and usually others. Undefined if the index
 * cannot narrow the query.
 */
function textExpression(query: Query, terms: Terms): string | undefined {
  if (query.kind === 'condition') return conditionExpression(query, terms);
  // The emails that do not match are not in the index.
  if (query.kind === 'not') return undefined;
  const expressions = query.terms.map((term) => textExpression(term, terms));
  if (query.kind === 'or') {
    if (expressions.length === 0 || expressions.includes(undefined)) return undefined;
    return `(${expressions.join(' OR ')})`;
  }
  const known = expressions.filter((expression) => expression !== undefined);
  return known.length === 0 ? undefined : `(${known.join(' AND ')})`;
}

/** Returns whether the index can narrow a query. */
export function isInIndex(query: Query): boolean {
  return textExpression(query, { frequency: () => 1, beginningWith: () => [] }) !== undefined;
}

function conditionExpression(condition: Condition, terms: Terms): string | undefined {
  const found = textsOfCondition(condition);
  if (!found) return undefined;
  const { parts, texts } = found;
  const long = texts.filter(hasTrigram);
  // Short texts are worth reading only on their own.
  const expressions = (long.length > 0 ? long : texts)
    .map((text) => containing(text, parts, terms))
    .filter((expression) => expression !== undefined);
  return expressions.length === 0 ? undefined : `(${expressions.join(' AND ')})`;
}
