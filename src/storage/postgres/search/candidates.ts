import type { Query } from '../../../contract/vocabulary/query/query.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import type { EmailMatcher } from '../../../core/model/search.js';
import {
  type Candidates,
  createdIn,
  type Found,
  foundIn,
  merged,
  RANGE_MAX,
  type Range,
  StepsOfCount,
  StepsOfRange,
} from '../../common/search/steps.js';
import { textsOfCondition } from '../../common/search/texts.js';
import { EmailCountTable } from '../../common/tables/mail/email-counts.js';
import type { CandidateFinder, Scope } from '../../common/tables/mail/email-search.js';
import { likeText, type PostgresSql } from '../statements/sql.js';
import { type PostgresCondition, PostgresConditions } from './conditions.js';

/** An SQL condition on a row of `search`. */
interface TextCondition {
  sql: string;
  values: string[];
  /** Whether an index finds its rows: it finds texts of three characters or more. */
  isIndexed: boolean;
}

const INDEXED_MIN = 3;

/**
 * Returns the condition of a query on the indexed texts: it is true for every email that matches, and usually for
 * others. Undefined if the texts cannot narrow the query.
 */
function textCondition(query: Query): TextCondition | undefined {
  if (query.kind === 'condition') {
    const found = textsOfCondition(query);
    return found && containing(found.texts.map(searchForm).filter(Boolean), found.parts);
  }
  // An email that does not match may have the text elsewhere.
  if (query.kind === 'not') return undefined;
  const terms = query.terms.map(textCondition);
  const known = terms.filter((term) => term !== undefined);
  if (known.length === 0 || (query.kind === 'or' && known.length < terms.length)) return undefined;
  const isAnd = query.kind === 'and';
  return {
    sql: `(${known.map(({ sql }) => sql).join(isAnd ? ' AND ' : ' OR ')})`,
    values: known.flatMap(({ values }) => values),
    isIndexed: isAnd ? known.some(({ isIndexed }) => isIndexed) : known.every(({ isIndexed }) => isIndexed),
  };
}

function containing(texts: readonly string[], parts: readonly string[]): TextCondition | undefined {
  if (texts.length === 0) return undefined;
  const patterns = texts.map((text) => `%${likeText(text)}%`);
  return {
    sql: `(${patterns.map(() => `(${parts.map((part) => `search.${part} LIKE ?`).join(' OR ')})`).join(' AND ')})`,
    values: patterns.flatMap((pattern) => parts.map(() => pattern)),
    isIndexed: texts.some((text) => [...text].length >= INDEXED_MIN),
  };
}

/** Number of emails whose texts one search reads without an index, about 10 µs each. */
const READ_MAX = 32_768;

/** Finds candidates of searches with SQL. */
export class CandidateSearch implements CandidateFinder {
  readonly #conditions;
  readonly #counts;
  readonly #last;

  constructor(private readonly sql: PostgresSql) {
    this.#conditions = new PostgresConditions(sql);
    this.#counts = new EmailCountTable(sql);
    this.#last = sql.prepare('SELECT coalesce(max(seq), 0) FROM emails WHERE seq < ?');
  }

  /** Returns the candidates of a query in a range of numbers. */
  async of({ query, now }: EmailMatcher, { after, before, workspace }: Scope): Promise<Candidates> {
    const rows = await this.#conditions.of(query, now);
    const owned: PostgresCondition[] = workspace === undefined ? [] : [inWorkspace(workspace)];
    const conditions = rows ? [rows, ...owned] : owned;
    const end = ((await this.#last.value<number>(before)) ?? 0) + 1;
    const dated = await this.#counts.rangeOf(...createdIn(query, now));
    const range = { after: Math.max(after, dated.after), before: Math.min(before, end, dated.before) };
    const isExact = rows?.isExact ?? false;
    const text = isExact ? undefined : textCondition(query);
    if (text?.isIndexed) {
      return new StepsOfCount(range, (part, limit) => this.#indexed(text, conditions, part, limit));
    }
    if (text) return new StepsOfCount(range, (part, limit) => this.#read(text, conditions, part, limit), READ_MAX);
    return new StepsOfRange([range], isExact, undefined, async (part, limit) =>
      foundIn(await this.#select('emails', 'true', [], conditions, part, limit), part, limit),
    );
  }

  /** Returns the emails in the index with a text, and those that are not in the index. */
  async #indexed(
    text: TextCondition,
    conditions: readonly PostgresCondition[],
    range: Range,
    limit: number,
  ): Promise<Found> {
    const search = 'search JOIN emails ON emails.seq = search.seq';
    const others = 'unindexed JOIN emails ON emails.seq = unindexed.seq';
    const found = await Promise.all([
      this.#select(search, text.sql, text.values, conditions, range, limit),
      this.#select(others, 'true', [], conditions, range, limit),
    ]);
    return merged(found.map((seqs) => foundIn(seqs, range, limit)));
  }

  /**
   * Reads the texts of the newest emails: at most `limit`. Returns those with a text, and those that are not in the
   * index.
   */
  async #read(
    text: TextCondition,
    conditions: readonly PostgresCondition[],
    { after, before }: Range,
    limit: number,
  ): Promise<Found> {
    const part = { after: Math.max(after, before - RANGE_MAX), before };
    const newest = selectOf('emails', 'true', conditions);
    // One row for all of them, because reading thousands of rows would block the event loop.
    const read = this.sql.unprepared(
      `WITH newest AS MATERIALIZED (${newest})
       SELECT count(*), min(newest.seq),
         json_agg(newest.seq ORDER BY newest.seq DESC) FILTER (WHERE search.seq IS NULL OR ${text.sql})
       FROM newest LEFT JOIN search ON search.seq = newest.seq`,
    );
    const all = [...conditions.flatMap(({ values }) => values), part.after, part.before, limit, ...text.values];
    const row = await read.tuple<[count: number, last: number | null, seqs: string | null]>(...all);
    const [count, last, seqs] = row ?? [0, null, null];
    return { seqs: JSON.parse(seqs ?? '[]'), down: count < limit ? part.after : (last ?? 1) - 1 };
  }

  #select(
    from: string,
    where: string,
    values: readonly unknown[],
    conditions: readonly PostgresCondition[],
    { after, before }: Range,
    limit: number,
  ): Promise<number[]> {
    const all = [...values, ...conditions.flatMap((condition) => condition.values), after, before, limit];
    return this.sql.unprepared(selectOf(from, where, conditions)).values<number>(...all) as Promise<number[]>;
  }
}

/** Returns a statement for the newest emails of a range, whose last three values are the range and the limit. */
function selectOf(from: string, where: string, conditions: readonly PostgresCondition[]): string {
  const terms = [where, ...conditions.map(({ sql }) => sql), 'emails.seq > ?', 'emails.seq < ?'];
  return `SELECT emails.seq FROM ${from} WHERE ${terms.join(' AND ')} ORDER BY emails.seq DESC LIMIT ?`;
}

function inWorkspace(workspace: string | null): PostgresCondition {
  if (workspace === null) return { sql: 'workspace IS NULL', values: [], isExact: true };
  return { sql: 'workspace = ?', values: [workspace], isExact: true };
}
