import type Database from 'better-sqlite3';
import type { Query } from '../../../contract/vocabulary/query/query.js';
import type { EmailMatcher } from '../../../core/model/search.js';
import { memoized } from '../../common/listeners.js';
import { json } from '../../common/rows/columns.js';
import {
  type Candidates,
  createdIn,
  type Found,
  foundIn,
  merged,
  type Range,
  StepsOfCount,
  StepsOfRange,
} from '../../common/search/steps.js';
import type { Sql } from '../../common/sql.js';
import { EmailCountTable } from '../../common/tables/mail/email-counts.js';
import { type CandidateFinder, partsOf, type Scope } from '../../common/tables/mail/email-search.js';
import type { SearchEngine } from '../../common/tables/mail/searched-emails.js';
import { KEY_MAX } from '../rows/keys.js';
import { SqliteSql } from '../sql.js';
import { BlockBounds, rangesOf, totalOf } from './block-bounds.js';
import { Names } from './names.js';
import { type Among, type SqliteCondition, SqliteConditions } from './row-conditions.js';
import { SearchIndex } from './search-index.js';
import { isInIndex, TextIndex } from './text-index.js';

/** Returns the index of searches in FTS5. */
export function sqliteSearch(db: Database.Database): SearchEngine {
  return {
    index: (documents) => new SearchIndex(db, documents),
    candidates: (onDamagedIndex) => new CandidateSearch(db, new SqliteSql(db), onDamagedIndex),
  };
}

/** Number of emails that a search tests rather than reading the index. */
const FEW = 1_000;
/** Maximum number of emails that a statement covers if each email's events are looked up. */
const RANGE_MAX_OF_EVENTS = 8_192;

/** Finds candidates of searches with SQL. */
class CandidateSearch implements CandidateFinder {
  readonly #conditions;
  readonly #counts;
  readonly #bounds;
  readonly #index;
  readonly #last;
  readonly #all;
  /** The emails that are not in the index. */
  readonly #unindexed;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(
    private readonly db: Database.Database,
    sql: Sql,
    onDamagedIndex: () => void,
  ) {
    const names = new Names(db);
    this.#conditions = new SqliteConditions(db, names);
    this.#counts = new EmailCountTable(sql);
    this.#bounds = new BlockBounds(this.#counts, names);
    this.#index = new TextIndex(db, onDamagedIndex);
    this.#last = db.prepare('SELECT coalesce(max(seq), 0) FROM emails WHERE seq < ?').pluck();
    const newest = (table: string) =>
      db
        .prepare(`SELECT seq FROM ${table} WHERE seq > @after AND seq < @before ORDER BY seq DESC LIMIT @limit`)
        .pluck();
    this.#all = newest('emails');
    this.#unindexed = newest('unindexed');
  }

  /** Returns the candidates of a query in a range of numbers. */
  async of({ query, now }: EmailMatcher, { after, before, workspace }: Scope): Promise<Candidates> {
    const rows = await this.#conditions.of(query, now);
    const owned = workspace === undefined ? undefined : this.#conditions.inWorkspace(workspace);
    const conditions = [rows, owned].filter((condition) => condition !== undefined);
    const few = Math.min(...conditions.map(({ emails = Number.POSITIVE_INFINITY }) => emails));
    const end = (this.#last.get(before) as number) + 1;
    const dated = await this.#counts.rangeOf(...createdIn(query, now));
    const range = { after: Math.max(after, dated.after), before: Math.min(before, end, dated.before) };
    const isExact = rows?.isExact ?? false;
    // Counts help where an index does not.
    const bounds = isExact && rows?.isIndexed ? undefined : await this.#bounds.of(query);
    const emails = Math.min(few, bounds ? totalOf(bounds) : KEY_MAX);
    if (!isExact && emails > FEW && isInIndex(query))
      return new StepsOfCount(range, this.#textSearch(query, conditions));
    const ranges = bounds ? rangesOf(bounds, range) : [range];
    const readsEvents = partsOf(query).has('events') && few > FEW;
    const rangeMax = readsEvents ? RANGE_MAX_OF_EVENTS : undefined;
    const find = (range: Range, limit: number) => foundIn(this.#inRange(conditions, range, limit), range, limit);
    return new StepsOfRange(ranges, isExact, rangeMax, find);
  }

  #inRange(conditions: readonly SqliteCondition[], range: Range, limit: number): number[] {
    return this.#select('emails.seq > @after AND emails.seq < @before', 'range', conditions, { ...range, limit });
  }

  /** Returns those of these emails for which conditions are true, newest first. */
  #filtered(seqs: number[], conditions: readonly SqliteCondition[]): number[] {
    if (conditions.length === 0 || seqs.length === 0) return seqs;
    const listed = 'emails.seq IN (SELECT value FROM json_each(@seqs))';
    return this.#select(listed, 'row', conditions, { seqs: json(seqs), limit: seqs.length });
  }

  #select(where: string, among: Among, conditions: readonly SqliteCondition[], values: object): number[] {
    const terms = [where, ...conditions.map(({ sql }) => sql(among))];
    const sql = `SELECT seq FROM emails WHERE ${terms.join(' AND ')} ORDER BY seq DESC LIMIT @limit`;
    const statement = memoized(this.#statements, sql, () => this.db.prepare(sql).pluck());
    return statement.all(...conditions.flatMap((condition) => condition.values), values) as number[];
  }

  /** Returns a search in the index. The emails that are not in the index are candidates too. */
  #textSearch(query: Query, conditions: readonly SqliteCondition[]) {
    let isFirst = true;
    const find = (range: Range, limit: number): Found => {
      // Short texts are usually common. Then the newest emails are enough, and looking up texts in the index is not.
      const expression = this.#index.expressionOf(query, !isFirst);
      isFirst = false;
      const values = { ...range, limit };
      const indexed = expression === undefined ? undefined : this.#index.matching(expression, range, limit);
      if (indexed === undefined) return foundIn(this.#all.all(values) as number[], range, limit);
      const others = this.#unindexed.all(values) as number[];
      return merged([indexed, others].map((seqs) => foundIn(seqs, range, limit)));
    };
    return (range: Range, limit: number): Found => {
      const { seqs, down } = find(range, limit);
      return { seqs: this.#filtered(seqs, conditions), down };
    };
  }
}
