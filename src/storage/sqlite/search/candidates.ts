import type Database from 'better-sqlite3';
import { INSTANT_MAX, INSTANT_MIN } from '../../../contract/vocabulary/instant-bounds.js';
import type { Query } from '../../../contract/vocabulary/query/query.js';
import type { EmailMatcher } from '../../../core/model/search.js';
import { memoized } from '../memoized.js';
import { KEY_MAX } from '../rows/keys.js';
import { EmailCountTable } from '../tables/mail/email-counts.js';
import { partsOf } from './query-parts.js';
import { isIndexError } from './repair-index.js';
import { type RowCondition, RowConditions } from './row-conditions.js';
import { textExpression } from './text-conditions.js';

/** Number of consecutive email numbers that the first statement of a search covers. */
const WINDOW_FIRST = 4_096;
/** Later statements cover more, up to this number. A statement over so many takes at most a few dozen milliseconds. */
const WINDOW_MAX = 262_144;
/** This number if each email's events are looked up. */
const WINDOW_MAX_OF_EVENTS = 8_192;
/** Without SQL conditions, every email is a candidate. */
const WINDOW_GROWTH = 4;
/** Number of emails that a search tests rather than reading the index. */
const FEW = 1_000;
/** Number of emails with a trigram that are read to estimate its frequency. */
const SAMPLE = 32;

/** SQL for the emails that the index does not have. */
const UNINDEXED = `emails.seq IN (
  SELECT seq FROM unextracted WHERE seq > @after AND seq < @before
  UNION ALL SELECT seq FROM unindexed WHERE seq > @after AND seq < @before)`;

interface Range {
  after: number;
  before: number;
}

interface Scope extends Range {
  workspace: string | undefined;
}

/** Finds candidates of searches with SQL. */
export class CandidateSearch {
  readonly #conditions;
  readonly #counts;
  readonly #last;
  readonly #newest;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(
    private readonly db: Database.Database,
    private readonly onDamagedIndex: () => void,
  ) {
    this.#conditions = new RowConditions(db);
    this.#counts = new EmailCountTable(db);
    this.#newest = db
      .prepare(`SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ${SAMPLE}`)
      .pluck();
    this.#last = db.prepare('SELECT coalesce(max(seq), 0) FROM emails WHERE seq < ?').pluck();
  }

  /** Returns the candidates of a query in a range of numbers. */
  of({ query, now }: EmailMatcher, { after, before, workspace }: Scope): Candidates {
    const rows = this.#conditions.of(query, now);
    const isNarrow = rows?.isExact || (rows?.emails ?? Number.POSITIVE_INFINITY) < FEW;
    const expression = isNarrow ? undefined : textExpression(query, (trigram) => this.#frequency(trigram));
    const conditions = [rows, workspace === undefined ? undefined : inWorkspace(workspace)].filter(
      (condition) => condition !== undefined,
    );
    const end = (this.#last.get(before) as number) + 1;
    const dated = this.#counts.rangeOf(...createdIn(query, now));
    const range = { after: Math.max(after, dated.after), before: Math.min(before, end, dated.before) };
    const windowMax = partsOf(query).has('events') ? WINDOW_MAX_OF_EVENTS : WINDOW_MAX;
    const find: Find = (range, limit) => this.#find(conditions, expression, range, limit);
    return new Candidates(range, rows?.isExact ?? false, windowMax, find);
  }

  /** Estimates how frequent a trigram is from the distance of the newest emails that have it. */
  #frequency(trigram: string): number {
    try {
      const newest = this.#newest.all(trigram) as number[];
      if (newest.length < SAMPLE) return newest.length / KEY_MAX;
      return SAMPLE / ((newest[0] ?? 0) - (newest.at(-1) ?? 0) + 1);
    } catch (error) {
      if (!isIndexError(error)) throw error;
      return 0;
    }
  }

  /** Returns candidates in a range, newest first. If the limit is reached, the range may have more. */
  #find(conditions: readonly RowCondition[], expression: string | undefined, range: Range, limit: number): Found {
    const where = conditions.map(({ sql }) => ` AND ${sql}`).join('');
    const values = conditions.flatMap((condition) => condition.values);
    const run = (sql: string, more: object = {}) => {
      const statement = memoized(this.#statements, sql, () => this.db.prepare(sql).pluck());
      return statement.all(...values, { ...range, ...more, limit }) as number[];
    };
    const window = 'emails.seq > @after AND emails.seq < @before';
    if (expression === undefined)
      return foundIn(
        run(`SELECT seq FROM emails WHERE ${window}${where} ORDER BY seq DESC LIMIT @limit`),
        range,
        limit,
      );
    let indexed: number[];
    try {
      indexed = run(
        `SELECT search.rowid FROM search CROSS JOIN emails ON emails.seq = search.rowid
         WHERE search MATCH @expression AND search.rowid > @after AND search.rowid < @before${where}
         ORDER BY search.rowid DESC LIMIT @limit`,
        { expression },
      );
    } catch (error) {
      if (!isIndexError(error)) throw error;
      // Without the index, the search tests every email.
      this.onDamagedIndex();
      return this.#find(conditions, undefined, range, limit);
    }
    const others = run(`SELECT seq FROM emails WHERE ${UNINDEXED}${where} ORDER BY seq DESC LIMIT @limit`);
    return merged(foundIn(indexed, range, limit), foundIn(others, range, limit));
  }
}

/** Returns the first and the last instant at which a match can have been created. */
function createdIn(query: Query, now: number): [from: number, to: number] {
  let [from, to] = [INSTANT_MIN, INSTANT_MAX];
  for (const term of query.kind === 'and' ? query.terms : [query]) {
    if (term.kind !== 'condition' || (term.field !== 'before' && term.field !== 'after')) continue;
    const at = 'at' in term.time ? term.time.at : now - term.time.ago;
    if (term.field === 'before') to = Math.min(to, at);
    else from = Math.max(from, at);
  }
  return [from, to];
}

/** Candidates, newest first. All those after `down` are found. */
interface Found {
  seqs: number[];
  down: number;
}

type Find = (range: Range, limit: number) => Found;

function foundIn(seqs: number[], { after }: Range, limit: number): Found {
  return { seqs, down: seqs.length < limit ? after : (seqs.at(-1) ?? 1) - 1 };
}

function merged(one: Found, other: Found): Found {
  const down = Math.max(one.down, other.down);
  const seqs = [...new Set([...one.seqs, ...other.seqs])].filter((seq) => seq > down).sort((a, b) => b - a);
  return { seqs, down };
}

const inWorkspace = (workspace: string): RowCondition => ({
  sql: 'workspace = ?',
  values: [workspace],
  isExact: true,
});

/** Steps through the candidates of a search, newest first. */
export class Candidates {
  #window = WINDOW_FIRST;

  constructor(
    private readonly range: Range,
    /** Whether every candidate matches. */
    readonly isExact: boolean,
    private readonly windowMax: number,
    private readonly find: Find,
  ) {}

  /** Candidates from this number on are already found. */
  get before(): number {
    return this.range.before;
  }

  get isAtEnd(): boolean {
    return this.range.before <= this.range.after + 1;
  }

  /** Returns the next candidates: at most `limit`, or none if the next numbers have none. */
  next(limit: number): number[] {
    const after = Math.max(this.range.after, this.range.before - this.#window);
    const { seqs, down } = this.find({ after, before: this.range.before }, limit);
    this.range.before = down + 1;
    if (down === after) this.#window = Math.min(this.#window * WINDOW_GROWTH, this.windowMax);
    return seqs;
  }
}
